/** The planner: what to send now so that all get their share within the limits (GROUP-A1, GROUP-A2). Pure. */

import { type EvseKey, type GroupEvse, keyOf } from './evse.ts'
import { type Capacity, capacityOf, type ExternalLimit, type Group, type Load } from './group.ts'
import { current, endOfGiven, type Given, latest, mayDraw, mostOfPlace } from './ledger.ts'
import { NO_AMPS, onPhases, type PerPhase, sum, tenthsDown } from './phases.ts'
import { isFixed, Lines, leastOfEvse, minimumOf, pathOf, type Share, sharesOf } from './shares.ts'

/** GROUP-S5: between two changes of one EVSE, but for cuts that the law demands. */
const CHANGE_MS = 30_000
/** A fallback is raised again when there was room for a while: it does not follow each reading of the building. */
const FALLBACK_RAISE_MS = 5 * 60_000
/** Less is not worth a message. */
const WORTH_AMPS = 0.5
const NOTHING = 1e-6

export interface Connection {
  readonly groups: readonly Group[]
  readonly evses: readonly GroupEvse[]
  readonly loads: ReadonlyMap<string, Load>
  readonly externals: ReadonlyMap<string, ExternalLimit>
  readonly drawn: ReadonlyMap<string, number>
  readonly voltage: number
}

export interface Order extends EvseKey {
  readonly place: 'fallback' | 'lease'
  readonly given: Given
  readonly why: 'cut' | 'raise' | 'renew'
}

interface PlannedEvse extends Share {
  readonly mayDrawAmps: number
}

export interface PlannedGroup {
  readonly name: string
  readonly capacity: Capacity
  readonly mayDraw: PerPhase
  /** GROUP-A2 does not hold: a limit was lowered under what is still out, a station broke its word, or the building. */
  readonly isExceeded: boolean
}

export interface Plan {
  readonly orders: readonly Order[]
  readonly evses: ReadonlyMap<string, PlannedEvse>
  readonly groups: readonly PlannedGroup[]
}

export function plan(connection: Connection, now: number, revision: number): Plan {
  const { evses, voltage } = connection
  const groups = new Map(connection.groups.map((group) => [group.name, group]))
  const capacities = capacitiesOf(connection, groups, now)
  const amps = new Map([...capacities].map(([name, capacity]) => [name, capacity.amps]))
  const root = connection.groups.find(({ parent }) => parent === undefined || !groups.has(parent))
  const shares = sharesOf(evses, new Lines(groups, amps), root?.strategy ?? 'equal', voltage, now)

  const held = new Lines(groups, amps)
  const room = new Lines(groups, amps)
  const admitted = new Lines(groups, amps)
  const planned = new Map<string, PlannedEvse>()
  for (const evse of evses) {
    const under = held.under(evse.group, evse.phases)
    const may = mayDraw(evse, now)
    held.take(under, may)
    room.take(under, withDoubt(evse, may, now))
    admitted.take(under, isNew(evse) ? mostOfPlace(evse.ledger.fallback, now) : may)
    const share = shares.get(keyOf(evse))
    if (share) planned.set(keyOf(evse), { ...share, mayDrawAmps: may })
  }
  const writer = new Orders(connection, { held, room, admitted }, shares, now, revision)
  return {
    orders: writer.all(),
    evses: planned,
    groups: connection.groups.map((group) => {
      const capacity = capacities.get(group.name)
      const allowed = capacity?.amps ?? NO_AMPS
      const mayDraw = allowed.map((amps, phase) => amps - held.freeOf(group.name, phase)) as unknown as PerPhase
      return {
        name: group.name,
        capacity: capacity ?? { limitAmps: NO_AMPS, amps: NO_AMPS, isStale: false },
        mayDraw,
        isExceeded:
          capacity?.isOverloaded === true || mayDraw.some((amps, phase) => amps > (allowed[phase] ?? 0) + NOTHING),
      }
    }),
  }
}

/** GROUP-A6: a limit in doubt counts as the connector's maximum before any other EVSE is given more. */
function withDoubt({ doubtUntil, charge, maxAmps }: GroupEvse, may: number, now: number): number {
  return doubtUntil !== undefined && now < doubtUntil && charge ? Math.max(may, maxAmps) : may
}

