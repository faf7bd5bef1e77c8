/**
 * Half an hour of twelve stations of both versions behind 100 A, seven of them with a quirk of real firmware: real
 * sockets, the real core on a real database and the real planner, on a clock that stands still until all of them are
 * done with a second. So it happens the same way each time, and takes no longer than it must.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChargePoint, SimulatedClock } from '../../simulator/index.ts'
import type { Snapshot } from '../../src/application/limit-groups/look.ts'
import { createPlanner } from '../../src/application/limit-groups/planner.ts'
import { createCourse } from '../../src/application/limit-groups/status.ts'
import { createEmission, freshEventId } from '../../src/domain/events/emission.ts'
import { keyOf } from '../../src/domain/limit-groups/evse.ts'
import type { Plan } from '../../src/domain/limit-groups/plan.ts'
import type { SocketEvents } from '../../src/domain/ports/core.ts'
import { attachOcppEndpoint } from '../../src/sockets/ocpp-endpoint.ts'
import { START, type TestCore, testCore } from '../support/core/testing.ts'

export const LIMIT_AMPS = 100
/** Kept free for those that do not keep to their limit, until their meter tells. */
export const BUFFER_AMPS = 10
export const ORDERED_AMPS = 60
export const SAMPLE_SECONDS = 30
/** Seconds between two points of a course. */
export const STEP_SECONDS = 5
/** Minutes. */
export const SCENES = { ordered: 11, free: 17, silent: 18, powerCut: 20, powerUp: 21, back: 25, leave: 26, end: 30 }

/** One quirk each; the others keep to what they are told. */
const QUIRKS: Readonly<Record<string, string>> = {
  'G-03': 'ignores-profiles',
  'G-05': 'discards-profiles-while-suspended',
  'G-06': 'forgets-profiles-at-reboot',
  'G-08': 'forgets-profiles-at-resume',
  'G-09': 'refuses-zero-limit',
  'G-10': 'watts-only',
  'G-11': 'foreign-profile',
}
const WATTS_ALONE = 'G-10'
/** Which cannot be paused, or charge with their fallback alone once they were: they hold one that a car can use. */
const OLD = ['G-05', 'G-09']
const CONNECTOR_AMPS = 16

export interface StationCourse {
  readonly id: string
  readonly ocpp: '1.6' | '2.0.1'
  readonly quirk?: string | undefined
  /** What it may draw at most by all it was given, and what it draws, in amps of each phase. */
  readonly mayDraw: number[]
  readonly drawn: number[]
}

/** One second of the whole connection. */
export interface Second {
  readonly at: number
  readonly limit: number
  /** Of that for charging: less the buffer. */
  readonly capacity: number
  readonly mayDraw: number
  readonly drawn: number
}

export interface Reported {
  readonly stations: readonly StationCourse[]
  readonly seconds: readonly Second[]
  /** Types of events. */
  readonly events: readonly string[]
  /** Charge points that were known to ignore their limits at some time. */
  readonly ignoring: ReadonlySet<string>
  /** How many profiles each was sent. */
  readonly sent: ReadonlyMap<string, number>
}

class House {
  readonly time = new SimulatedClock({ startAt: START })
  readonly stations = new Map<string, ChargePoint>()
  readonly courses: StationCourse[] = []
  readonly seconds: Second[] = []
  readonly events: string[] = []
  readonly ignoring = new Set<string>()
  readonly sent = new Map<string, number>()
  readonly #server = createServer()
  #frames = 0
  #sockets: SocketEvents | undefined
  #url = ''
  #core: TestCore | undefined
  #endpoint: ReturnType<typeof attachOcppEndpoint> | undefined
  #second: () => Promise<void> = async () => undefined

