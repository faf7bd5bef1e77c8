/** A session's course, read from the message log by the rules of its energy, so that both end at the same figure. */

import { addSamples, credibleEnergy, finalEnergy, newMeter } from '../../domain/energy/meter.ts'
import { type Reading, readSample } from '../../domain/energy/sample.ts'
import { logIdAt, logIdTime } from '../../domain/message-log/log-id.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Sample, Session } from '../../domain/ports/sessions.ts'
import type { LogReads, Turn } from '../../domain/ports/storage.ts'
import type { CommandQuery } from '../../domain/ports/storage-queries.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import { object } from '../../ocpp/translate/payload.ts'
import { versionOf } from '../../ocpp/versions.ts'

/** The messages that carry meter values of a transaction, in either version. */
export const METERED_METHODS = ['StartTransaction', 'MeterValues', 'StopTransaction', 'TransactionEvent'] as const

export interface CurvePoint {
  /** Milliseconds since the epoch, on the charge point's clock. */
  readonly at: number
  /** Since the session's start. */
  readonly energyMilliWh: number
  /** Absent where the charge point reported none. */
  readonly powerMilliW?: number
}

export type LoggedMessage = Pick<Command, 'id' | 'direction' | 'method' | 'protocol' | 'request'>
type Period = Pick<Session, 'startedAt' | 'stoppedAt'>

interface Register {
  readonly at: number
  readonly registerMilliWh?: number | undefined
}

interface Facts {
  start?: Register
  end?: Register
  where: Parameters<typeof readSample>[1]
  readonly samples: Map<number, Said[]>
}

/** `order`: the number of its message, from 1, where the station numbers them. */
interface Said {
  readonly sample: Sample
  readonly order?: number
}

/**
 * One point per time at which the charge point measured, oldest first. Messages may come in any order; what cannot be
 * read is left out.
 * @param session whose curve it is: where its number was used again, some of the messages are another's.
 */
export function curveOf(
  messages: readonly LoggedMessage[],
  relativeMeter = false,
  session: Period = {},
): readonly CurvePoint[] {
  const facts: Facts = { where: {}, samples: new Map() }
  const inputs = messages.flatMap((message) => inputOf(message) ?? [])
  for (const input of ofSession(inputs, session)) collect(facts, input)
  const { start, end, where } = facts
  let meter = newMeter({ ...start, relativeHint: relativeMeter })
  const points: CurvePoint[] = start ? [{ at: start.at, energyMilliWh: 0 }] : []
  for (const [at, said] of [...facts.samples].sort(([a], [b]) => a - b)) {
    // ENERGY-N6: another charge's, under the number of this one.
    if (end && at > end.at && said.every(({ order }) => order === undefined)) continue
    for (const { sample, ...order } of said) meter = addSamples(meter, [sample], { ...where, ...order }).meter
    const samples = said.map(({ sample }) => sample)
    const readings = samples.flatMap((sample) => readSample(sample, where) ?? [])
    if (readings.length === 0) continue
    const powerMilliW = powerOf(readings)
    const { energyMilliWh } = credibleEnergy(meter)
    points.push({ at, energyMilliWh, ...(powerMilliW !== undefined && { powerMilliW }) })
  }
  if (end) points.push({ at: end.at, energyMilliWh: finalEnergy(meter, end).energyMilliWh })
  return joined(points)
}

/** transactions/samples.ts: a session's messages come after the end before it, and not after its own. */
function ofSession(inputs: readonly Input[], session: Period): readonly Input[] {
  const { stoppedAt = Number.POSITIVE_INFINITY, startedAt = stoppedAt } = session
  const starts = new Set(timesOf(inputs, 'started'))
  if (starts.size < 2) return inputs
  const before = Math.max(...timesOf(inputs, 'ended').filter((at) => at < startedAt), Number.NEGATIVE_INFINITY)
  return inputs.filter(
    (input) => input.kind !== 'transactionEvent' || (input.at.occurredAt > before && input.at.occurredAt <= stoppedAt),
  )
}

function timesOf(inputs: readonly Input[], event: 'started' | 'ended'): readonly number[] {
  return inputs.flatMap((input) =>
    input.kind === 'transactionEvent' && input.event === event ? [input.at.occurredAt] : [],
  )
}

