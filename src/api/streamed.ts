/** Answers that are sent while they are read: as fast as the client takes them, and never whole in appearance only. */

import type { Context } from 'hono'
import type { Log } from '../domain/ports/core.ts'
import type { ApiEnv } from './endpoint.ts'

type Chunks = AsyncGenerator<Uint8Array, void, undefined>

interface Stream {
  readonly context: Context<ApiEnv>
  readonly log: Log
  readonly chunks: Chunks
  readonly headers: Readonly<Record<string, string>>
  /** However it ended. Called twice it must do no harm. */
  readonly ended?: () => void
}

/** The first chunk decides between 200 and a problem: a failure before it is still an ordinary answer. */
export async function streamed({ context, log, chunks, headers, ended = () => undefined }: Stream): Promise<Response> {
  let first: IteratorResult<Uint8Array, void>
  try {
    first = await chunks.next()
  } catch (error) {
    ended()
    throw error
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = first.done ? await nextOrReset(context, chunks, log) : first
        first = { done: true, value: undefined }
        if (chunk === 'reset') return ended()
        if (chunk.done) {
          ended()
          return controller.close()
        }
        controller.enqueue(chunk.value)
      },
      async cancel() {
        ended()
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { headers })
}

/** SEARCH-C5: on failure the socket is destroyed; an error in the stream would end it like a complete file. */
async function nextOrReset(
  context: Context<ApiEnv>,
  chunks: Chunks,
  log: Log,
): Promise<IteratorResult<Uint8Array, void> | 'reset'> {
  try {
    return await chunks.next()
  } catch (error) {
    if (!context.req.raw.signal.aborted) {
      log.error({ requestId: context.get('requestId'), error: String(error) }, 'an export broke off')
    }
    const { outgoing } = context.env
    // Without a socket (the API called in-process) the stream itself can carry the error.
    if (!outgoing) throw error
    outgoing.destroy()
    return 'reset'
  }
}
