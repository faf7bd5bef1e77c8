/** Reading a JSON body: media type, size, encoding and nesting are checked before anything looks inside (API-E1). */
import { nestsDeeperThan } from '../../ocpp/rpc/frame.ts'
import { Problem } from '../respond.ts'

/** API-B5. */
const MAX_BYTES = 64 * 1024
/** Deeper than any OCPP payload; a recursion over the value can then not exhaust the stack. */
const MAX_NESTING = 64

interface Reading {
  readonly maxBytes?: number | undefined
  /** Whatever it calls itself. */
  readonly anyType?: true | undefined
}

export async function readJson(request: Request, { maxBytes = MAX_BYTES, anyType }: Reading = {}): Promise<unknown> {
  const type = request.headers.get('content-type')
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (length > maxBytes) throw tooLarge(maxBytes)
  // A body whose length is given ends there, and can be read without a stream.
  const bytes = Number.isNaN(length)
    ? await readBytes(request.body, maxBytes)
    : Buffer.from(await request.arrayBuffer().catch(brokenOff))
  if (bytes.length === 0) return undefined
  if (!/^(identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? '')) {
    // Unpacking would make the limit above a limit of nothing.
    throw new Problem(415, 'unsupported_media_type', 'Send the body without content-encoding.', {
      headers: { 'accept-encoding': 'identity' },
    })
  }
  if (!anyType && !isJsonType(type)) {
    throw new Problem(415, 'unsupported_media_type', 'Send the body as content-type: application/json, in UTF-8.', {
      headers: { 'accept-post': 'application/json' },
    })
  }
  return parse(bytes)
}

/** RFC 8259 §11: parameters mean nothing but for `charset`, often misspelled; one that UTF-8 cannot be is refused. */
function isJsonType(type: string | null): boolean {
  const [name = '', ...parameters] = (type ?? '').split(';').map((part) => part.trim())
  if (!/^application\/(json|[a-z0-9.-]+\+json)$/i.test(name)) return false
  return parameters.every((parameter) => !/^charset\s*=/i.test(parameter) || UTF8.test(parameter))
}

const UTF8 = /^charset\s*=\s*"?(utf-?8|us-ascii)"?$/i

function brokenOff(cause: unknown): never {
  throw new Problem(400, 'malformed_json', 'The body broke off before its end.', { cause })
}

async function readBytes(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  if (!body) return Buffer.alloc(0)
  let size = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
}

function parse(bytes: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem(400, 'malformed_json', 'The body is not valid UTF-8.', { cause })
  }
  if (nestsDeeperThan(text, MAX_NESTING)) {
    throw new Problem(400, 'too_deep', `The body may be nested at most ${MAX_NESTING} levels deep.`)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (!SURROGATE_ESCAPE.test(text)) return value
  } catch (cause) {
    throw new Problem(400, 'malformed_json', 'The body is not valid JSON.', { cause })
  }
  return JSON.parse(text, wholeCharacters)
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/
const LONE_SURROGATE = /\p{Surrogate}/u

/** JSON can write down half a character (RFC 8259 §8.2); UTF-8 cannot, so it would be stored as something else. */
function wholeCharacters(name: string, value: unknown): unknown {
  if (LONE_SURROGATE.test(name) || (typeof value === 'string' && LONE_SURROGATE.test(value))) {
    throw new Problem(400, 'malformed_json', 'The body has half a surrogate pair, which is no character.')
  }
  return value
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(413, 'body_too_large', `The body may have at most ${maxBytes} bytes.`)
}