/** Two points of one time are one: the later word on energy, and the power either has. */
function joined(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const byTime = new Map<number, CurvePoint>()
  for (const point of points) byTime.set(point.at, { ...byTime.get(point.at), ...point })
  return [...byTime.values()].sort((a, b) => a.at - b.at)
}

/** What a message with meter values says; undefined for any other. */
export function inputOf({ id, direction, method, protocol, request }: LoggedMessage): Input | undefined {
  if (direction !== 'in' || !METERED_METHODS.some((metered) => metered === method)) return undefined
  const message = versionOf(protocol)?.fromChargePoint[method]
  const payload = parsedJson(request)
  if (!message || payload === undefined) return undefined
  // Nothing here compares messages, so the digest is never asked for.
  return message.input(object(payload), { receivedAt: logIdTime(id), raw: request, digest: () => '', messageId: '' })
}

function collect(facts: Facts, input: Input): void {
  switch (input.kind) {
    case 'started':
      facts.start = { at: input.at.occurredAt, registerMilliWh: input.registerMilliWh }
      facts.where = { connectorId: input.connectorId }
      return
    case 'stopped':
      facts.end = { at: input.at.occurredAt, registerMilliWh: input.registerMilliWh }
      addAll(facts, input.samples)
      return
    case 'sampled':
      addAll(facts, input.samples)
      return
    case 'transactionEvent':
      if (input.event === 'started') facts.start = { at: input.at.occurredAt }
      if (input.event === 'ended') facts.end = { at: input.at.occurredAt }
      if (input.evseId !== undefined) facts.where = { evseId: input.evseId }
      addAll(facts, input.samples, 1 + input.sequenceNumber)
      return
    default:
      return
  }
}

function addAll({ samples }: Facts, added: readonly Sample[], order?: number): void {
  for (const sample of added) {
    const { occurredAt } = sample.at
    const said = { sample, order }
    const known = samples.get(occurredAt)
    if (known) known.push(said)
    else samples.set(occurredAt, [said])
  }
}

/** The best place's total, or the sum of its phases (ENERGY-N2). */
function powerOf(readings: readonly Reading[]): number | undefined {
  const powers = readings.filter(({ quantity }) => quantity === 'power')
  if (powers.length === 0) return undefined
  const place = Math.min(...powers.map((power) => power.place))
  const phases = new Map(powers.filter((power) => power.place === place).map(({ phase, value }) => [phase, value]))
  return phases.get(0) ?? [...phases.values()].reduce((sum, value) => sum + value, 0)
}

/** At most `most` points, evenly chosen, the first and the last always among them. */
export function thinned<Point>(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points
  const step = (points.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)]).flatMap((point) => point ?? [])
}

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

const MEASURANDS = { current: 'current.import', voltage: 'voltage' } as const
const UNITS = { current: 'A', voltage: 'V' } as const
const NUMBER = /^[+-]?\d{1,9}(\.\d{1,9})?$/
const PHASE = /^(L[123]|N)(-(L[123]|N))?$/

function electricReadings(messages: readonly LoggedMessage[]): readonly ElectricReading[] {
  const samples = messages.flatMap((message) => {
    const input = inputOf(message)
    return input && 'samples' in input ? input.samples : []
  })
  return (['current', 'voltage'] as const).flatMap((kind) => {
    const own = samples.filter(({ measurand }) => measurand.toLowerCase() === MEASURANDS[kind])
    const found = own.flatMap((sample) => ({ at: sample.at.occurredAt, reading: readingOf(kind, sample) }))
    const at = Math.max(...found.flatMap((one) => (one.reading ? [one.at] : [])))
    const newest = found.flatMap(({ reading, ...one }) => (reading && one.at === at ? [reading] : []))
    const byPhase = new Map(newest.map((reading) => [reading.phase ?? '', reading]))
    return [...byPhase].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, reading]) => reading)
  })
}

function readingOf(kind: ElectricReading['kind'], sample: Sample): ElectricReading | undefined {
  const { value, phase, multiplier } = sample
  const text = value.trim()
  if (!NUMBER.test(text) || Math.abs(multiplier) > 9) return undefined
  const amount = Number((Number(text) * 10 ** multiplier).toPrecision(6))
  return { kind, value: amount, unit: UNITS[kind], ...(phase !== undefined && PHASE.test(phase) && { phase }) }
}
