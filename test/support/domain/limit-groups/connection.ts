/**
 * A connection with stations that have their own clocks, profiles and charges, behind lines that lose messages; and a
 * server that plans, stalls, crashes and is replaced. What the stations really allow is known here and nowhere else.
 */
import type { GroupEvse } from '../../../../src/domain/limit-groups/evse.ts'
import type { ExternalLimit, Group, Load } from '../../../../src/domain/limit-groups/group.ts'
import {
  accept,
  CLOCK_MARGIN_MS,
  counted,
  EMPTY_LEDGER,
  give,
  type KnownClock,
  type Ledger,
  mayDraw,
  outlast,
} from '../../../../src/domain/limit-groups/ledger.ts'
import { NO_AMPS } from '../../../../src/domain/limit-groups/phases.ts'
import { type Connection, type Order, type Plan, plan } from '../../../../src/domain/limit-groups/plan.ts'
import type { Alter } from './naive.ts'
import { allowedBy, newStation, type Station } from './station.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

type Known = Mutable<GroupEvse>

export class SimulatedConnection {
  now = Date.parse('2026-03-01T12:00:00Z')
  /** Nothing may ever be above this: the limit, or what was out when it was lowered and has not ended yet. */
  readonly ceiling = new Map<string, readonly number[]>()
  readonly groups: Map<string, Group>
  readonly #stations: Station[] = []
  readonly #known = new Map<string, Known>()
  /** What the owner of a charge point has carried out last: an older order is refused there. */
  readonly #fences = new Map<string, Order>()
  readonly #loads = new Map<string, Load>()
  readonly #externals = new Map<string, ExternalLimit>()
  #stalled: Order[] = []
  #revision = 0
  /** GROUP-H2: a building that draws more than its fuse carries, and the newest plan does not say so. */
  unsaid: string | undefined
  #charges = 0

  constructor(
    groups: readonly Group[],
    readonly random: () => number,
    readonly alter: Alter = (connection) => connection,
  ) {
    this.groups = new Map(groups.map((group) => [group.name, group]))
  }

  /** @param isShown its clock's error is known but for the noise of its messages; else it showed no time yet */
  join(group: string, phases: readonly number[], maxAmps: number, skewMs: number, isShown = true): void {
    const id = `S${this.#stations.length}`
    const counts = this.#stations.length % 2 === 1
    this.#stations.push(newStation({ id, group, phases, maxAmps, skewMs, counts }))
    const placed = { chargePointId: id, evseId: 1, group, phases, maxAmps }
    const known = { ...placed, countsLeases: counts, isOnline: true, ledger: EMPTY_LEDGER }
    const clockAheadMs = skewMs + (this.random() - 0.5) * 16_000
    const clock = isShown ? { clockAheadMs, clockAtLeastMs: clockAheadMs } : { clockAheadMs: 0 }
    this.#known.set(id, { ...known, ...clock })
  }

  station(at: number): Station | undefined {
    return this.#stations[at % this.#stations.length]
  }

  lose(station: Station): void {
    station.isOnline = false
    station.toStation = []
    station.toServer = []
    // It may take a while until somebody notices.
    const { id } = station
    const noticed = this.now + this.random() * 90_000
    this.#later.push({ at: noticed, apply: () => this.#know(id, { isOnline: this.#isOnline(id) }) })
  }

  /** It comes back and tells what happened; what it should hold is sent again. */
  restore(station: Station): void {
    if (station.isOnline) return
    station.isOnline = true
    this.#know(station.id, { isOnline: true })
    for (const apply of station.unreported) this.#tell(station, apply)
    station.unreported = []
    for (const place of ['fallback', 'lease'] as const) {
      const order = this.#fences.get(`${station.id} ${place}`)
      if (order && order.given.revision !== this.#ledger(station.id)[place].accepted?.revision) this.#send(order)
    }
  }

  reboot(station: Station): void {
    this.lose(station)
    if (this.random() < 0.5) station.lease = undefined
    if (this.random() < 0.3) this.unplug(station)
    this.#know(station.id, { doubtUntil: this.now + 60_000 })
  }

  plug(station: Station): void {
    if (station.charge || station.fallback === undefined) return
    const id = `C${this.#charges++}`
    station.charge = id
    this.#tell(station, () => {
      const charge = { id, startedAt: this.now, priority: this.#charges % 3, wantAmps: station.maxAmps }
      this.#know(station.id, { charge })
      // What was wanted of the charge before is wanted of this one, until the planner says otherwise.
      const order = this.#fences.get(`${station.id} lease`)
      if (order) this.#send(order)
    })
  }

