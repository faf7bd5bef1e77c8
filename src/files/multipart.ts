/** Streams a form with one file (RFC 7578); `keep` decides where the file goes. */
import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { FileFault } from './file-fault.ts'

export interface Form<Kept> {
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
