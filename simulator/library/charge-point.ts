/** The simulator as a library for tests of OCPP servers: one station that a test moves by hand. */
import { DEFAULT_VOLTAGE_V } from '../../src/domain/charging/profile.ts'
import type { Clock } from '../../src/domain/ports/core.ts'
import { systemClock } from '../../src/server/system.ts'
import { createChargePoint } from '../charge-point.ts'
import type { ChargingNeeds } from '../model/connector.ts'
import type { FaultCode, Token, TransactionLimit } from '../model/facts.ts'
import { COMPACT_CAR, VEHICLES, type Vehicle } from '../model/meter.ts'
import { createPerson, type Person, type SwipeOutcome } from '../model/person.ts'
import type { OutsideLimit } from '../model/smart-charging/outside.ts'
import { quirksOf } from '../quirks/apply.ts'
import { VERSIONS, type Version } from '../quirks/quirk.ts'
import type { Snapshot, ChargePoint as Station, StationOptions } from '../station.ts'
import { SimulatedClock } from '../time/simulated-time.ts'
import type { WireObserver } from '../wire/frames.ts'

/**
 * What `ChargePoint.connect` makes a station of; `url` and `id` are all that it needs.
 *
 * @example
 * const options = { url: 'ws://localhost:8080/ocpp', id: 'CP-1', ocpp: '2.0.1', password: 'secret' }
 */
export interface ConnectOptions extends StationOptions, Pick<WireObserver, 'frame' | 'called' | 'lost'> {
  /** Default: 1.6. */
  readonly ocpp?: Version
  /** A `SimulatedClock` moves only while the test waits, and never waits itself; default: the machine's time. */
  readonly clock?: Clock
  /** What time stamps say; default: what the clock says. */
  readonly stamps?: () => number
  /** Without a clock: how much faster than the machine's time the physics run; `max` waits for nothing. */
  readonly speed?: number | 'max'
  /** `compact` (11 kW, three phases), `hybrid` (3.6 kW, one phase), `touring` (150 kW, direct current), or your own. */
  readonly vehicle?: string | Vehicle
  /** Simulated seconds between the meter values of a charge; default 60. */
  readonly sampleSeconds?: number
  /** Names from `pilotwire simulate --list-quirks`. */
  readonly quirks?: readonly string[]
}

/** The car that is plugged in: `soc` in percent, 0 to 100; `vehicle` by its name, or one of your own. */
export interface PlugOptions {
  /** State of charge at arrival. */
  readonly soc?: number
  readonly vehicle?: string | Vehicle
  /** What the driver has set the car to draw at most, on each phase. */
  readonly atMostAmps?: number
  /** What the car says that it needs, as one that speaks ISO 15118 does (2.0.1). */
  readonly needs?: ChargingNeeds
}

/**
 * A charging station.
 *
 * @example
 * const server = await startCentralSystem()
 * const clock = new SimulatedClock()
 * const cp = await ChargePoint.connect({ url: server.url, id: 'DOC-1', clock, seed: 1 })
 * await cp.boot()
 * await cp.plug(1, { soc: 20 })
 * await cp.swipe(1, 'CARD-1')
 * await cp.wait(2 * 3600) // two hours of charging, at once
 * const { energyKwh } = cp.charge(1)
 * await cp.swipe(1, 'CARD-1')
 * await cp.unplug(1)
 * await cp.close()
 * await server.close()
 */
export class ChargePoint {
  /** The model below, for whatever this class does not show. */
  readonly station: Station
  readonly clock: SimulatedClock
  readonly #person: Person
  readonly #stopTime: () => void
  readonly #vehicle: Vehicle
  readonly #voltage: number

  private constructor(
    station: Station,
    clock: SimulatedClock,
    person: Person,
    { vehicle = COMPACT_CAR, voltage }: { readonly vehicle: Vehicle | undefined; readonly voltage: number },
    stopTime: () => void,
  ) {
    this.station = station
    this.#vehicle = vehicle
    this.#voltage = voltage
    this.clock = clock
    this.#person = person
    this.#stopTime = stopTime
  }

