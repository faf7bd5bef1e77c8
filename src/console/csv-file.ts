/** A CSV file of the console: sent as fast as it is read, and never complete in appearance when it is not. */
import { csvField } from '../domain/message-log/csv.ts'
import type { PageContext } from '../web/site.ts'

/** Columns are append-only. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => unknown>>

/** @param pages one database read each, so that others come between */
export async function* csvText<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, undefined> {
  const values = Object.values(columns)
  yield `${Object.keys(columns).join(',')}\r\n`
  for await (const rows of pages) {
    yield rows.map((row) => `${values.map((value) => csvField(value(row))).join(',')}\r\n`).join('')
  }
}

export function csvFile(
  context: PageContext,
  {
    name,
    chunks,
    type = 'text/csv; charset=utf-8; header=present',
  }: {
    readonly name: string
    readonly chunks: AsyncGenerator<string | Uint8Array, void, undefined>
    readonly type?: string
  },
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
      'content-type': type,
      'content-disposition': `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

function outgoingOf(context: PageContext): { destroy(): unknown } | undefined {
  return (context.env as { readonly outgoing?: { destroy(): unknown } } | undefined)?.outgoing
}
