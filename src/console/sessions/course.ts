/** The course of a session for its page: read from the log when a message came, and remembered while none does. */
import type { CommandQuery } from '../../domain/ports/storage-queries.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { LogReads, Turn } from '../../domain/ports/storage.ts'
import { type CurvePoint, curveOf, METERED_METHODS } from './curve.ts'
import { type ElectricReading, electricReadings } from './electric.ts'

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

type CourseOf = (session: Session, now: number, relativeMeter: boolean) => Promise<Course>

/** A page that is left open asks every few seconds: thousands of messages are not parsed again for it. */
export function createCourses({
  searchLog,
}: {
  readonly searchLog: (turn: Turn) => Pick<LogReads, 'searchCommands'>
}): CourseOf {
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
    kept.delete(id)
    kept.set(id, { mark, course })
    for (const oldest of kept.keys()) {
      if (kept.size <= COURSES_KEPT) break
      kept.delete(oldest)
    }
    return course
  }
}

function windowOf(
  { chargePointId, state, createdAt, lastEventAt }: Session,
  transactionId: string,
  now: number,
): Omit<CommandQuery, 'limit'> {
  const over = state === 'completed' || state === 'failed'
  return {
    chargePointId,
    fromId: logIdAt(createdAt - MARGIN_MS),
    toId: logIdAt((over ? (lastEventAt ?? now) : now) + MARGIN_MS),
    filter: { methods: METERED_METHODS, transactionId: [{ op: 'in', values: [transactionId] }] },
  }
}