  unplug(station: Station): void {
    const { charge } = station
    if (!charge) return
    station.charge = undefined
    station.lease = undefined
    this.#tell(station, () => {
      this.#know(station.id, { charge: undefined })
    })
  }

  resume(station: Station): void {
    this.#know(station.id, { doubtUntil: this.now + 60_000 })
  }

  /** From its next order on it takes no less than 6 A, and is sent that. */
  grumble(station: Station): void {
    station.leastAmps = 6
    this.#know(station.id, { leastAmps: 6 })
  }

  /** Its clock goes a little wronger than it was seen to be. */
  drift(station: Station): void {
    const { clockAheadMs = 0, clockAtLeastMs } = this.#known.get(station.id) ?? {}
    if (clockAtLeastMs !== clockAheadMs) return
    station.skewMs = clockAheadMs + (this.random() - 0.5) * 2 * (CLOCK_MARGIN_MS - 1000)
  }

  /** A message shows its time. It may have waited, so a clock that is behind is not believed by it alone. */
  showTime(station: Station, waitedMs = this.random() * 600_000): void {
    const { clockAheadMs = 0 } = this.#known.get(station.id) ?? {}
    const seen = station.skewMs - waitedMs
    this.#showClock(station, { clockAheadMs: Math.max(seen, clockAheadMs), clockAtLeastMs: seen })
  }

  #showClock({ id }: Station, clock: KnownClock): void {
    this.#know(id, { ...clock, ledger: outlast(this.#ledger(id), clock) })
  }

  /** Its clock is set, by hours perhaps, and shows it. */
  setClock(station: Station, aheadMs = this.random() < 0.3 ? 0 : (this.random() - 0.5) * 4 * 3_600_000): void {
    if (!station.isOnline) return
    station.skewMs = aheadMs
    this.#showClock(station, { clockAheadMs: aheadMs, clockAtLeastMs: aheadMs })
  }

  /** Others set a profile above ours; it was out before the server could know of it. */
  meddle(station: Station, foreignAmps: number): void {
    if (!station.isOnline || station.fallback === undefined) return
    station.foreignAmps = Math.min(foreignAmps, station.maxAmps)
    this.#know(station.id, { overdraw: { isIgnoring: false, foreignAmps: station.foreignAmps } })
    this.#joined()
    for (const place of ['fallback', 'lease'] as const) {
      const order = this.#fences.get(`${station.id} ${place}`)
      if (order) this.#send(order)
    }
  }

  change(name: string, change: Partial<Group>): void {
    const group = this.groups.get(name)
    if (group) this.groups.set(name, { ...group, ...change })
    if ('parent' in change) this.#joined()
  }

  /** It belongs to another group from now on, with all that it was given. */
  move(station: Station, group: string): void {
    station.group = group
    this.#know(station.id, { group })
    this.#joined()
  }

  /** What came along is out there, and nobody can take it back before it is accepted. */
  #joined(): void {
    for (const { name, mayDraw } of plan(this.#connection(), this.now, this.#revision).groups) {
      const before = this.ceiling.get(name) ?? mayDraw
      this.ceiling.set(
        name,
        mayDraw.map((amps, phase) => Math.max(amps, before[phase] ?? 0)),
      )
    }
  }

  meter(name: string, load: Load): void {
    this.#loads.set(name, load)
  }

  order(name: string, external: ExternalLimit | undefined): void {
    if (external) this.#externals.set(name, external)
    else this.#externals.delete(name)
  }

  /** The next plan's orders are committed and then wait, as if the process had stalled; or are lost with it. */
  stall(isLost: boolean): void {
    this.tick(isLost ? 'lost' : 'stalled')
  }

  /** What an earlier planner had decided reaches the charge points' owners after all. */
  wakeStalled(): void {
    const orders = this.#stalled
    this.#stalled = []
    for (const order of orders) this.#carryOut(order)
  }

  /** @param seconds of which each third is looked at */
  pass(seconds: number): void {
    for (let passed = 0; passed < seconds; passed += 3) {
      this.now += 3000
      this.#deliver()
      this.tick()
    }
  }

  tick(fate: 'carried out' | 'stalled' | 'lost' = 'carried out'): Plan {
    const before = this.#connection()
    const made = plan(this.alter(before), this.now, ++this.#revision)
    this.#lowerCeilings(plan(before, this.now, this.#revision))
    this.unsaid = this.#overloads(made)
    for (const order of made.orders) {
      const ledger = this.#ledger(order.chargePointId)
      const next = { ...ledger, [order.place]: give(ledger[order.place], order.given) }
      const changedAt = order.why === 'renew' ? {} : { changedAt: this.now }
      this.#know(order.chargePointId, { ledger: next, ...changedAt })
      if (order.place === 'fallback') this.#know(order.chargePointId, { fallbackChangedAt: this.now })
    }
    if (fate === 'carried out') for (const order of made.orders) this.#carryOut(order)
    if (fate === 'stalled') this.#stalled.push(...made.orders)
    return made
  }

  /** What the stations allow at this moment on a phase of a group, by their own clocks and engines. */
  allowed(name: string, phase: number): number {
    let allowed = 0
    for (const station of this.#stations) {
      if (this.#isUnder(station.group, name) && station.phases.includes(phase)) allowed += allowedBy(station, this.now)
    }
    return allowed
  }

  #overloads({ groups }: Plan): string | undefined {
    for (const { name, isExceeded } of groups) {
      const { amps, until } = this.#loads.get(name) ?? { amps: NO_AMPS, until: 0 }
      const { limitAmps = 0 } = this.groups.get(name) ?? {}
      if (this.now < until && !isExceeded && amps.some((of) => of > limitAmps * 1.05 + 1))
        return `${name}: not exceeded`
    }
    return undefined
  }

  /** GROUP-A1 of one station: the ledger never counts less than it allows. */
  untrue(): string | undefined {
    for (const station of this.#stations) {
      const known = this.#known.get(station.id)
      const counted = known ? mayDraw(known, this.now) : 0
      if (allowedBy(station, this.now) > counted + 1e-6)
        return `${station.id}: ${allowedBy(station, this.now)} of ${counted} A`
    }
    return undefined
  }

  /** The lines that carry more than they ever may. */
  overloaded(): string | undefined {
    for (const name of this.groups.keys()) {
      for (const phase of [0, 1, 2]) {
        const allowed = this.allowed(name, phase)
        const most = this.ceiling.get(name)?.[phase] ?? Number.POSITIVE_INFINITY
        if (allowed > most + 1e-6) return `${name} L${phase + 1}: ${allowed} of ${most} A`
      }
    }
    return undefined
  }

  readonly #later: { readonly at: number; readonly apply: () => void }[] = []

  #connection(): Connection {
    return {
      groups: [...this.groups.values()],
      evses: [...this.#known.values()],
      loads: this.#loads,
      externals: this.#externals,
      drawn: new Map(),
      voltage: 230,
    }
  }

  #lowerCeilings({ groups }: Plan): void {
    for (const { name, capacity, mayDraw } of groups) {
      const before = this.ceiling.get(name) ?? mayDraw
      this.ceiling.set(
        name,
        capacity.amps.map((amps, phase) => Math.max(amps, Math.min(before[phase] ?? 0, mayDraw[phase] ?? 0))),
      )
    }
  }

  #isUnder(leaf: string, name: string): boolean {
    for (let group = this.groups.get(leaf); group; group = this.groups.get(group.parent ?? '')) {
      if (group.name === name) return true
    }
    return false
  }

  #carryOut(order: Order): void {
    const at = `${order.chargePointId} ${order.place}`
    if ((this.#fences.get(at)?.given.revision ?? 0) >= order.given.revision) return
    this.#fences.set(at, order)
    this.#send(order)
  }

  #send(order: Order): void {
    const station = this.#stations.find(({ id }) => id === order.chargePointId)
    if (!station?.isOnline) return
    const last = station.toStation.at(-1)?.at ?? 0
    const { endsAt = 0, revision, seconds = 0 } = order.given
    const isTaken = this.#ledger(station.id)[order.place].accepted?.revision === revision
    const isCounted = seconds > 0 && !isTaken && endsAt - this.now >= seconds * 1000 - 30_000
    // By its own clock, as far as that is known.
    const given = { ...order.given, endsAt: endsAt + (this.#known.get(station.id)?.clockAheadMs ?? 0) }
    const at = Math.max(last, this.now + this.random() * 9000)
    station.toStation.push({ at, order: { ...order, given }, ...(isCounted && { seconds }) })
  }

  #tell(station: Station, apply: () => void): void {
    if (!station.isOnline) {
      station.unreported.push(apply)
      return
    }
    const last = station.toServer.at(-1)?.at ?? 0
    station.toServer.push({ at: Math.max(last, this.now + this.random() * 9000), apply })
  }

  #deliver(): void {
    for (const station of this.#stations) {
      while ((station.toStation[0]?.at ?? Number.POSITIVE_INFINITY) <= this.now) {
        const arrived = station.toStation.shift()
        if (arrived) this.#arrive(station, arrived.order, arrived.seconds)
      }
      while ((station.toServer[0]?.at ?? Number.POSITIVE_INFINITY) <= this.now) station.toServer.shift()?.apply()
    }
    const due = this.#later.filter(({ at }) => at <= this.now)
    for (const one of due) {
      this.#later.splice(this.#later.indexOf(one), 1)
      one.apply()
    }
  }

  /** The station's profile engine. */
  #arrive(station: Station, { place, given }: Order, seconds: number | undefined): void {
    const { revision, endsAt = 0 } = given
    const amps = Math.max(given.amps, station.leastAmps)
    const afterAmps = Math.max(given.afterAmps, station.leastAmps)
    const refused = station.refusesNext || (station.refusesByChance && this.random() < 0.3)
    station.refusesNext = false
    if (!refused) station.foreignAmps = undefined
    if (!refused && place === 'fallback') station.fallback = amps
    const isHeld = !refused && place === 'lease' && station.charge !== undefined
    const counts = seconds !== undefined && { afterAmps: 0, endsAt: this.now + station.skewMs + seconds * 1000 }
    if (isHeld) station.lease = { amps, afterAmps, endsAt, ...counts }
    const { id } = station
    const answer = (): void => {
      const ledger = this.#ledger(id)
      // A refused one counts until a newer one is accepted: it may have been sent again already.
      const taken = refused ? ledger[place] : accept(ledger[place], revision)
      const ends = seconds !== undefined && isHeld && taken.accepted?.revision === revision
      const clock = this.#known.get(id) ?? { clockAheadMs: 0 }
      const next = counted(taken, ends ? this.now + seconds * 1000 : undefined, clock)
      const { foreignAmps } = station
      const overdraw = foreignAmps === undefined ? undefined : { isIgnoring: false, foreignAmps }
      const rest = refused && { restsUntil: this.now + 10_000 }
      this.#know(id, { ledger: { ...ledger, [place]: next }, overdraw, ...rest })
    }
    // An answer that is lost is never repeated; what happened to a charge is.
    const last = station.toServer.at(-1)?.at ?? 0
    station.toServer.push({ at: Math.max(last, this.now + this.random() * 9000), apply: answer })
  }

  #isOnline(id: string): boolean {
    return this.#stations.find((station) => station.id === id)?.isOnline ?? false
  }

  #ledger(id: string): Ledger {
    return this.#known.get(id)?.ledger ?? EMPTY_LEDGER
  }

  #know(id: string, change: Partial<Known>): void {
    const known = this.#known.get(id)
    if (known) this.#known.set(id, { ...known, ...change })
  }
}
