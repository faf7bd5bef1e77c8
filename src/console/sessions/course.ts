/** The course of a session for its page: read from the log when a message came, and remembered while none does. */

import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { Sample, Session } from '../../domain/ports/sessions.ts'
import type { LogReads, Turn } from '../../domain/ports/storage.ts'
import type { CommandQuery } from '../../domain/ports/storage-queries.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import { type CurvePoint, curveOf, inputOf, type LoggedMessage, METERED_METHODS } from './curve.ts'

/** Eleven hours of a sample every ten seconds. */
const MESSAGES_READ = 4000
/** The first message may be logged a moment before its session, the last one after its last event. */
const MARGIN_MS = 600_000
/** Sessions that are looked at; a long course takes half a megabyte. */
const COURSES_KEPT = 16

export interface Course {
  /** Oldest first. */
  readonly points: readonly CurvePoint[]
  readonly electric?: readonly ElectricReading[]
  /** Older messages than these were not read. */
  readonly cutAt?: number
}

/** A page that is left open asks every few seconds: thousands of messages are not parsed again for it. */
export function createCourses({
  searchLog,
}: {
  readonly searchLog: (turn: Turn) => Pick<LogReads, 'searchCommands'>
}): (session: Session, now: number, relativeMeter: boolean) => Promise<Course> {
  const kept = new Map<string, { readonly mark: string; readonly course: Course }>()
  return async (session, now, relativeMeter) => {
    const { id, transactionId } = session
    if (transactionId === undefined) return { points: [] }
    const log = searchLog({ accountId: session.accountId, lane: 'page' })
    const read = (limit: number) => log.searchCommands({ ...windowOf(session, transactionId, now), limit })
    const [newest] = await read(1)
    const mark = [newest?.id, transactionId, relativeMeter, session.startedAt, session.stoppedAt].join(' ')
    const known = kept.get(id)
    if (known?.mark === mark) return known.course
    const messages = await read(MESSAGES_READ)
    const points = curveOf(messages, relativeMeter, session)
    const electric = electricReadings(messages)
    const course = {
      points,
      ...(electric.length > 0 && { electric }),
      ...(messages.length === MESSAGES_READ && { cutAt: MESSAGES_READ }),
    }
    keepNewest(kept, id, { mark, course }, COURSES_KEPT)
    return course
  }
}

function windowOf(
  { chargePointId, state, createdAt, lastEventAt }: Session,
  transactionId: string,
  now: number,
): Omit<CommandQuery, 'limit'> {
  return {
    chargePointId,
    fromId: logIdAt(createdAt - MARGIN_MS),
    toId: logIdAt((isTerminal(state) ? (lastEventAt ?? now) : now) + MARGIN_MS),
    filter: { methods: METERED_METHODS, transactionId: [{ op: 'in', values: [transactionId] }] },
  }
}

/** Current and voltage as the station last sampled them, read out of the same messages as the course (CONSOLE-C8). */
export interface ElectricReading {
  readonly kind: 'current' | 'voltage'
  /** Absent: of all phases together, or the station names none. */
  readonly phase?: string
  readonly value: number
  readonly unit: string
}

const KINDS: Readonly<Record<string, ElectricReading['kind']>> = { 'current.import': 'current', voltage: 'voltage' }
const UNITS = { current: 'A', voltage: 'V' } as const
const NUMBER = /^[+-]?\d{1,9}(\.\d{1,9})?$/
const PHASE = /^(L[123]|N)(-(L[123]|N))?$/

function electricReadings(messages: readonly LoggedMessage[]): readonly ElectricReading[] {
  const newest = new Map<ElectricReading['kind'], { at: number; readings: Map<string, ElectricReading> }>()
  for (const { sample, reading } of messages.flatMap(readingsOf)) {
    const at = sample.at.occurredAt
    const known = newest.get(reading.kind)
    if (known && at < known.at) continue
    const readings = known?.at === at ? known.readings : new Map<string, ElectricReading>()
    newest.set(reading.kind, { at, readings: readings.set(reading.phase ?? '', reading) })
  }
  return (['current', 'voltage'] as const).flatMap((kind) => {
    const readings = [...(newest.get(kind)?.readings.values() ?? [])]
    return readings.sort((a, b) => ((a.phase ?? '') < (b.phase ?? '') ? -1 : 1))
  })
}

function readingsOf(message: LoggedMessage): readonly { sample: Sample; reading: ElectricReading }[] {
  const input = inputOf(message)
  if (!input || !('samples' in input)) return []
  return input.samples.flatMap((sample) => {
    const reading = readingOf(sample)
    return reading ? [{ sample, reading }] : []
  })
}

function readingOf({ measurand, value, phase, multiplier }: Sample): ElectricReading | undefined {
  const kind = Object.hasOwn(KINDS, measurand.toLowerCase()) ? KINDS[measurand.toLowerCase()] : undefined
  const text = value.trim()
  if (!kind || !NUMBER.test(text) || Math.abs(multiplier) > 9) return undefined
  const amount = Number((Number(text) * 10 ** multiplier).toPrecision(6))
  const named = phase !== undefined && PHASE.test(phase)
  return { kind, value: amount, unit: UNITS[kind], ...(named && { phase }) }
}
