import { z } from '@hono/zod-openapi'
import { csvField } from '../../domain/message-log/csv.ts'
import { listOf, pageParameters, queryInstant } from '../schemas/common.ts'
import { UPTIME_GROUPS, type UptimeList, type UptimeRow } from './rows.ts'

const seconds = (description: string) => z.number().min(0).openapi({ description })

const UptimeRowSchema = z
  .strictObject({
    evseControllerId: z.string().optional(),
    evseId: z.int().optional(),
    connectorId: z.int().optional(),
    site: z.string().optional().openapi({ description: 'The label; absent in the row of those that have none.' }),
    month: z.string().optional().openapi({ example: '2026-11', description: 'By the clocks of the account.' }),
    uptime: z.number().min(0).max(1).optional().openapi({
      description: 'Share of the known time that was no outage; planned downtime is none. Absent: nothing is known.',
    }),
    downtimeSeconds: seconds('Without a connection, Faulted, or Unavailable without an order; of all connectors.'),
    plannedSeconds: seconds('Ordered unavailable.'),
    unknownSeconds: seconds('Before the first connection.'),
    visits: z.int(),
    failedVisits: z.int().openapi({
      description: 'Remote starts that the charge point refused, and charges that it ended without energy.',
    }),
  })
  .openapi('Uptime')

export const UptimeListSchema = listOf('UptimeList', UptimeRowSchema)

export const uptimeQuery = z.strictObject({
  from: queryInstant('Inclusive start of the window.'),
  to: queryInstant('Exclusive end of the window; now unless given, and never later.').optional(),
  group: z.enum(UPTIME_GROUPS).optional().openapi({ description: 'What a row is of; evseController unless given.' }),
  format: z.enum(['csv']).optional().openapi({ description: '`csv`: every row as CSV, as with `Accept: text/csv`.' }),
  ...pageParameters,
})

/** Every row of uptime as CSV (UPTIME-U6). */
const COLUMNS = [
  'evseControllerId',
  'evseId',
  'connectorId',
  'site',
  'month',
  'uptime',
  'downtimeSeconds',
  'plannedSeconds',
  'unknownSeconds',
  'visits',
  'failedVisits',
] as const satisfies readonly (keyof UptimeRow)[]

export async function* uptimeCsv(list: UptimeList): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`${COLUMNS.join(',')}\r\n`)
  for await (const rows of list.rows(undefined)) {
    const lines = rows.map(({ row }) => `${COLUMNS.map((name) => csvField(row[name])).join(',')}\r\n`)
    yield Buffer.from(lines.join(''))
  }
}
