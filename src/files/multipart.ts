import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { Refusal } from '../domain/ports/storage-records.ts'
import { refuse } from '../domain/refuse.ts'

/** Why a file was not accepted, as far as its sender may know. */
type FileFaultKind = 'tooLarge' | 'brokenOff' | 'tooSlow' | 'malformed' | 'diskFull' | 'overQuota'

export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly kind: FileFaultKind

  constructor(kind: FileFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

const REFUSED_AS: Readonly<Record<FileFaultKind, readonly [status: Refusal['status'], code: string]>> = {
  tooLarge: [413, 'file_too_large'],
  brokenOff: [400, 'upload_incomplete'],
  tooSlow: [408, 'upload_too_slow'],
  malformed: [400, 'malformed_form'],
  diskFull: [507, 'disk_full'],
  overQuota: [507, 'quota_exceeded'],
}

export function refusalOfFile({ kind, message }: FileFault): Refusal {
  const [status, code] = REFUSED_AS[kind]
  return { ...refuse(status, code, message), unread: true }
}

/** Streams a form with one file (RFC 7578); `keep` decides where the file goes. */
interface Form<Kept> {
  /** In order; names may repeat. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly file?: Kept | undefined
}

/** Certificates are the longest fields. */
const FIELD_BYTES = 64 * 1024
const MAX_FIELDS = 50
const HEADER_PAIRS = 50

export function isForm(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType?.trim() ?? '')
}

/**
 * @param keep receives the first file and the fields before it; its errors pass through @throws FileFault for no form
 */
export async function readForm<Kept>(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
  keep: (
    content: AsyncIterable<Uint8Array>,
    fileName: string | undefined,
    before: Form<Kept>['fields'],
  ) => Promise<Kept>,
): Promise<Form<Kept>> {
  const parser = parserOf(contentType)
  const fields: [string, string][] = []
  const problems: unknown[] = []
  let kept: Promise<Kept> | undefined
  let stopFile = (): void => undefined
  const source = Readable.from(pieces, { objectMode: false })
  const fail = (error: unknown): void => {
    problems.push(error)
    source.destroy()
    parser.destroy()
    stopFile()
  }
  parser.on('field', (name, value, nameTruncated, valueTruncated) => {
    if (nameTruncated || valueTruncated) fail(malformed(`A field of the form is longer than ${FIELD_BYTES} bytes.`))
    else fields.push([String(name), String(value)])
  })
  parser.on('file', (_, content, fileName) => {
    // The upload may break off before it is read; the reader then gets the error.
    content.on('error', () => undefined)
    if (kept) {
      content.resume()
      return
    }
    stopFile = () => void content.destroy(new Error('The form ended before its file.'))
    kept = keep(wholeFile(content), fileName === '' ? undefined : fileName, [...fields])
    kept.catch(fail)
  })
  for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(malformed(`The form has more than ${MAX_FIELDS} parts.`)))
  }
  await new Promise<void>((resolve) => {
    parser.once('finish', resolve)
    parser.once('close', resolve)
    parser.once('error', (error: unknown) => {
      problems.push(error instanceof FileFault ? error : malformed('The form is malformed or broke off.', error))
      source.destroy()
      resolve()
    })
    source.once('error', (error) => {
      problems.unshift(error)
      parser.destroy()
      resolve()
    })
    source.pipe(parser)
  })
  if (problems.length > 0) {
    stopFile()
    const fault = problems.find((problem) => problem instanceof FileFault) ?? problems[0]
    // The file's stream ends with the form; what was stored of it is deleted there.
    await kept?.catch(() => undefined)
    throw fault
  }
  const file = await kept
  return { fields, file }
}

async function* wholeFile(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (cause) {
    throw new FileFault('brokenOff', 'The file broke off before its end.', cause)
  }
}

function parserOf(contentType: string): Busboy {
  const headers: BusboyHeaders = { 'content-type': contentType }
  try {
    return new Busboy({
      headers,
      limits: {
        fieldNameSize: 100,
        fieldSize: FIELD_BYTES,
        fields: MAX_FIELDS,
        parts: MAX_FIELDS + 1,
        headerPairs: HEADER_PAIRS,
      },
      isPartAFile: (_field, type, fileName) => fileName !== undefined || type === 'application/octet-stream',
    })
  } catch (cause) {
    throw malformed('The content-type of the form names no boundary.', cause)
  }
}

function malformed(message: string, cause?: unknown): FileFault {
  return new FileFault('malformed', message, cause)
}

/** File names from charge points and browsers: shown and offered, never used on our disk (FIRMWARE-F6). */
const MAX_CHARACTERS = 120
/** Useless in a name, and dangerous in a header, a path or a terminal. */
const UNSAFE = /[^\p{L}\p{N} ._()+-]/gu

/** @param fallback for names without usable characters */
export function safeFileName(given: string | undefined, fallback: string): string {
  const last = (given ?? '').slice(-1000).split(/[/\\]/).at(-1) ?? ''
  const name = last
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '')
  const characters = [...name]
  if (characters.length === 0) return fallback
  // Keeps the extension.
  return characters.length <= MAX_CHARACTERS
    ? name
    : characters
        .slice(-MAX_CHARACTERS)
        .join('')
        .replace(/^[. ]+/, '')
}

export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, escaped)}`
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