  /** Opens the connection; rejects with a sentence that says what to do. */
  static async connect(options: ConnectOptions): Promise<ChargePoint> {
    checkOptions(options)
    const own = options.clock
    const time =
      own instanceof SimulatedClock
        ? own
        : new SimulatedClock({ speed: own ? 1 : (options.speed ?? 1), ...(own && { clock: own, startAt: own.now() }) })
    const protocol = `ocpp${options.ocpp ?? '1.6'}` as const
    const quirks = quirksOf(options.quirks ?? [], { protocol, id: options.id })
    const vehicle = vehicleOf(options.vehicle)
    const { voltage = DEFAULT_VOLTAGE_V } = options
    const station = createChargePoint({
      ...options,
      protocol,
      time,
      clock: stampedBy(options.stamps ?? (own ? () => time.now() : systemClock.now)),
      sampleIntervalMs: (options.sampleSeconds ?? 60) * 1000,
      messageRetryIntervalMs: 10_000,
      // Schedules go by the time stamps.
      scheduleTime: own && !options.stamps ? time : systemClock,
      vehicle,
      voltage,
      observer: { frame: options.frame, called: options.called, lost: options.lost },
      ...quirks,
      behaviour: { ...quirks.behaviour, ...options.behaviour },
    })
    const person = createPerson({
      chargePoint: station,
      after: (ms, run) => (options.personTime ?? time).after(ms, run),
    })
    await station.connect()
    const flows = !(own instanceof SimulatedClock) && options.speed !== 'max'
    return new ChargePoint(station, time, person, { vehicle, voltage }, flows ? time.flow() : () => undefined)
  }

  /** Resolves with the registration status: `Accepted`, `Pending` or `Rejected`. */
  boot(): Promise<string> {
    return this.#held(this.station.boot())
  }

  async plug(connector: number, options: PlugOptions = {}): Promise<void> {
    const vehicle = modest(vehicleOf(options.vehicle) ?? this.#vehicle, options.atMostAmps, this.#voltage)
    const arrival = { socPercent: options.soc, vehicle, ...(options.needs && { needs: options.needs }) }
    await this.#held(this.#person.plug(connector, arrival))
  }

  /** A card: the first time starts a charge, the same card ends it. Before the cable it waits for the cable. */
  swipe(connector: number, token: string | Token): Promise<SwipeOutcome> {
    const card = typeof token === 'string' ? { id: token, type: 'ISO14443' } : token
    return this.#held(this.#person.swipe(connector, card))
  }

  /** Pulls the cable; an open charge ends. */
  unplug(connector: number): Promise<void> {
    return this.#held(this.station.unplug(connector))
  }

  /** Lets so many simulated seconds pass: the car charges, samples and heartbeats go out. */
  wait(seconds: number): Promise<void> {
    return this.clock.wait(seconds * 1000)
  }

  fault(connector: number, code: FaultCode): Promise<void> {
    return this.#held(this.station.fault(connector, code))
  }

  clearFault(connector: number): Promise<void> {
    return this.#held(this.station.clearFault(connector))
  }

  /** The car (or the station) stops the flow of energy; the transaction stays open. */
  suspend(connector: number, by: 'ev' | 'evse' = 'ev'): Promise<void> {
    return this.#held(this.station.suspend(connector, by))
  }

  resume(connector: number): Promise<void> {
    return this.#held(this.station.resume(connector))
  }

  /** Another system limits the station, or one connector; a 2.0.1 station reports it. */
  limit(limit: OutsideLimit): Promise<void> {
    return this.#held(this.station.outside.set(limit))
  }

  /** That limit is gone. */
  clearLimit(limit: Pick<OutsideLimit, 'connector' | 'source'> = {}): Promise<void> {
    return this.#held(this.station.outside.clear(limit))
  }

  /** The driver limits the running charge at the station (2.1); limits of the central system come by themselves. */
  limitCharge(connector: number, limit: TransactionLimit): Promise<void> {
    return this.#held(this.station.limitCharge(connector, limit))
  }

  /** The network is gone; charging goes on, and transaction messages wait. */
  offline(): Promise<void> {
    return this.station.disconnect(true)
  }

  /** The network is back; what waited goes out in order. */
  online(): Promise<void> {
    return this.#held(this.station.connect().then(() => this.station.flush()))
  }

  powerCut(): Promise<void> {
    return this.#held(this.station.powerCut())
  }

  powerUp(): Promise<void> {
    return this.#held(this.station.powerUp())
  }

  /** Any CALL. Rejects with the CALLERROR. */
  call(method: string, request: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    return this.station.call({ method, request })
  }

  /** The charge that runs at this connector, or the last one there. Energy is what the meter counted. */
  charge(connector: number): Charge {
    const now = this.station.snapshot().connectors.find(({ connectorId }) => connectorId === connector)
    const running = now?.transaction
    const last = this.station.finished.filter(({ transaction }) => transaction.connectorId === connector).at(-1)
    const known = running ?? last?.transaction
    if (!now || !known) throw new Error(`there was no charge at connector ${connector} yet: plug and swipe first`)
    return {
      transactionId: known.transactionId,
      energyKwh: (running?.energyWh ?? last?.energyWh ?? 0) / 1000,
      powerKw: now.reading.powerW / 1000,
      socPercent: now.reading.socPercent,
    }
  }

  /**
   * What the grid's L1, L2 and L3 carry for this station now, in amperes, as a meter in front of it would measure it:
   * by the phases that its connectors are wired to. Without a connector: the sum of all.
   */
  current(connector?: number): readonly number[] {
    const { connectors } = this.station.snapshot()
    const desired = connectors.filter(({ connectorId }) => connector === undefined || connectorId === connector)
    return [0, 1, 2].map((phase) => desired.reduce((total, { gridCurrentA }) => total + (gridCurrentA[phase] ?? 0), 0))
  }

  /** Connectors, cable, meter and queue as they are now. */
  get state(): Snapshot {
    return this.station.snapshot()
  }

  /** What is done at one instant is done before the next one comes. */
  #held<T>(work: Promise<T>): Promise<T> {
    this.clock.hold(work)
    return work
  }

