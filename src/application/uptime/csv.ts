/** Every row of uptime as CSV (UPTIME-U6). */
import { csvField } from '../../domain/message-log/csv.ts'
import type { UptimeList, UptimeRow } from './rows.ts'

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
