/** What a car takes of what it is offered: who leaves some of it gives that away, and gets it back (GROUP-S6). */
import { LEAST_AMPS } from '../charging/profile.ts'

/** Less by so much, for so long. */
const LEAVES_AMPS = 2
const LEAVES_MS = 5 * 60_000
const BACK_AMPS = 3
const BACK_MS = 2 * 60_000
/** A meter's error, and a ramp. */
const CLOSE_AMPS = 1

export interface Demand {
  readonly wantAmps: number
  readonly leavesSince?: number | undefined
  readonly grewAt?: number | undefined
  /** It draws nothing by its own choice. */
  readonly isFull?: boolean | undefined
}

interface Drawing {
  readonly allowedAmps: number
  readonly drawnAmps: number
  readonly maxAmps: number
  readonly minAmps: number
}

export function nextDemand(before: Demand | undefined, drawing: Drawing, now: number): Demand {
  const { allowedAmps, drawnAmps, maxAmps, minAmps } = drawing
  const { wantAmps, leavesSince, grewAt, isFull } = before ?? { wantAmps: maxAmps }
  if (allowedAmps < LEAST_AMPS) return { wantAmps }
  if (drawnAmps <= allowedAmps - LEAVES_AMPS) {
    const since = leavesSince ?? now
    if (now - since < LEAVES_MS) return { wantAmps, leavesSince: since, ...(isFull && { isFull }) }
    return { wantAmps: Math.max(minAmps, Math.ceil(drawnAmps)), leavesSince: since, isFull: drawnAmps < CLOSE_AMPS }
  }
  const takesAll = drawnAmps >= allowedAmps - CLOSE_AMPS
  // It may grow only where its own demand, and not the line, is what holds it.
  if (!takesAll || wantAmps >= maxAmps || wantAmps > allowedAmps + CLOSE_AMPS) {
    return { wantAmps, grewAt }
  }
  if (grewAt !== undefined && now - grewAt < BACK_MS) return { wantAmps, grewAt }
  return { wantAmps: Math.min(maxAmps, wantAmps + BACK_AMPS), grewAt: now }
}

/** GROUP-A5: it draws what it is allowed, and could draw more: so it is its limit that holds it. */
export function obeys(drawnAmps: number, { allowedAmps, maxAmps }: Pick<Drawing, 'allowedAmps' | 'maxAmps'>): boolean {
  return allowedAmps < maxAmps - 2 && Math.abs(drawnAmps - allowedAmps) <= 1
}
