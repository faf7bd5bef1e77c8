/** What the form above the sessions asks for: the filters of the API, by its names (CONSOLE-C6). */

import { type Label, readLabel } from '../../application/charge-points/labels.ts'
import { SESSION_STATES } from '../../domain/events/session-events.ts'
import type { Fault, Parsed } from '../../domain/message-log/fault.ts'
import { readBounds } from '../../domain/message-log/search-window.ts'
import type { SessionState } from '../../domain/ports/sessions.ts'
import type { SessionFilter } from '../../domain/ports/storage.ts'
import { type Period, periodOf } from '../../domain/time-zone.ts'
import { EVER, inUtc, inZone } from '../local-time.ts'

/** As the form sends it: an empty field is one that was left out. */
export interface AskedSessions {
  readonly evseControllerId?: string
  /** `key:value` of the charge point; all of them hold. */
  readonly label?: readonly string[]
  /** One of the states, or `running`: whatever is not over. */
  readonly state?: string
  readonly idToken?: string
  readonly externalReference?: string
  /** UTC, as `<input type=datetime-local>` writes it, or with `Z`. */
  readonly from?: string
  readonly to?: string
  /** Of the start of the charge, in the zone of whoever looks unless they name one. */
  readonly startedFrom?: string
  readonly startedTo?: string
  /** In their place: a stretch of that zone's calendar. */
  readonly period?: string
}

export const PERIODS = ['today', 'yesterday', 'month', 'last-month'] as const

/** Who asks, and when. */
export interface Asking {
  readonly accountId: string
  readonly timeZone: string
  readonly now: number
}

const FIELDS = [
  ...['evseControllerId', 'state', 'idToken', 'externalReference'],
  ...['from', 'to', 'startedFrom', 'startedTo', 'period'],
] as const
const LONGEST = 255

export function askedSessions(query: URLSearchParams): AskedSessions {
  // How links of earlier versions named it.
  const evseControllerId = query.get('evseControllerId') ?? query.get('chargePoint') ?? ''
  const given = (name: string): string => (name === 'evseControllerId' ? evseControllerId : (query.get(name) ?? ''))
  const filled = FIELDS.map((name) => [name, given(name).trim()] as const)
  const label = query
    .getAll('label')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  return { ...Object.fromEntries(filled.filter(([, value]) => value !== '')), ...(label.length > 0 && { label }) }
}

/** `labels` are those of the charge point. */
interface SessionsWanted {
  readonly filter: SessionFilter
  readonly labels?: readonly Label[]
}

export function readSessionQuery(asked: AskedSessions, { accountId, timeZone, now }: Asking): Parsed<SessionsWanted> {
  const { evseControllerId, label, state, idToken, externalReference, from, to } = asked
  const faults: Fault[] = []
  for (const name of ['evseControllerId', 'idToken', 'externalReference'] as const) {
    if ((asked[name] ?? '').length > LONGEST) {
      faults.push({ pointer: `?${name}`, code: 'out_of_range', message: `must have at most ${LONGEST} characters` })
    }
  }
  if (state !== undefined && state !== 'running' && !isState(state)) {
    const message = `must be running or one of ${SESSION_STATES.join(', ')}`
    faults.push({ pointer: '?state', code: 'invalid_value', message })
  }
  const labels = label?.flatMap((text) => {
    const read = readLabel(text)
    return read ? [read] : []
  })
  if (labels && label && labels.length < label.length) {
    faults.push({ pointer: '?label', code: 'invalid_value', message: 'must be key:value, such as site:North' })
  }
  const bounds = readBounds(from === undefined ? EVER : inUtc(from), to === undefined ? undefined : inUtc(to))
  if (!bounds.ok) faults.push(...bounds.faults)
  const started = startsOf(asked, timeZone, now)
  if (!started.ok) faults.push(...started.faults)
  if (faults.length > 0 || !bounds.ok || !started.ok) return { ok: false, faults }
  const { fromMs, toMs } = bounds.value
  return {
    ok: true,
    value: {
      filter: {
        accountId,
        ...(evseControllerId !== undefined && { chargePointIds: [evseControllerId] }),
        ...(state === 'running' ? { running: true } : isState(state) && { state }),
        ...(idToken !== undefined && { idToken }),
        ...(externalReference !== undefined && { externalReference }),
        ...(from !== undefined && { from: fromMs }),
        ...(toMs !== undefined && { to: toMs }),
        ...started.value,
      },
      ...(labels && { labels }),
    },
  }
}

type Starts = Pick<SessionFilter, 'startedFrom' | 'startedTo'>

function startsOf({ startedFrom, startedTo, period }: AskedSessions, timeZone: string, now: number): Parsed<Starts> {
  if (period !== undefined) {
    const found = calendarPeriod(period, timeZone, now)
    const message = `must be one of ${PERIODS.join(', ')}`
    if (!found) return { ok: false, faults: [{ pointer: '?period', code: 'invalid_value', message }] }
    return { ok: true, value: { startedFrom: found.from, startedTo: found.below } }
  }
  const [from, to] = [startedFrom, startedTo].map((text) => (text === undefined ? undefined : inZone(text, timeZone)))
  const bounds = readBounds(from ?? EVER, to)
  if (!bounds.ok) {
    const named = (pointer: string): string => (pointer.endsWith('to') ? '?startedTo' : '?startedFrom')
    return { ok: false, faults: bounds.faults.map((fault) => ({ ...fault, pointer: named(fault.pointer) })) }
  }
  const { fromMs, toMs } = bounds.value
  return { ok: true, value: { ...(from && { startedFrom: fromMs }), ...(toMs !== undefined && { startedTo: toMs }) } }
}

function calendarPeriod(name: string, timeZone: string, now: number): Period | undefined {
  if (name === 'today') return periodOf('day', now, timeZone)
  if (name === 'yesterday') return periodOf('day', periodOf('day', now, timeZone).from - 1, timeZone)
  if (name === 'month') return periodOf('month', now, timeZone)
  return name === 'last-month' ? periodOf('month', periodOf('month', now, timeZone).from - 1, timeZone) : undefined
}

function isState(text: string | undefined): text is SessionState {
  return SESSION_STATES.some((state) => state === text)
}
