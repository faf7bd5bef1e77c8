import type { Capability } from '../../domain/ports/capability.ts'
import type { Payload } from '../payload.ts'
import { isObject } from './payload.ts'

/**
 * OIDC-C11: a start may bring a charging profile. One for its own transaction ends with it; one of any other kind, or
 * for another transaction, would limit the charge point or somebody else.
 */
export function startBeyond({ chargingProfile: profile }: Payload): Capability | undefined {
  if (profile === undefined) return undefined
  const isOwn =
    isObject(profile) && profile.chargingProfilePurpose === 'TxProfile' && profile.transactionId === undefined
  return isOwn ? undefined : 'limits'
}
