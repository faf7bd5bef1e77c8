/** Reading forms: media type and size are checked before anything looks inside. */
import { FileFault, isForm as isFormWithFile, readForm } from '../files/multipart.ts'
import type { PageContext } from './site.ts'

/** API-B5. */
export const MAX_BODY_BYTES = 64 * 1024
/** Of a form with a file: tens of thousands of cards, so that each of their faults can be shown. */
const MAX_UPLOAD_BYTES = 8 * 1024 * 1024

type BodyFault = 'too_large' | 'broken_off'

export class UnreadableForm extends Error {
  override readonly name = 'UnreadableForm'
  readonly status: number

  constructor(fault: BodyFault) {
    super(`the form cannot be read: ${fault}`)
    this.status = fault === 'too_large' ? 413 : 400
  }
}

export interface FormOptions {
  /** The form may hold a file: its text is the field `file`. */
  readonly files?: boolean | undefined
}

/** A page's form, whose fields may repeat; undefined when it is no form. @throws UnreadableForm */
export async function readPageForm(
  { req }: PageContext,
  { files = false }: FormOptions = {},
): Promise<URLSearchParams | undefined> {
  const contentType = req.header('content-type')
  if (files && contentType !== undefined && isFormWithFile(contentType)) return readFileForm(req.raw, contentType)
  if (!isForm(req.header('content-type') ?? null)) return undefined
  const body = await readBody(req.raw)
  if ('fault' in body) throw new UnreadableForm(body.fault)
  return new URLSearchParams(body.text)
}

export function isForm(contentType: string | null): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(;.*)?$/i.test(contentType ?? '')
}

/** What is no UTF-8 in the file becomes U+FFFD. A file that was not chosen is empty. */
async function readFileForm(request: Request, contentType: string): Promise<URLSearchParams> {
  const body = await readBytes(request, MAX_UPLOAD_BYTES)
  if ('fault' in body) throw new UnreadableForm(body.fault)
  try {
    const { fields, file = '' } = await readForm(inOnePiece(body.bytes), contentType, textOf)
    return new URLSearchParams([...fields.map(([name, value]): [string, string] => [name, value]), ['file', file]])
  } catch (error) {
    if (error instanceof FileFault) throw new UnreadableForm('broken_off')
    throw error
  }
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

export async function readBody(request: Request): Promise<{ readonly text: string } | { readonly fault: BodyFault }> {
  const body = await readBytes(request, MAX_BODY_BYTES)
  return 'fault' in body ? body : { text: body.bytes.toString('utf8') }
}

/** Nothing is read on once the limit is passed. */
async function readBytes(
  request: Request,
  most: number,
): Promise<{ readonly bytes: Buffer } | { readonly fault: BodyFault }> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return { fault: 'too_large' }
  if (!request.body) return { bytes: Buffer.alloc(0) }
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  for (;;) {
    const part = await reader.read().catch(() => undefined)
    if (!part) return { fault: 'broken_off' }
    if (part.done) return { bytes: Buffer.concat(chunks) }
    size += part.value.length
    if (size > most) {
      await reader.cancel()
      return { fault: 'too_large' }
    }
    chunks.push(part.value)
  }
}
