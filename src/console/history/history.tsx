import type { FC } from 'hono/jsx'
import { logIdAt, logIdTime } from '../../domain/message-log/log-id.ts'
import type { Bounds, Window } from '../../domain/message-log/search.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { protocolName } from '../../ocpp/versions.ts'
import type { Frame } from '../../web/entries.tsx'
import { Instant, shownTime } from '../../web/times.tsx'
import { Chip, wordsIn } from '../kit/parts.tsx'
import { statusWord } from '../station-state/station-state.tsx'

const BAD = new Set(['refused', 'security'])

export const Lately: FC<{ frame: Frame; entries: readonly HistoryEntry[] }> = ({ frame, entries }) => {
  const words = wordsIn('history', frame)
  return (
    <section class="card">
      <h2>{words.lately}</h2>
      {entries.length === 0 && <p class="soft">{words.nothing}</p>}
      {entries.length > 0 && (
        <ul class="rows">
          {entries.map((entry) => (
            <li>
              <Happened frame={frame} entry={entry} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

export const Happened: FC<{ frame: Frame; entry: HistoryEntry }> = ({ frame, entry }) => {
  const words = wordsIn('history', frame)
  const { id, kind, count, lastAt } = entry
  return (
    <>
      <span class="time">
        <Instant frame={frame} at={logIdTime(id)} />
      </span>{' '}
      <Chip
        tone={kind === 'connected' ? 'good' : BAD.has(kind) ? 'bad' : ''}
        text={wordsIn('timeline', frame).kinds[kind]}
      />{' '}
      <bdi>{saidOf(entry, frame)}</bdi>{' '}
      {count > 1 && (
        <span class="soft">
          {words.times(count)}
          {lastAt !== undefined && `, ${words.until} ${shownTime(frame, lastAt)}`}
        </span>
      )}
    </>
  )
}

export function saidOf({ details }: Pick<HistoryEntry, 'details'>, frame: Frame): string {
  const words = wordsIn('history', frame)
  const { evseId, connectorId, previousStatus, status, errorCode, protocol, code, reason, detail, ...others } = details
  const { registrationStatus, ...more } = others
  const outlet = [evseId, connectorId].filter((part) => part !== undefined).join('/')
  const parts = [
    outlet === '' ? undefined : outlet === '0' ? words.wholeStation : `${words.connector} ${outlet}`,
    [previousStatus, status]
      .filter((one) => one !== undefined)
      .map((one) => statusWord(frame, String(one)))
      .join(' → '),
    errorCode === 'NoError' ? undefined : errorCode,
    typeof protocol === 'string' ? protocolName(protocol) : protocol,
    code === undefined ? undefined : words.closed(String(code)),
    typeof reason === 'string' ? (words.reasons[reason] ?? reason) : reason,
    ...Object.values(more),
    registrationStatus === undefined ? undefined : statusWord(frame, String(registrationStatus)),
    detail,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}

type Lists = Pick<Reads, 'listRecords'>

export type HistoryEntry = Awaited<ReturnType<typeof readHistory>>[number]

const LATELY = 12
const BETWEEN = 200
/** A message tells the others itself. */
const BETWEEN_MESSAGES = new Set(['connected', 'disconnected', 'refused'])

function readHistory(
  reads: Lists,
  chargePointId: string,
  id: { readonly from: number; readonly below?: number | undefined },
  limit: number,
) {
  return reads.listRecords('connection_history', { where: { chargePointId, id }, newestFirst: true, limit })
}

/** CONSOLE-A15: the newest of all kinds. */
export function latelyAt(reads: Lists, chargePointId: string): Promise<readonly HistoryEntry[]> {
  return readHistory(reads, chargePointId, { from: 0 }, LATELY)
}

/** More connections in a day come and go too fast to be drawn. */
const MAX_RECENT_ROWS = 500

/** The newest since then, the oldest of them first. */
export async function historySince(
  reads: Lists,
  chargePointId: string,
  since: number,
): Promise<readonly HistoryEntry[]> {
  return (await readHistory(reads, chargePointId, { from: logIdAt(since) }, MAX_RECENT_ROWS)).toReversed()
}

/** CONSOLE-A16: events among messages. @param page from below the last message of the page before to its last one */
export async function betweenMessages(
  reads: Lists,
  chargePointId: string,
  {
    window,
    bounds,
    ...page
  }: {
    readonly window: Window
    readonly bounds: Bounds
    readonly belowId: number | undefined
    readonly lastId: number | undefined
  },
): Promise<readonly HistoryEntry[]> {
  const below = page.belowId ?? (bounds.toMs === undefined ? undefined : logIdAt(bounds.toMs))
  const id = { from: page.lastId ?? window.fromId, below }
  const found = await readHistory(reads, chargePointId, id, BETWEEN)
  return found.filter(({ kind }) => BETWEEN_MESSAGES.has(kind))
}

interface RefusedStation {
  readonly station: string
  readonly reason: string
  readonly detail: string
  readonly count: number
  readonly lastAt: number
  readonly isRegistered: boolean
}

export interface Refusals {
  readonly stations: readonly RefusedStation[]
  readonly hasMore: boolean
}

const DAY_MS = 86_400_000
const REFUSALS_READ = 500
const STATIONS_SHOWN = 10

function refusedLately(reads: Lists, accountId: string, now: number) {
  return reads.listRecords('refused_connections', {
    where: { accountId, id: { from: logIdAt(now - DAY_MS) } },
    newestFirst: true,
    limit: REFUSALS_READ,
  })
}

/** CONSOLE-J2: who called itself so, in any case of letters, and was refused. */
export async function refusedAs(
  reads: Lists,
  accountId: string,
  now: number,
  requested: string,
): Promise<readonly string[]> {
  const asked = requested.toLowerCase()
  const found = await refusedLately(reads, accountId, now)
  return [...new Set(found.map(({ station }) => station).filter((station) => station.toLowerCase() === asked))]
}

/** CONSOLE-A17: of the last day, one for each station and reason, the newest first. */
export async function refusalsOf(
  reads: Lists & Pick<Reads, 'findChargePoint'>,
  accountId: string,
  now: number,
): Promise<Refusals> {
  const found = await refusedLately(reads, accountId, now)
  const grouped = new Map<string, Omit<RefusedStation, 'isRegistered'>>()
  for (const { station, reason, detail, count, at, lastAt = at } of found) {
    const name = JSON.stringify([station, reason])
    const known = grouped.get(name)
    if (known) grouped.set(name, { ...known, count: known.count + count, lastAt: Math.max(known.lastAt, lastAt) })
    else grouped.set(name, { station, reason, detail, count, lastAt })
  }
  const newest = [...grouped.values()].sort((one, other) => other.lastAt - one.lastAt).slice(0, STATIONS_SHOWN)
  const stations = await Promise.all(
    newest.map(async (refused) => {
      const registered = await reads.findChargePoint(refused.station)
      return { ...refused, isRegistered: registered?.accountId === accountId }
    }),
  )
  return { stations, hasMore: grouped.size > stations.length || found.length === REFUSALS_READ }
}
