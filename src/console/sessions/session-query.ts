/** What narrows the sessions: the filters of the API, by its names (CONSOLE-C6). */
import type { SessionFilter } from '../../domain/ports/storage-queries.ts'
import { readLabel } from '../../application/charge-points/labels.ts'
import { SESSION_STATES } from '../../domain/events/session-events.ts'
import { type Period, periodOf } from '../../domain/time-zone.ts'
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
import { sessionTexts } from '../kit/texts.ts'

/** Stretches of the calendar, in place of the two times of the start. */
export const PERIODS = ['today', 'yesterday', 'month', 'last-month'] as const

const label = labelsOf(sessionTexts)

export const SESSION_FILTERS = {
  evseControllerId: text(label('chargePoint'), { formerly: 'chargePoint' }),
  label: repeated(parsed(label('label'), readLabel)),
  state: choice(label('state'), ['running', ...SESSION_STATES], (frame) => {
    const { running, sessionStates } = sessionTexts(frame)
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

/** By the clocks of whoever looks. */
function calendarPeriod(name: (typeof PERIODS)[number], { timeZone, now }: Asking): Period {
  const per = name === 'today' || name === 'yesterday' ? 'day' : 'month'
  const current = periodOf(per, now, timeZone)
  return name === 'today' || name === 'month' ? current : periodOf(per, current.from - 1, timeZone)
}