/** GROUP-A3: it is about to hold its first fallback, which can only lessen what it may draw. */
function isNew({ isOnline, holdsNoFallback, ledger }: GroupEvse): boolean {
  return isOnline && holdsNoFallback !== true && !ledger.fallback.accepted
}

function capacitiesOf(
  { evses, loads, externals, drawn, voltage }: Connection,
  groups: ReadonlyMap<string, Group>,
  now: number,
): ReadonlyMap<string, Capacity> {
  const demands = new Map([...groups.keys()].map((name) => [name, { floor: NO_AMPS, drawn: NO_AMPS }]))
  for (const evse of evses) {
    for (const { name, minWatts, phases } of pathOf(groups, evse.group)) {
      const before = demands.get(name) ?? { floor: NO_AMPS, drawn: NO_AMPS }
      const on = phases === 1 ? [0] : evse.phases
      const floor = evse.charge && minWatts ? leastOfEvse({ minAmps: 0, minWatts }, evse, voltage) : 0
      demands.set(name, {
        floor: sum(before.floor, onPhases(floor, on)),
        drawn: sum(before.drawn, onPhases(drawn.get(keyOf(evse)) ?? 0, on)),
      })
    }
  }
  return new Map(
    [...groups.values()].map((group) => [
      group.name,
      capacityOf(
        group,
        loads.get(group.name),
        externals.get(group.name),
        demands.get(group.name) ?? { floor: NO_AMPS, drawn: NO_AMPS },
        now,
      ),
    ]),
  )
}

/** Writes the orders: all cuts, then as many raises as there is room for (GROUP-A2). */
class Orders {
  readonly #orders: Order[] = []

  constructor(
    readonly connection: Connection,
    readonly lines: { readonly held: Lines; readonly room: Lines; readonly admitted: Lines },
    readonly shares: ReadonlyMap<string, Share>,
    readonly now: number,
    readonly revision: number,
  ) {}

  all(): readonly Order[] {
    const raises: GroupEvse[] = []
    for (const evse of this.connection.evses) {
      const share = this.shares.get(keyOf(evse))
      if (!share || !evse.isOnline || evse.holdsNoFallback || this.now < (evse.restsUntil ?? 0)) continue
      if (!this.#cutOrKeep(evse, share)) raises.push(evse)
    }
    // Those with the least are raised first.
    const level = (evse: GroupEvse): number => mayDraw(evse, this.now)
    for (const evse of raises.sort((one, other) => level(one) - level(other))) this.#raise(evse)
    return this.#orders
  }

  #cutOrKeep(evse: GroupEvse, share: Share): boolean {
    const { ledger } = evse
    const fallback = latest(ledger.fallback)
    if (!fallback) {
      this.#firstFallback(evse, share)
      return true
    }
    const cutsFallback = share.fallbackAmps < fallback.amps - NOTHING
    if (cutsFallback) this.#giveFallback(evse, share.fallbackAmps, 'cut')
    const lease = latest(ledger.lease)
    if (!lease) return cutsFallback
    // What is left of a charge would be given to the next one.
    const target = evse.charge ? this.#leaseTarget(evse, share) : Math.min(share.fallbackAmps, fallback.amps)
    const now = current(lease, this.now)
    const mayCut = !evse.charge || this.#isOverloaded(evse) || this.#mayChange(evse)
    if (target < now - NOTHING && mayCut) {
      this.#giveLease(evse, target, share, 'cut')
      return true
    }
    // What it falls to later must not be above the new fallback either.
    if (cutsFallback && lease.afterAmps > share.fallbackAmps + NOTHING) {
      this.#giveLease(evse, Math.min(target, lease.amps), share, 'cut')
      return true
    }
    if (target < now - NOTHING) return true
    const { until, endsAt = until } = lease
    const isLeft =
      endsAt !== undefined && this.now < (until ?? Number.POSITIVE_INFINITY) && lease.amps > lease.afterAmps
    if (!isLeft || endsAt - this.now >= this.#leaseMs(evse.group) / 2) return cutsFallback
    this.#giveLease(evse, Math.min(target, lease.amps), share, 'renew')
    return true
  }

  /** GROUP-A3: one for which there is no room gets 0, and more when there is. */
  #firstFallback(evse: GroupEvse, { fallbackAmps }: Share): void {
    const { admitted } = this.lines
    const under = admitted.under(evse.group, evse.phases)
    const amps = fallbackAmps <= admitted.room(under) + NOTHING ? fallbackAmps : 0
    admitted.take(under, amps)
    this.#giveFallback(evse, amps, 'cut')
  }

