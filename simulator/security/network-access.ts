/**
 * Where a station connects and with what it proves who it is: one address with its security profile at a time, others
 * to fall back to. OCPP 2.0.1 keeps them in slots with a priority (B09, B10), 1.6 knows the present profile alone.
 */

export type SecurityProfile = 0 | 1 | 2 | 3

export interface NetworkProfile {
  /** Without the identity. */
  readonly url: string
  readonly securityProfile: SecurityProfile
}

export interface NetworkAccess {
  readonly present: NetworkProfile
  use(profile: NetworkProfile): void
  /** Which to try after a reset, in their order; the first that works is kept. */
  candidates(): readonly NetworkProfile[]
  readonly slots: ReadonlyMap<number, NetworkProfile>
  /** False where a station has no such slot. */
  fill(slot: number, profile: NetworkProfile): boolean
  /** False where a slot is empty or said twice. */
  prefer(slots: readonly number[]): boolean
  /** 1.6: the profile alone; the address follows from it. */
  raise(securityProfile: SecurityProfile): void
}

export interface NetworkAccessStart extends NetworkProfile {
  /** 1.6: where the station connects with TLS; absent: the same address with `wss:`. */
  readonly secureUrl?: string
}

export const SLOTS: readonly number[] = [1, 2, 3]

export function createNetworkAccess(start: NetworkAccessStart): NetworkAccess {
  const first: NetworkProfile = { url: start.url, securityProfile: start.securityProfile }
  const slots = new Map<number, NetworkProfile>([[1, first]])
  let priority: readonly number[] = [1]
  let present = first
  let raised: NetworkProfile | undefined
  return {
    get present() {
      return present
    },
    use(profile) {
      present = profile
      if (![...slots.values()].includes(profile)) slots.set(1, profile)
      raised = undefined
    },
    candidates() {
      if (raised) return [raised, present]
      return priority.flatMap((slot) => slots.get(slot) ?? [])
    },
    slots,
    fill(slot, profile) {
      if (!SLOTS.includes(slot)) return false
      slots.set(slot, profile)
      return true
    },
    prefer(desired) {
      if (desired.length === 0 || new Set(desired).size < desired.length) return false
      if (!desired.every((slot) => slots.has(slot))) return false
      priority = desired
      return true
    },
    raise(securityProfile) {
      const url = securityProfile >= 2 ? (start.secureUrl ?? present.url.replace(/^ws:/, 'wss:')) : present.url
      raised = { url, securityProfile }
    },
  }
}

/** What an address and a password amount to, where nobody says the profile. */
export function usualProfile(url: string, password: string | undefined): SecurityProfile {
  if (password === undefined) return 0
  return url.startsWith('wss:') ? 2 : 1
}
