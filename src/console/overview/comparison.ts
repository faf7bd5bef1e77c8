/** Today beside the same weekday: what was delivered until now, and what was drawn (CONSOLE-A24). Pure. */
import type { EnergySlot } from '../../domain/ports/storage-queries.ts'
import { DAY_MS, startOfDay } from '../../domain/time-zone.ts'

export const QUARTER_MS = 900_000
const MILLI_WH_PER_KWH = 1e6

export interface Days {
  /** When today began, and when it ends; ms since the epoch. */
  readonly today: number
  readonly tomorrow: number
  readonly then: number
  readonly sameMoment: number
}

/** By the clocks of the zone: a day of 23 or 25 hours is still a day. */
export function daysAt(now: number, timeZone: string): Days {
  const today = startOfDay(now, timeZone)
  // At noon clocks are not put back or forward.
  const then = startOfDay(today - 6.5 * DAY_MS, timeZone)
  return { today, then, tomorrow: startOfDay(today + 1.5 * DAY_MS, timeZone), sameMoment: then + (now - today) }
}

/** What was delivered from then until then, in kWh; of a quarter that is not over, its share. */
export function energyBetween(slots: readonly EnergySlot[], from: number, to: number): number {
  return slots.reduce((sum, slot) => {
    const share = Math.min(1, (to - slot.from) / QUARTER_MS)
    return slot.from >= from && share > 0 ? sum + (share * slot.milliWh) / MILLI_WH_PER_KWH : sum
  }, 0)
}

/** Mean power of the quarter of an hour that holds the moment, in kW. */
export function powerAt(slots: readonly EnergySlot[], at: number): number {
  const slot = slots.find(({ from }) => from <= at && at < from + QUARTER_MS)
  return slot ? meanPower(slot) : 0
}

interface PowerPoint {
  readonly at: number
  readonly value: number
}

/** Mean power of each quarter of an hour that is over, in kW, by the time since the day began. */
export function powerOfDay(slots: readonly EnergySlot[], from: number, to: number): readonly PowerPoint[] {
  const known = new Map(slots.map((slot) => [slot.from, slot]))
  const length = Math.max(0, Math.floor((to - from) / QUARTER_MS))
  return Array.from({ length }, (_, index) => {
    const at = from + index * QUARTER_MS
    const slot = known.get(at)
    return { at: index * QUARTER_MS + QUARTER_MS / 2, value: slot ? meanPower(slot) : 0 }
  })
}

function meanPower({ milliWh }: EnergySlot): number {
  return (Math.max(0, milliWh) / MILLI_WH_PER_KWH) * 4
}

export function changeOf(now: number, then: number): number | undefined {
  return then > 0 ? ((now - then) / then) * 100 : undefined
}
