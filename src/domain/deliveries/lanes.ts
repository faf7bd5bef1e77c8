/** Which due deliveries start now (HOOK-F1, HOOK-F2, HOOK-R6): a lane per subscription, served in turn. Pure. */

export interface Candidate {
  readonly id: string
  readonly orderKey: string
}

interface LanePosition {
  readonly subscriptionId: string
  readonly ownerId: string
  /** host:port of the receiver: many subscriptions may name one. */
  readonly host: string
  readonly consecutiveFailures: number
  readonly answerMs?: number | undefined
}

export interface Lane extends LanePosition {
  /** In the order in which they are due; only as many are read as are looked at. */
  readonly due: Iterable<Candidate>
  /** How many the receiver allows now (HOOK-S6); absent: as many as come. */
  readonly allowance?: number | undefined
}

export interface Flying extends LanePosition {
  readonly orderKey: string
}

interface LaneLimits {
  readonly total: number
  /** At most one in so many of the places that no other owner holds, so the next owner always finds a place. */
  readonly ownerShare: number
  readonly perSubscription: number
  readonly perHost: number
  /** HOOK-R6: from this many failures in a row on, one probe at a time. */
  readonly probeAfter: number
}

export const LANE_LIMITS: LaneLimits = { total: 64, ownerShare: 4, perSubscription: 4, perHost: 8, probeAfter: 5 }

/** Ids in the order of their start. @param after the subscription served last: the turn goes on behind it */
export function chooseDeliveries(
  lanes: readonly Lane[],
  flying: readonly Flying[],
  after: string | undefined,
  limits: LaneLimits = LANE_LIMITS,
): { readonly chosen: readonly string[]; readonly last: string | undefined } {
  const places = takenPlaces(limits)
  for (const one of flying) places.take(one)
  const busy = new Set(flying.map(orderOf))
  const chosen: string[] = []
  let last = after
  let waiting = inTurn(lanes, after).map((lane) => ({
    lane,
    due: undefined as Iterator<Candidate> | undefined,
    left: lane.allowance ?? Number.POSITIVE_INFINITY,
  }))
  while (waiting.length > 0 && places.isAnyFree()) {
    const more: typeof waiting = []
    for (const turn of waiting) {
      const { lane } = turn
      if (turn.left === 0 || !places.mayTake(lane)) continue
      turn.due ??= lane.due[Symbol.iterator]()
      const candidate = firstNotBusy(turn.due, lane, busy)
      if (!candidate) continue
      chosen.push(candidate.id)
      busy.add(orderOf({ subscriptionId: lane.subscriptionId, orderKey: candidate.orderKey }))
      places.take(lane)
      last = lane.subscriptionId
      turn.left--
      more.push(turn)
    }
    waiting = more
  }
  return { chosen, last }
}

/** Receivers that fail or are slow have one place each, and together at most half of every other limit. */
function takenPlaces(limits: LaneLimits) {
  const all = tally()
  const probes = tally()
  const isProbed = ({ consecutiveFailures, answerMs }: LanePosition): boolean =>
    consecutiveFailures >= limits.probeAfter || isSlow(answerMs)
  const ownerLimit = (ownerId: string): number =>
    Math.max(1, Math.floor((limits.total - all.total() + all.of('owner', ownerId)) / limits.ownerShare))
  return {
    isAnyFree: () => all.total() < limits.total,
    mayTake(place: LanePosition): boolean {
      const { subscriptionId, ownerId, host } = place
      const fits = (taken: typeof all, share: number): boolean =>
        taken.total() < limits.total * share &&
        taken.of('owner', ownerId) < ownerLimit(ownerId) * share &&
        taken.of('host', host) < limits.perHost * share
      const probed = isProbed(place)
      const own = all.of('subscription', subscriptionId)
      return own < (probed ? 1 : limits.perSubscription) && fits(all, 1) && (!probed || fits(probes, 0.5))
    },
    take(place: LanePosition): void {
      all.add(place)
      if (isProbed(place)) probes.add(place)
    },
  }
}

