/** The filters of the list of sessions, named as in the API (CONSOLE-C6), and its CSV columns (CONSOLE-C7). */

import { readLabel } from '../../application/charge-points/register.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { SessionFilter } from '../../domain/ports/storage-queries.ts'
import { sessionPages } from '../../domain/selector.ts'
import { detailsOf, type SessionDetails } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { SESSION_STATES } from '../../domain/states.ts'
import { type Period, periodOf } from '../../domain/time-zone.ts'
import type { CsvColumns } from '../csv-file.ts'
import {
  type Asking,
  choice,
  kept,
  labelsOf,
  pageSize,
  parsed,
  type Requested,
  repeated,
  text,
  time,
} from '../kit/filters.ts'
import { wordsIn } from '../kit/parts.tsx'

/** Stretches of the calendar, in place of the two times of the start. */
export const PERIODS = ['today', 'yesterday', 'month', 'last-month'] as const

const label = labelsOf('sessions')

export const SESSION_FILTERS = {
  evseControllerId: text(label('chargePoint'), { formerly: 'chargePoint' }),
  label: repeated(parsed(label('label'), readLabel)),
  state: choice(label('state'), ['running', ...SESSION_STATES], (frame) => {
    const { running, sessionStates } = wordsIn('sessions', frame)
    return { running, ...sessionStates }
  }),
  idToken: text(label('card')),
  externalReference: text(label('reference')),
  startedFrom: time(label('startedFrom')),
  startedTo: time(label('startedTo'), { after: 'startedFrom' }),
  /** Of the creation, in links of earlier versions. */
  from: time(label('createdFrom'), { linked: true }),
  to: time(label('createdTo'), { linked: true, after: 'from' }),
  period: kept(PERIODS),
  size: pageSize,
}

export function sessionFilter(
  requested: Requested<typeof SESSION_FILTERS>,
  accountId: string,
  asking: Asking,
): SessionFilter {
  const { evseControllerId, state, idToken, externalReference, from, to, startedFrom, startedTo, period } = requested
  const started = period && calendarPeriod(period, asking)
  return {
    accountId,
    idToken,
    externalReference,
    from,
    to,
    ...(evseControllerId !== undefined && { chargePointIds: [evseControllerId] }),
    ...(state === 'running' ? { running: true as const } : { state }),
    ...(started ? { startedFrom: started.from, startedTo: started.below } : { startedFrom, startedTo }),
  }
}

/** In the zone of the reader. */
function calendarPeriod(name: (typeof PERIODS)[number], { timeZone, now }: Asking): Period {
  const per = name === 'today' || name === 'yesterday' ? 'day' : 'month'
  const current = periodOf(per, now, timeZone)
  return name === 'today' || name === 'month' ? current : periodOf(per, current.from - 1, timeZone)
}

interface SessionRow {
  readonly session: Session
  readonly details: SessionDetails | undefined
}

export const SESSION_COLUMNS: CsvColumns<SessionRow> = {
  id: ({ session }) => session.id,
  createdAt: ({ details }) => details?.createdAt,
  evseControllerId: ({ session }) => session.chargePointId,
  evseId: ({ session }) => session.evseId,
  connectorId: ({ session }) => session.connectorId,
  state: ({ session }) => session.state,
  endReason: ({ session }) => session.endReason,
  idToken: ({ session }) => session.idToken,
  externalReference: ({ session }) => session.externalReference,
  transactionId: ({ session }) => session.transactionId,
  startedAt: ({ session }) => representSession(session).startedAt,
  stoppedAt: ({ session }) => representSession(session).stoppedAt,
  durationSeconds: ({ details }) => details?.durationSeconds,
  energyKwh: ({ session }) => representSession(session).energyKwh,
  cost: ({ session }) => representSession(session).cost,
  currency: ({ session }) => representSession(session).currency,
  settlementCount: ({ session }) => session.settlementCount,
  meterStartWh: ({ details }) => details?.meterStartWh,
  meterStopWh: ({ details }) => details?.meterStopWh,
  stateOfCharge: ({ details }) => details?.stateOfCharge,
  stopReason: ({ details }) => details?.stopReason,
}

export async function* sessionRows(
  reads: Pick<Reads, 'listSessions' | 'findTransactionsOf'>,
  filter: SessionFilter,
  now: number,
): AsyncGenerator<readonly SessionRow[], void, undefined> {
  for await (const sessions of sessionPages(reads, { ...filter, byStart: true })) {
    const keys = sessions.map(({ id, chargePointId, transactionId }) => ({ id, chargePointId, transactionId }))
    const details = detailsOf(sessions, await reads.findTransactionsOf(keys), now)
    yield sessions.map((session) => ({ session, details: details.get(session.id) }))
  }
}
