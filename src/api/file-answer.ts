/** A file, or a part of it, as an answer (FIRMWARE-F2); faults of uploaded files as problems. */

import type { Clock } from '../domain/ports/core.ts'
import { attachment, FileFault, refusalOfFile } from '../files/multipart.ts'
import { desiredPart, type Files, type StoredFile } from '../files/store.ts'
import { notFound, Problem, problemOfRefusal } from './respond.ts'

/** A reader that takes nothing for so long has gone. */
const STALLED_MS = 5 * 60_000

/** @throws Problem 404 where the file is gone, 416 for a part that it does not have */
export async function fileAnswer(
  context: { readonly req: { header(name: string): string | undefined } },
  { files, after }: { readonly files: Files; readonly after: Clock['after'] },
  { name, shownName, bytes, sha256 }: StoredFile,
): Promise<Response> {
  if (!(await files.has(name))) throw notFound('file')
  const etag = `"${sha256}"`
  const asked = { range: context.req.header('range'), ifRange: context.req.header('if-range') }
  const part = desiredPart(asked, bytes, etag)
  if (part === 'none') {
    throw new Problem(416, 'range_not_satisfiable', `The file has ${bytes} bytes.`, {
      headers: { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' },
    })
  }
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': attachment(shownName),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag,
  }
  const length = part === 'whole' ? bytes : part.last - part.first + 1
  const body = streamOf(() => files.read(name, part === 'whole' ? undefined : part), after)
  if (part === 'whole') return new Response(body, { headers: { ...headers, 'content-length': String(length) } })
  const range = `bytes ${part.first}-${part.last}/${bytes}`
  return new Response(body, {
    status: 206,
    headers: { ...headers, 'content-length': String(length), 'content-range': range },
  })
}

/** Opened when its first piece is asked for: an answer without a body, to HEAD, opens nothing. */
function streamOf(open: () => AsyncIterable<Uint8Array>, after: Clock['after']): ReadableStream<Uint8Array> {
  let pieces: AsyncIterator<Uint8Array> | undefined
  let cancelTimer = (): void => undefined
  const end = async (): Promise<void> => {
    cancelTimer()
    await pieces?.return?.()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        cancelTimer()
        pieces ??= open()[Symbol.asyncIterator]()
        const { done, value } = await pieces.next()
        if (done) return controller.close()
        controller.enqueue(value)
        cancelTimer = after(STALLED_MS, () => {
          controller.error(new Error('The reader of a file takes nothing any more.'))
          void end()
        })
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

/** What is left of the body is not read: the connection ends with the answer. */
export const CLOSING = { connection: 'close' }

export function problemOfFile(error: unknown): unknown {
  return error instanceof FileFault ? problemOfRefusal(refusalOfFile(error)) : error
}