function tally() {
  const taken = new Map<string, number>()
  let total = 0
  const count = (key: string): void => {
    taken.set(key, (taken.get(key) ?? 0) + 1)
  }
  return {
    total: () => total,
    of: (holder: 'subscription' | 'owner' | 'host', name: string) => taken.get(`${holder} ${name}`) ?? 0,
    add({ subscriptionId, ownerId, host }: LanePosition): void {
      total++
      count(`subscription ${subscriptionId}`)
      count(`owner ${ownerId}`)
      count(`host ${host}`)
    },
  }
}

export function hostOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** HOOK-F2: while an event of a session is being sent, no other event of it starts; those passed over start later. */
function firstNotBusy(
  due: Iterator<Candidate>,
  { subscriptionId }: LanePosition,
  busy: ReadonlySet<string>,
): Candidate | undefined {
  for (let next = due.next(); next.done !== true; next = due.next()) {
    if (!busy.has(orderOf({ subscriptionId, orderKey: next.value.orderKey }))) return next.value
  }
  return undefined
}

function inTurn(lanes: readonly Lane[], after: string | undefined): readonly Lane[] {
  const sorted = [...lanes].sort((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1))
  const start = after === undefined ? 0 : sorted.findIndex(({ subscriptionId }) => subscriptionId > after)
  return start <= 0 ? sorted : [...sorted.slice(start), ...sorted.slice(0, start)]
}

function orderOf({ subscriptionId, orderKey }: { subscriptionId: string; orderKey: string }): string {
  return `${subscriptionId} ${orderKey}`
}

/** One slow answer does not make a receiver slow, and a few quick ones make it quick again. */
const SHARE_OF_NEWEST = 0.25

/** Receivers should answer at once and work afterwards. From this duration on, other receivers get the places. */
const SLOW_MS = 3000

/**
 * HOOK-F1: with one more attempt, whatever its result: how long it held its place counts. @param answerMs absent: none
 * yet
 */
export function withAttempt(answerMs: number | undefined, durationMs: number): number {
  const before = answerMs ?? 0
  return Math.round(before + (Math.max(0, durationMs) - before) * SHARE_OF_NEWEST)
}

export function isSlow(answerMs: number | undefined): boolean {
  return answerMs !== undefined && answerMs >= SLOW_MS
}

export type RateSpent = readonly (readonly [slot: number, attempts: number])[]

const SLOT_MS = 5000
/** A minute and the slot in which it begins: nothing of the last 60 seconds is outside of them. */
const SLOTS = 13

export function allowance(ratePerMinute: number, spent: RateSpent, now: number): number {
  const attempts = recent(spent, now).reduce((sum, [, count]) => sum + count, 0)
  return Math.max(0, ratePerMinute - attempts)
}

export function spend(spent: RateSpent, now: number): RateSpent {
  const slot = slotOf(now)
  const kept = recent(spent, now)
  const before = kept.filter(([other]) => other !== slot)
  const [, attempts = 0] = kept.find(([other]) => other === slot) ?? []
  return [...before, [slot, attempts + 1]]
}

/** As counted by a clock that was put back meanwhile: the same attempts, as long ago as they are (HOOK-F7). */
export function putBack(spent: RateSpent, backMs: number, now: number): RateSpent {
  const slots = new Map<number, number>()
  for (const [slot, attempts] of spent) {
    const moved = Math.min(slot - Math.floor(backMs / SLOT_MS), slotOf(now))
    slots.set(moved, (slots.get(moved) ?? 0) + attempts)
  }
  return [...slots]
}

/** Slots of the future are those of a clock that was set back since: they would block deliveries. */
function recent(spent: RateSpent, now: number): RateSpent {
  const slot = slotOf(now)
  return spent.filter(([other]) => other <= slot && other > slot - SLOTS)
}

function slotOf(now: number): number {
  return Math.floor(now / SLOT_MS)
}
