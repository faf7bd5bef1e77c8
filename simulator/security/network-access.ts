/**
 * Where a station connects and with what it proves who it is: one address with its security profile at a time, others
 * to fall back to. OCPP 2.0.1 keeps them in slots with a priority (B09, B10), 1.6 knows the present profile alone.
 */

import { rootCertificates } from 'node:tls'
import type { Access, Connection } from '../wire/connection.ts'
import type { Certificates } from './certificates.ts'

export type SecurityProfile = 0 | 1 | 2 | 3

export interface NetworkProfile {
  /** Without the identity. */
  readonly url: string
  readonly securityProfile: SecurityProfile
}

export const SLOTS: readonly number[] = [1, 2, 3]

export type NetworkAccess = ReturnType<typeof createNetworkAccess>

/** @param start of 1.6 with the address for TLS; absent: the same address with `wss:` */
export function createNetworkAccess(start: NetworkProfile & { readonly secureUrl?: string }) {
  const first: NetworkProfile = { url: start.url, securityProfile: start.securityProfile }
  const slots = new Map<number, NetworkProfile>([[1, first]])
  let priority: readonly number[] = [1]
  let present = first
  let raised: NetworkProfile | undefined
  return {
    get present() {
      return present
    },
    use(profile: NetworkProfile): void {
      present = profile
      if (![...slots.values()].includes(profile)) slots.set(1, profile)
      raised = undefined
    },
    /** Which to try after a reset, in their order; the first that works is kept. */
    candidates(): readonly NetworkProfile[] {
      if (raised) return [raised, present]
      return priority.flatMap((slot) => slots.get(slot) ?? [])
    },
    slots: slots as ReadonlyMap<number, NetworkProfile>,
    /** False where a station has no such slot. */
    fill(slot: number, profile: NetworkProfile): boolean {
      if (!SLOTS.includes(slot)) return false
      slots.set(slot, profile)
      return true
    },
    /** False where a slot is empty or named twice. */
    prefer(desired: readonly number[]): boolean {
      if (desired.length === 0 || new Set(desired).size < desired.length) return false
      if (!desired.every((slot) => slots.has(slot))) return false
      priority = desired
      return true
    },
    /** 1.6: the profile alone; the address follows from it. */
    raise(securityProfile: SecurityProfile): void {
      const url = securityProfile >= 2 ? (start.secureUrl ?? present.url.replace(/^ws:/, 'wss:')) : present.url
      raised = { url, securityProfile }
    },
  }
}

/** The profile that an address and a password imply, where none is named. */
export function usualProfile(url: string, password: string | undefined): SecurityProfile {
  if (password === undefined) return 0
  return url.startsWith('wss:') ? 2 : 1
}

/** Installed roots are trusted besides those of the machine: a station knows the authorities of public servers. */
export function accessOf({ url, securityProfile }: NetworkProfile, { trusted, own }: Certificates): Access {
  const isByCertificate = securityProfile === 3 && own !== undefined
  return {
    url,
    usesPassword: !isByCertificate,
    ...(trusted.length > 0 && { ca: [...rootCertificates, ...trusted] }),
    ...(isByCertificate && { cert: own.chain, key: own.key }),
  }
}

/** SIM-A10: the first network profile that works; the present one stays where none does. */
export async function connectByPriority(
  network: NetworkAccess,
  connection: Connection,
  note: (text: string) => void,
): Promise<void> {
  const before = network.present
  const desired = network.candidates()
  for (const [position, profile] of desired.entries()) {
    network.use(profile)
    const failure = await connection.connect().then(
      () => undefined,
      (error: Error) => error,
    )
    if (!failure) return
    note(`security profile ${profile.securityProfile} does not work: ${failure.message}`)
    if (position < desired.length - 1) continue
    network.use(before)
    throw failure
  }
}
