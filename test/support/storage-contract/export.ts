import { expect, it } from 'vitest'
import { addCsvLine, addNdjsonLine } from '../../../src/domain/message-log/csv.ts'
import { Utf8Text } from '../../../src/domain/message-log/utf8-text.ts'
import type { CommandQuery, ExportChunk, ExportFormat } from '../../../src/domain/ports/storage-queries.ts'
import type { Command } from '../../../src/domain/ports/storage-records.ts'
import type { StoreFixture } from './fixture.ts'
import { aCommand, NOW, store as put } from './records.ts'

const ADD_LINE = { csv: addCsvLine, ndjson: addNdjsonLine }

export function exportBehaviour({ store }: StoreFixture): void {
  /** What the rows' own lines are, newest first. */
  const written = (rows: readonly Command[], format: ExportFormat): string => {
    const text = new Utf8Text()
    for (const row of [...rows].reverse()) ADD_LINE[format](text, row, store().salt)
    return Buffer.from(text.take()).toString()
  }
  const textOf = ({ text }: ExportChunk): string => Buffer.from(text).toString()

  it.each(['csv', 'ndjson'] as const)(
    'SEARCH-C4: a chunk of %s has the lines of its rows, whatever they hold',
    async (format) => {
      const rows = [
        aCommand(1),
        aCommand(2, { method: 'MeterValues', connectorId: 0, evseId: 1, transactionId: '=1+1', schemaErrors: 'no' }),
        aCommand(3, { direction: 'out', status: 'pending', protocol: 'ocpp2.0.1' }),
        aCommand(4, {
          status: 'error',
          error: { code: 'a', description: '"b", ü', details: { c: 1 } },
          answeredAt: NOW,
        }),
      ]
      await put(store().core, [...rows, aCommand(5, { chargePointId: 'CP2' })])
      const chunk = await store().reads.exportCommands(whole(), format)
      expect(textOf(chunk)).toBe(written(rows, format))
      expect(chunk).toEqual({ text: chunk.text, rows: 4 })
    },
  )

  it('SEARCH-C4: chunk after chunk, each below the one before, has every row once', async () => {
    const rows = Array.from({ length: 730 }, (_, n) => aCommand(n, n % 3 === 0 ? { method: 'MeterValues' } : {}))
    await put(store().core, rows)
    for (const [methods, limit] of [
      [undefined, 250],
      [undefined, 730],
      [['MeterValues'], 100],
      [['Reset'], 10],
    ] as const) {
      const filter = methods ? { methods } : {}
      const chunks: ExportChunk[] = []
      let belowId: number | undefined
      do {
        const query = { ...whole(), filter, limit, ...(belowId !== undefined && { belowId }) }
        const chunk: ExportChunk = await store().reads.exportCommands(query, 'csv')
        chunks.push(chunk)
        belowId = chunk.lastId
      } while (belowId !== undefined)
      const expected = rows.filter(({ method }) => methods?.includes(method as never) ?? true)
      expect(chunks.map(textOf).join('')).toBe(written(expected, 'csv'))
      expect(chunks.reduce((sum, chunk) => sum + chunk.rows, 0)).toBe(expected.length)
      expect(Math.max(...chunks.map((chunk) => chunk.rows))).toBeLessThanOrEqual(limit)
    }
  })

  it('SEARCH-C5: a chunk of large rows ends early, so that memory does not depend on what charge points send', async () => {
    const request = JSON.stringify({ data: 'x'.repeat(100_000) })
    const rows = Array.from({ length: 300 }, (_, n) => aCommand(n, { request }))
    await put(store().core, rows)
    const chunk = await store().reads.exportCommands({ ...whole(), limit: 1000 }, 'csv')
    expect(chunk.rows).toBeLessThan(200)
    expect(chunk.lastId).toBe(rows[300 - chunk.rows]?.id)
    expect(chunk.text.length).toBeLessThan(20_000_000)
  })

  it('the log of a charge point nobody knows is empty', async () => {
    const chunk = await store().reads.exportCommands({ ...whole(), chargePointId: 'nobody' }, 'csv')
    expect(chunk).toEqual({ text: new Uint8Array(0), rows: 0 })
  })
}

function whole(): CommandQuery {
  return { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 1000 }
}
