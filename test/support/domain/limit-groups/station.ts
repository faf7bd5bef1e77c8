/** A station of the simulated connection: what it really holds and allows. */
import type { Order } from '../../../../src/domain/limit-groups/plan.ts'

export interface Station {
  readonly id: string
  group: string
  readonly phases: readonly number[]
  readonly maxAmps: number
  /** Milliseconds that its clock is ahead. */
  skewMs: number
  /** It takes no less. */
  leastAmps: number
  isOnline: boolean
  /** Its profile engine. */
  fallback?: number | undefined
  lease?: { readonly amps: number; readonly afterAmps: number; readonly endsAt: number } | undefined
  charge?: string | undefined
  /** What others set above ours, until ours is put above that. */
  foreignAmps?: number | undefined
  /** Once, or now and then by chance. */
  refusesNext: boolean
  refusesByChance: boolean
  /** OCPP21-C1: it counts a lease that is new from when it arrives. */
  readonly counts: boolean
  /** On the line, in order; a lost connection loses all of it. */
  toStation: { readonly at: number; readonly order: Order; readonly seconds?: number | undefined }[]
  toServer: { readonly at: number; readonly apply: () => void }[]
  /** What it tells once it is back. */
  unreported: (() => void)[]
}

export function newStation(of: Pick<Station, 'id' | 'group' | 'phases' | 'maxAmps' | 'skewMs' | 'counts'>): Station {
  const obeys = { leastAmps: 0, isOnline: true, refusesNext: false, refusesByChance: false }
  return { ...of, ...obeys, toStation: [], toServer: [], unreported: [] }
}

/** By its own clock and profile engine. */
export function allowedBy({ fallback, lease, charge, skewMs, foreignAmps = 0 }: Station, now: number): number {
  // One that holds nothing yet does not let anybody charge.
  if (fallback === undefined) return 0
  if (!lease || !charge) return Math.max(fallback, foreignAmps)
  return Math.max(fallback, foreignAmps, now + skewMs < lease.endsAt ? lease.amps : lease.afterAmps)
}
