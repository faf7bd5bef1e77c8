/** The course of a limit group, minute by minute, also as a file (GROUP-H1). */

import { isoTime } from '../../domain/iso-time.ts'
import { MINUTE_MS } from '../../domain/limit-groups/group.ts'
import type { LimitGroup, LimitMinute } from '../../domain/limit-groups/records.ts'
import { csvField } from '../../domain/message-log/csv.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { FullestQuery } from '../../domain/ports/storage-queries.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { refuse } from '../../domain/refuse.ts'

export const MAX_DAYS = 31
const DAY_MS = 86_400_000

export async function historyOf(
  { reads, now }: { readonly reads: Pick<Reads, 'listRecords'>; readonly now: () => number },
  { accountId, name }: Pick<LimitGroup, 'accountId' | 'name'>,
  from: number = now() - DAY_MS,
  to: number = now(),
): Promise<readonly LimitMinute[] | Refusal> {
  if (to - from > MAX_DAYS * DAY_MS) {
    return refuse(422, 'window_too_long', `The history is read by at most ${MAX_DAYS} days at once: ask in parts.`)
  }
  return allRecords(reads, 'limit_minutes', { accountId, name, at: { from, below: to } })
}

export interface ThinnedHistory {
  readonly minutes: readonly LimitMinute[]
  readonly below: ReadonlyMap<string, readonly LimitMinute[]>
}

/** What a picture can show of it: what stands in a step was drawn at one moment. */
export async function thinnedHistory(
  reads: Pick<Reads, 'listRecords' | 'listFullestMinutes'>,
  query: FullestQuery,
  namesBelow: readonly string[],
): Promise<ThinnedHistory> {
  const { accountId, name } = query
  const fullest = await reads.listFullestMinutes(query)
  const rowsOf = (of: string, times: readonly number[]) =>
    reads.listRecords('limit_minutes', { where: { accountId, name: of, at: { in: times } }, limit: times.length })
  // An order from outside has a row within the minute of its group alone.
  const times = [...new Set([...fullest, ...fullest.map(minuteOf)])]
  const below = await Promise.all(namesBelow.map(async (one) => [one, await rowsOf(one, times)] as const))
  return { minutes: await rowsOf(name, fullest), below: new Map(below) }
}

export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS
}

const COLUMNS = ['limit', 'allowed', 'draw', 'load'] as const

export function historyCsv(rows: readonly LimitMinute[]): string {
  const phases = [0, 1, 2]
  const head = ['at', ...COLUMNS.flatMap((column) => phases.map((phase) => `${column}AmpsL${phase + 1}`))]
  const lines = rows.map(({ at, limitAmps, allowedAmps, drawAmps, loadAmps = [], external }) => {
    const amps = [limitAmps, allowedAmps, drawAmps, loadAmps].flatMap((one) => phases.map((phase) => one[phase] ?? ''))
    const ordered = external
      ? [external.source, external.amps, external.state, isoTime(external.until)]
      : ['', '', '', '']
    return [isoTime(at), ...amps, ...ordered].map(csvField).join(',')
  })
  return `${[...head, 'externalSource', 'externalAmps', 'externalState', 'externalUntil'].join(',')}\r\n${lines.map((line) => `${line}\r\n`).join('')}`
}