  /** Why the last card was refused. */
  get refusal(): string | undefined {
    return this.#person.refusal
  }

  /** Sends what waits and closes the connection with a close frame. */
  async close(): Promise<void> {
    await this.station.flush()
    await this.station.disconnect()
    this.#stopTime()
    await this.station.powerOff()
  }
}

/** A charge as its meter sees it now: energy in kWh since it began, power in kW, state of charge in percent. */
export interface Charge {
  /** Absent in 1.6 until the server gave one. */
  readonly transactionId?: string
  readonly energyKwh: number
  readonly powerKw: number
  readonly socPercent: number
}

/** What a caller without types gets wrong: otherwise it fails somewhere within, with words about our code. */
function checkOptions(options: Partial<Record<keyof ConnectOptions, unknown>> | undefined): void {
  const { url, id, ocpp } = options ?? {}
  const check = (name: string, given: unknown, isRight: boolean, expected: string): void => {
    const what = given === undefined ? 'is missing' : `is ${JSON.stringify(given)}`
    if (!isRight) throw new TypeError(`ChargePoint.connect: ${name} ${what}: expected ${expected}`)
  }
  const isAddress = typeof url === 'string' && URL.canParse(url) && /^(?:ws|http)s?:$/.test(new URL(url).protocol)
  check('url', url, isAddress, 'the OCPP address without the identity as a string, such as "ws://localhost:8080/ocpp"')
  check('id', id, typeof id === 'string' && id !== '', 'the identity of the charge point, such as "EV-1"')
  const isVersion = VERSIONS.some((version) => version === (ocpp ?? '1.6'))
  check('ocpp', ocpp, isVersion, VERSIONS.map((version) => `"${version}"`).join(' or '))
}

function vehicleOf(vehicle: string | Vehicle | undefined): Vehicle | undefined {
  if (typeof vehicle !== 'string') return vehicle
  const found = VEHICLES[vehicle]
  if (!found) throw new Error(`there is no vehicle ${vehicle}: take one of ${Object.keys(VEHICLES).join(', ')}`)
  return found
}

function modest(vehicle: Vehicle, amps: number | undefined, voltage: number): Vehicle {
  if (amps === undefined) return vehicle
  const maxPowerW = Math.min(vehicle.maxPowerW, amps * voltage * (vehicle.phases || 3))
  return { ...vehicle, maxPowerW }
}

/** Answers are waited for in real time, whatever the time stamps say. */
function stampedBy(now: () => number): Clock {
  return { now, monotonic: systemClock.monotonic, after: systemClock.after }
}
