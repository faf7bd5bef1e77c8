/**
 * Says again what the station of a trace said: transaction ids are those of now, times are shifted to now, and the
 * central system's answers are compared with those of the trace.
 */

import { isoTime } from '../../src/domain/iso-time.ts'
import type { Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { systemClock } from '../../src/server/system.ts'
import { createRandom } from '../random.ts'
import type { Assertion } from '../scenarios/engine/run.ts'
import { mismatch, shown } from '../scenarios/engine/words.ts'
import type { SimulatedClock } from '../time/simulated-time.ts'
import { createConnection } from '../wire/connection.ts'
import { AnswerError, CallRefused, type WireObserver } from '../wire/frames.ts'
import type { Trace, TraceEntry } from './trace.ts'

export interface ReplayOptions {
  readonly url: string
  readonly id: string
  readonly protocol: Protocol
  readonly password?: string
  readonly seed: number
  readonly time: SimulatedClock
  readonly called?: WireObserver['called']
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/
const CALL_TIMEOUT_MS = 30_000

/** Rejects only where the connection cannot be made. */
export async function replay(trace: Trace, options: ReplayOptions): Promise<readonly Assertion[]> {
  const random = createRandom(options.seed, options.id)
  const ids = new Map<string, string | number>()
  const shiftMs = Date.now() - (trace.entries[0]?.at ?? 0)
  const answers = new Map(
    trace.entries
      .filter(({ frame }) => frame[0] !== 2 && frame[0] !== 6)
      .map((entry) => [`${entry.direction} ${String(entry.frame[1])}`, entry]),
  )
  const commands = trace.entries.filter(({ direction, frame }) => direction === 'out' && frame[0] === 2)
  const connection = createConnection({
    ...options,
    access: () => ({ url: options.url, usesPassword: true }),
    strict: false,
    reconnect: false,
    callTimeoutMs: CALL_TIMEOUT_MS,
    clock: systemClock,
    random,
    jitter: createRandom(options.seed, `${options.id} reconnects`),
    shape: {},
    ...(options.called && { observer: { called: options.called } }),
    answer: (method) => recordedAnswer(method, commands, answers),
    opened: () => undefined,
    problem: () => undefined,
  })
  await connection.connect()
  const assertions: Assertion[] = []
  let before = trace.entries[0]?.at ?? 0
  for (const entry of trace.entries) {
    await options.time.wait(Math.max(0, entry.at - before))
    before = entry.at
    const [type] = entry.frame
    if (entry.direction !== 'in' || (type !== 2 && type !== 6)) continue
    const method = String(entry.frame[2])
    const request = renewed(entry.frame[3], { ids, shiftMs, newId: random.uuid, protocol: options.protocol }) as Payload
    if (type === 6) {
      connection.tell({ method, request })
      continue
    }
    const expected = answers.get(`out ${String(entry.frame[1])}`)
    const actual = await answerTo(() => connection.call({ method, request }))
    learnId(entry, expected, actual, ids)
    const name = `line ${entry.line}: ${method}`
    const fault = expected === undefined ? undefined : difference(expected, actual)
    assertions.push(fault === undefined ? { name, ok: true } : { name, ok: false, detail: fault })
    if (actual.lost) break
  }
  await connection.close()
  return assertions
}

interface Answer {
  readonly payload?: Payload
  readonly error?: string
  readonly lost?: true
}

async function answerTo(call: () => Promise<Payload>): Promise<Answer> {
  try {
    return { payload: await call() }
  } catch (error) {
    if (error instanceof CallRefused) return { error: error.code }
    return { error: error instanceof Error ? error.message : String(error), lost: true }
  }
}

function recordedAnswer(method: string, commands: TraceEntry[], answers: ReadonlyMap<string, TraceEntry>): Payload {
  const at = commands.findIndex(({ frame }) => frame[2] === method)
  const [command] = at < 0 ? [] : commands.splice(at, 1)
  const answer = command && answers.get(`in ${String(command.frame[1])}`)
  if (answer?.frame[0] === 3) return (answer.frame[2] ?? {}) as Payload
  throw new AnswerError('NotSupported', `the trace has no answer to ${method}`)
}

interface Renewal {
  readonly ids: Map<string, string | number>
  readonly shiftMs: number
  readonly newId: () => string
  readonly protocol: Protocol
}

/** In 2.0.1 the station names its transactions, in 1.6 the central system does (`learnId`). */
function renewed(value: unknown, renewal: Renewal, member = ''): unknown {
  if (member === 'transactionId' && (typeof value === 'string' || typeof value === 'number')) {
    const known = renewal.ids.get(String(value))
    if (known !== undefined || renewal.protocol === 'ocpp1.6') return known ?? value
    const made = renewal.newId()
    renewal.ids.set(String(value), made)
    return made
  }
  if (typeof value === 'string' && RFC_3339.test(value)) {
    const time = Date.parse(value)
    return Number.isNaN(time) ? value : isoTime(time + renewal.shiftMs)
  }
  if (Array.isArray(value)) return value.map((entry) => renewed(entry, renewal))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, renewed(entry, renewal, name)]))
}

function learnId(
  { frame }: TraceEntry,
  expected: TraceEntry | undefined,
  { payload }: Answer,
  ids: Map<string, string | number>,
): void {
  if (frame[2] !== 'StartTransaction' || expected?.frame[0] !== 3) return
  const before = (expected.frame[2] as Payload | undefined)?.transactionId
  const now = payload?.transactionId
  if (before !== undefined && (typeof now === 'number' || typeof now === 'string')) ids.set(String(before), now)
}

function difference({ frame }: TraceEntry, actual: Answer): string | undefined {
  if (frame[0] === 4) {
    return actual.error === frame[2]
      ? undefined
      : `was answered ${shown(actual.payload ?? actual.error)}, in the trace ${shown(frame[2])}`
  }
  if (!actual.payload) return `was answered ${shown(actual.error)}, in the trace ${shown(frame[2])}`
  const [now, then] = [comparable(actual.payload), comparable(frame[2])]
  return mismatch(then, now, 'the answer') ?? mismatch(now, then, 'the answer of the trace')
}

/** Without what is different each time: times and transaction ids. */
function comparable(value: unknown, member = ''): unknown {
  if (member === 'transactionId') return '<id>'
  if (typeof value === 'string' && RFC_3339.test(value)) return '<time>'
  if (Array.isArray(value)) return value.map((entry) => comparable(entry))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, comparable(entry, name)]))
}