  get core(): TestCore {
    if (!this.#core) throw new Error('It is not open.')
    return this.#core
  }

  async open(): Promise<void> {
    this.#core = await testCore({
      sockets: {
        send: (...frame) => this.#sockets?.send(...frame),
        close: (...connection) => this.#sockets?.close(...connection),
        done: (connection) => this.#sockets?.done(connection),
        setLimits: (...limits) => this.#sockets?.setLimits(...limits),
      },
    })
    const { clock, core, store } = this.#core
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    this.#endpoint = attachOcppEndpoint(this.#server, core, {
      maxFrameBytes: 1_048_576,
      pingIntervalSeconds: 60,
      trustedProxies: [],
      clock,
      random: () => 0,
      log,
    })
    this.#sockets = this.#endpoint.events
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#url = `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/ocpp`
    const place = { core, reads: store.reads, writes: store.writes, now: clock.now, log, settings: { voltage: 230 } }
    const planner = createPlanner(place)
    const course = createCourse({
      ...place,
      wake: () => undefined,
      recorded: (event, at, now) => {
        this.events.push(event.type)
        return createEmission({ figuresIntervalMs: 0 }, freshEventId(randomBytes)).ofDecision(event, at, now, undefined)
      },
    })
    this.#second = async () => {
      await this.time.wait(1000)
      clock.advance(1000)
      await this.settled()
      await planner.tick(async (accountId, look, made) => {
        await course.note(accountId, look, made)
        this.#noted(look, made)
      })
      await this.settled()
    }
  }

  async join(id: string, ocpp: '1.6' | '2.0.1', seed: number): Promise<void> {
    const quirk = QUIRKS[id]
    const frame = (direction: 'in' | 'out', text: unknown): void => {
      this.#frames++
      const isLimit = direction === 'out' && JSON.stringify(text).includes('"SetChargingProfile"')
      if (isLimit) this.sent.set(id, (this.sent.get(id) ?? 0) + 1)
    }
    const station = await ChargePoint.connect({
      url: this.#url,
      id,
      ocpp,
      clock: this.time,
      seed,
      sampleSeconds: SAMPLE_SECONDS,
      frame,
      // What one model refuses is not tried at its others.
      ...(quirk && { quirks: [quirk], plate: { model: quirk.slice(0, 20) } }),
    })
    this.stations.set(id, station)
    this.courses.push({ id, ocpp, quirk, mayDraw: [], drawn: [] })
    await station.boot()
    const wired = {
      connectorId: 1,
      ...(ocpp === '2.0.1' && { evseId: 1 }),
      phases: 3,
      maxAmps: CONNECTOR_AMPS,
    } as const
    const input = { kind: 'wiringSet', connectors: [wired] } as const
    await this.core.core.decideBlock({ accountId: 'account-1', chargePointId: id, input })
    await this.settled()
  }

  /** Nobody has anything to say any more. */
  async settled(): Promise<void> {
    let before = this.#frames
    for (let silent = 0; silent < 25; silent++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#frames !== before) silent = 0
      before = this.#frames
    }
  }

  async until(minute: number): Promise<void> {
    while (this.core.clock.now() - START < minute * 60_000) await this.#second()
  }

  at(id: string): ChargePoint {
    const station = this.stations.get(id)
    if (!station) throw new Error(`There is no station ${id}.`)
    return station
  }

  #noted({ connection }: Snapshot, made: Plan): void {
    const group = made.groups.find(({ name }) => name === 'garage')
    const at = (this.core.clock.now() - START) / 1000
    const drawnBy = (id: string): number => this.at(id).current()[0] ?? 0
    this.seconds.push({
      at,
      limit: group?.capacity.limitAmps[0] ?? 0,
      capacity: group?.capacity.amps[0] ?? 0,
      mayDraw: group?.mayDraw[0] ?? 0,
      drawn: this.courses.reduce((sum, { id }) => sum + drawnBy(id), 0),
    })
    for (const { chargePointId, overdraw } of connection.evses) {
      if (overdraw?.isIgnoring) this.ignoring.add(chargePointId)
    }
    if (at % STEP_SECONDS !== 0) return
    for (const { id, mayDraw, drawn } of this.courses) {
      mayDraw.push(made.evses.get(keyOf({ chargePointId: id, evseId: 1 }))?.mayDrawAmps ?? 0)
      drawn.push(drawnBy(id))
    }
  }

  async close(): Promise<void> {
    for (const { station } of this.stations.values()) await station.powerOff()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.#core?.close()
  }
}

export async function tellStory(): Promise<Reported> {
  const house = new House()
  await house.open()
  const { core } = house
  const { writes } = core.store
  const charge = async (id: string): Promise<void> => {
    // On one phase, where watts do not say on how many.
    const vehicle = id === WATTS_ALONE ? 'hybrid' : 'compact'
    await house.at(id).plug(1, { vehicle, soc: 10 })
    await house.at(id).swipe(1, `CARD-${id}`)
  }
  try {
    const same = { accountId: 'account-1', revision: 1, createdAt: START, updatedAt: START }
    const garage = { amps: LIMIT_AMPS, bufferAmps: BUFFER_AMPS, fallbackAmps: 0, selector: { not: { ids: OLD } } }
    const old = { amps: OLD.length * CONNECTOR_AMPS, parent: 'garage', fallbackAmps: 6, selector: { ids: OLD } }
    await writes.putRecords('limit_groups', [
      { ...same, name: 'garage', desired: { ...garage, leaseSeconds: 240 } },
      { ...same, name: 'old', desired: { ...old, leaseSeconds: 240 } },
    ])
    for (let n = 1; n <= 12; n++) {
      await house.join(`G-${String(n).padStart(2, '0')}`, n % 2 === 1 ? '1.6' : '2.0.1', n)
    }
    for (const [index, { id }] of house.courses.entries()) {
      await house.until(0.5 + index * 0.75)
      await charge(id)
    }
    await house.until(SCENES.ordered)
    const at = core.clock.now()
    const given = { amps: ORDERED_AMPS, source: 'grid operator', until: at + 3_600_000 }
    const ordered = { accountId: 'account-1', name: 'garage', kind: 'external', given, at } as const
    await writes.putRecords('limit_group_inputs', [ordered])
    await house.until(SCENES.free)
    await writes.removeRecords('limit_group_inputs', [ordered])
    await house.until(SCENES.silent)
    await house.at('G-02').offline()
    await house.until(SCENES.powerCut)
    await house.at('G-06').powerCut()
    await house.until(SCENES.powerUp)
    await house.at('G-06').powerUp()
    await house.at('G-06').swipe(1, 'CARD-G-06')
    await house.until(SCENES.back)
    await house.at('G-02').online()
    await house.until(SCENES.leave)
    for (const id of ['G-01', 'G-04', 'G-07']) {
      await house.at(id).swipe(1, `CARD-${id}`)
      await house.at(id).unplug(1)
      await house.settled()
    }
    await house.until(SCENES.end)
    const { courses: stations, seconds, events, ignoring, sent } = house
    return { stations, seconds, events, ignoring, sent }
  } finally {
    await house.close()
  }
}
