/** A session's course, read from the message log by the rules of its energy, so that both end at the same figure. */

import { addSamples, credibleEnergy, finalEnergy, newMeter } from '../../domain/energy/meter.ts'
import { type Reading, readSample } from '../../domain/energy/sample.ts'
import { logIdTime } from '../../domain/message-log/log-id.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Sample, Session } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
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

/** reused-number.ts: a session's messages come after the end before it, and not after its own. */
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
