/** A CSV file of the console: sent as fast as it is read, and never complete in appearance when it is not. */
import type { PageContext } from '../web/site.ts'

export function csvFile(
  context: PageContext,
  { name, chunks }: { readonly name: string; readonly chunks: AsyncGenerator<string | Uint8Array, void, undefined> },
): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
        } catch (error) {
          // Ended like a complete file it would be taken for one (SEARCH-C5): the connection breaks instead.
          const outgoing = outgoingOf(context)
          if (!outgoing) throw error
          outgoing.destroy()
        }
      },
      async cancel() {
        await chunks.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function outgoingOf(context: PageContext): { destroy(): unknown } | undefined {
  return (context.env as { readonly outgoing?: { destroy(): unknown } } | undefined)?.outgoing
}
