import { systemClock } from '../../src/server/system.ts'
import { createFigures, type Figures } from '../fleet/figures.ts'
import { startDelayMs } from '../fleet/ids.ts'
import { createLosses, runLoad } from '../fleet/load.ts'
import { ChargePoint } from '../library/charge-point.ts'
import type { Version } from '../quirks/quirk.ts'
import type { Scenario } from '../scenarios/engine/parse.ts'
import { type Assertion, runScenario } from '../scenarios/engine/run.ts'
import { CardRefused, chargeOnce, pause, register } from '../stories/charge.ts'
import { SimulatedClock } from '../time/simulated-time.ts'
import type { ApiClient } from './api-client.ts'
import type { Load } from './options.ts'
import { carOf, connectionOf, durationOf, type Located, speedOf } from './plan.ts'

export interface FleetPlan {
  readonly options: Located
  readonly ids: readonly string[]
  readonly versions: readonly Version[]
  readonly seed: number
  readonly scenario?: Scenario
  readonly api?: ApiClient
  readonly apiUrl: string
  readonly step: (chargePointId: string, step: string) => void
  readonly problem: (message: string) => void
}

export interface FleetOutcome {
  readonly sessions: readonly ChargedSession[]
  readonly assertions: readonly Assertion[]
  /** In the order of the stations. */
  readonly failures: readonly Error[]
}

const REGISTRATION_MS = 30_000
const TIMEOUT_MS = 10_000
const DELIVERY_MS = 30_000
const LOOK_AGAIN_MS = 250
const DEFAULT_LOAD_SECONDS = 60
const BUSY_TRIES = 20
/** Apart, so that two cars of one station do not do the same at the same instant. */
const NEXT_CAR_SECONDS = 7

export function createFleet(plan: FleetPlan) {
  const { options } = plan
  const figures = createFigures()
  const losses = createLosses()
  const stations: ChargePoint[] = []
  const clocks: SimulatedClock[] = []
  const tries = plan.ids.length > 1 ? BUSY_TRIES : 1
  let closed = false

  const clockOfStation = (): SimulatedClock => {
    const clock = new SimulatedClock({ speed: speedOf(options) })
    clocks.push(clock)
    return clock
  }
  const connectOptions = (position: number) => ({
    ...connectionOf(options),
    id: plan.ids[position] ?? '',
    ocpp: plan.versions[position] ?? ('1.6' as const),
    clock: clockOfStation(),
    stamps: Date.now,
    seed: plan.seed,
    lost: losses.note(plan.ids[position] ?? ''),
    called: figures.record,
    problem: (message: string) => plan.problem(`${plan.ids[position]}: ${message}`),
  })
  const charge = async (position: number): Promise<readonly Assertion[]> => {
    const id = plan.ids[position] ?? ''
    const step = (name: string): void => plan.step(id, name)
    const { vehicle, soc } = carOf(options, plan.seed, id)
    step('connecting')
    const cp = await whenNotBusy(tries, () =>
      ChargePoint.connect({
        ...connectOptions(position),
        connectors: options.connectors,
        quirks: options.quirk,
        vehicle,
      }),
    )
    stations.push(cp)
    const story = {
      idToken: options.idToken,
      durationSeconds: durationOf(options),
      socPercent: soc,
      registrationMs: REGISTRATION_MS,
      clock: systemClock,
      step,
      energyWh: options.energy === undefined ? undefined : options.energy * 1000,
      fault: options.fault,
      offlineSeconds: options.offlineFor,
    }
    await register(cp, story)
    if (options.load) return underLoad(cp, soc, options.load)
    const cars = Array.from({ length: options.connectors }, async (_value, car) => {
      if (car > 0) await cp.wait(car * NEXT_CAR_SECONDS)
      await chargeOnce(cp, { ...story, connector: car + 1 })
    })
    const results = await Promise.allSettled(cars)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    await delivered(cp, () => losses.areMany(id))
    step('done')
    return []
  }
  /** All are charging before the load begins, and end their charges after it. */
  let loaded = 0
  let load: Promise<void> | undefined
  let begin: () => void = () => undefined
  const allReady = new Promise<void>((resolve) => {
    begin = resolve
  })
  const underLoad = async (cp: ChargePoint, soc: number, { callsPerSecond }: Load): Promise<readonly Assertion[]> => {
    await cp.plug(1, { soc })
    if ((await cp.swipe(1, options.idToken)) === 'refused') throw new CardRefused(options.idToken, cp.refusal)
    plan.step(cp.station.id, 'ready')
    loaded += 1
    if (loaded === plan.ids.length) begin()
    await allReady
    load ??= runLoad({
      callsPerSecond,
      // Real seconds: a load is about the server, not about physics.
      durationMs: (options.duration ?? DEFAULT_LOAD_SECONDS) * 1000,
      stormEveryMs: options.storm === undefined ? undefined : options.storm * 1000,
      stations,
      clock: systemClock,
      stopped: () => closed,
    })
    await load
    await cp.swipe(1, options.idToken)
    await cp.unplug(1)
    await delivered(cp, () => losses.areMany(cp.station.id))
    return []
  }
  const play = async (position: number, scenario: Scenario): Promise<readonly Assertion[]> => {
    const id = plan.ids[position] ?? ''
    const { assertions, station } = await whenNotBusy(tries, () =>
      runScenario(scenario, {
        connect: connectOptions(position),
        api: plan.api,
        apiUrl: plan.apiUrl,
        patienceMs: TIMEOUT_MS,
        now: Date.now,
        pause: (ms) => pause(systemClock, ms),
        quirks: options.quirk,
        step: ({ kind }) => plan.step(id, kind),
      }),
    )
    stations.push(station)
    return assertions
  }

  /** A station that cannot take part must not keep the others waiting. */
  const notReady = (error: unknown): never => {
    loaded += 1
    if (loaded === plan.ids.length) begin()
    throw error
  }

  return {
    figures,
    stations: stations as readonly ChargePoint[],
    async run(): Promise<FleetOutcome> {
      const results = await Promise.allSettled(
        plan.ids.map(async (_id, position) => {
          await pause(systemClock, startDelayMs(position, options.ramp))
          if (closed) return []
          return plan.scenario ? play(position, plan.scenario) : charge(position).catch(notReady)
        }),
      )
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [asError(result.reason)] : []))
      const assertions = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      return { sessions: stations.flatMap(sessionsOf), assertions: [...assertions, ...losses.assertions()], failures }
    },
    async close(): Promise<void> {
      closed = true
      for (const clock of clocks) clock.stop()
      await Promise.all(stations.map((cp) => cp.station.disconnect().then(() => cp.close())))
    },
  }
}

