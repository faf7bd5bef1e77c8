/** HOOK-S6: at most so many attempts a minute, counted in slots of five seconds, so that little is stored. Pure. */

/** Attempts per slot, oldest first. */
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