  #raise(evse: GroupEvse): void {
    const share = this.shares.get(keyOf(evse))
    const fallback = latest(evse.ledger.fallback)
    if (!share || !fallback || isFixed(evse) || !this.#mayChange(evse)) return
    this.#raiseFallback(evse, fallback, share)
    if (!evse.charge || !evse.ledger.fallback.accepted || isOnItsWay(evse, this.now)) return
    const under = this.lines.room.under(evse.group, evse.phases)
    const has = mayDraw(evse, this.now)
    const to = tenthsDown(Math.min(share.amps, has + Math.max(0, this.lines.room.room(under))))
    const least = minimumOf(evse, this.lines.room, this.connection.voltage)
    const isWorth = to - has >= WORTH_AMPS || (to > has + NOTHING && to >= share.amps - NOTHING)
    if (!isWorth || to < Math.min(least, evse.maxAmps) - NOTHING) return
    this.lines.room.take(under, to - has)
    this.#giveLease(evse, to, share, 'raise')
  }

  #raiseFallback(evse: GroupEvse, { amps }: Given, share: Share): void {
    const { ledger, fallbackChangedAt = 0 } = evse
    const isSettled = ledger.fallback.sent.length === 0 && this.now - fallbackChangedAt >= FALLBACK_RAISE_MS
    if (share.fallbackAmps <= amps + NOTHING || !isSettled) return
    const under = this.lines.room.under(evse.group, evse.phases)
    const delta = Math.max(0, share.fallbackAmps - mayDraw(evse, this.now))
    if (delta > this.lines.room.room(under) + NOTHING) return
    this.lines.room.take(under, delta)
    this.#giveFallback(evse, share.fallbackAmps, 'raise')
  }

  #leaseTarget(evse: GroupEvse, share: Share): number {
    return evse.overdraw ? Math.min(share.amps, latest(evse.ledger.lease)?.amps ?? 0) : share.amps
  }

  #mayChange({ changedAt }: GroupEvse): boolean {
    return changedAt === undefined || this.now - changedAt >= CHANGE_MS
  }

  /** The law demands it: more may be drawn than a line of this EVSE carries. */
  #isOverloaded(evse: GroupEvse): boolean {
    return this.lines.held.room(this.lines.held.under(evse.group, evse.phases)) < -NOTHING
  }

  #leaseMs(group: string): number {
    return Math.min(...this.lines.held.path(group).map(({ leaseMs }) => leaseMs))
  }

  #giveFallback({ chargePointId, evseId }: GroupEvse, amps: number, why: Order['why']): void {
    const given: Given = { revision: this.revision, amps, afterAmps: amps }
    this.#orders.push({ chargePointId, evseId, place: 'fallback', given, why })
  }

  #giveLease(evse: GroupEvse, amps: number, share: Share, why: Order['why']): void {
    const { chargePointId, evseId, clockAheadMs } = evse
    const leaseMs = this.#leaseMs(evse.group)
    const endsAt = this.now + leaseMs
    // What it falls to is at most the fallback that it is sure to hold.
    const afterAmps = Math.min(share.fallbackAmps, mostOfPlace(evse.ledger.fallback, this.now))
    const counts = evse.countsLeases ? { seconds: leaseMs / 1000 } : undefined
    const until = endOfGiven(endsAt, evse, counts !== undefined)
    const given: Given = { revision: this.revision, amps, until, endsAt, aheadMs: clockAheadMs, afterAmps, ...counts }
    this.#orders.push({ chargePointId, evseId, place: 'lease', given, why })
  }
}

function isOnItsWay({ ledger }: GroupEvse, now: number): boolean {
  return ledger.lease.sent.some(({ until }) => until === undefined || now < until)
}

/** GROUP-H4: the highest load of a connection: a car that takes all it is given stands at every free EVSE. */
export function allCharging(connection: Connection, now: number): Connection {
  const evses = connection.evses.map((evse) => {
    const { charge, maxAmps, chargePointId, evseId } = evse
    const id = `${chargePointId}/${evseId}`
    const full = { priority: 0, ...charge, id, startedAt: charge?.startedAt ?? now, wantAmps: maxAmps, isFull: false }
    return { ...evse, isOnline: true, charge: full }
  })
  return { ...connection, evses }
}