function sessionsOf(cp: ChargePoint): readonly ChargedSession[] {
  return cp.station.finished.map(({ transaction, energyWh }) => ({
    evseControllerId: cp.station.id,
    transactionId: transaction.transactionId,
    energyKwh: energyWh / 1000,
  }))
}

/** The server may be restarting: the station comes back by itself and says what it kept. */
async function delivered(cp: ChargePoint, isHopeless: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + DELIVERY_MS
  await cp.station.flush()
  while (cp.state.queuedMessages > 0 && Date.now() < giveUpAt && !isHopeless()) {
    await pause(systemClock, LOOK_AGAIN_MS)
    await cp.station.flush()
  }
  const lost = cp.station.finished.reduce((sum, { transaction }) => sum + transaction.lostMessages, 0)
  const undelivered = cp.state.queuedMessages + lost
  if (undelivered === 0) return
  throw new Error(
    `${undelivered} transaction messages of ${cp.station.id} were not taken by the central system: ${cp.state.trouble ?? 'its log says more'}`,
  )
}

/** A server that says "too busy" to a crowd means: later. */
async function whenNotBusy<T>(tries: number, connect: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect()
    } catch (error) {
      if (attempt >= tries || !(error instanceof Error) || !/\((503|429)\)/.test(error.message)) throw error
      await pause(systemClock, LOOK_AGAIN_MS * attempt)
    }
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

export interface ChargedSession {
  readonly evseControllerId: string
  /** Absent when a 1.6 station never got a number. */
  readonly transactionId?: string
  readonly energyKwh: number
}

export type Verdict = ReturnType<typeof verdictOf>

export function verdictOf(
  stations: number,
  sessions: readonly ChargedSession[],
  figures: Figures,
  assertions: readonly Assertion[],
) {
  return {
    ok: assertions.every(({ ok }) => ok),
    stations,
    sessions,
    calls: figures.calls,
    callErrors: figures.callErrors,
    timeouts: figures.timeouts,
    latencyMs: figures.latency(),
    assertions,
  }
}

export function verdictLines(verdict: Verdict): readonly string[] {
  const energyKwh = verdict.sessions.reduce((sum, session) => sum + session.energyKwh, 0)
  const { p50, p95, p99 } = verdict.latencyMs
  return [
    `stations        ${verdict.stations}`,
    `sessions        ${verdict.sessions.length}`,
    `energy          ${energyKwh.toFixed(3)} kWh`,
    `calls           ${verdict.calls}, ${verdict.callErrors} refused, ${verdict.timeouts} without an answer`,
    `latency         p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`,
  ]
}
