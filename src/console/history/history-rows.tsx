import type { FC } from 'hono/jsx'
import { logIdTime } from '../../domain/message-log/log-id.ts'
import { protocolName } from '../../ocpp/protocols.ts'
import type { Frame } from '../../web/layout.tsx'
import { Instant, shownTime } from '../../web/times.tsx'
import { Chip } from '../kit/columns.tsx'
import { historyTexts, timelineTexts } from '../kit/texts.ts'
import { statusWord } from '../station-state/state-chip.tsx'
import type { HistoryEntry } from './history.ts'

const BAD = new Set(['refused', 'security'])

export const Lately: FC<{ frame: Frame; entries: readonly HistoryEntry[] }> = ({ frame, entries }) => {
  const words = historyTexts(frame)
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
  const words = historyTexts(frame)
  const { id, kind, count, lastAt } = entry
  return (
    <>
      <span class="time">
        <Instant frame={frame} at={logIdTime(id)} />
      </span>{' '}
      <Chip tone={kind === 'connected' ? 'good' : BAD.has(kind) ? 'bad' : ''} text={timelineTexts(frame).kinds[kind]} />{' '}
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
  const words = historyTexts(frame)
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
