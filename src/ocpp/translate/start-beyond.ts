import type { Capability } from '../../domain/ports/capability.ts'
import type { Payload } from '../payload.ts'
import { isObject } from './payload.ts'

/** OIDC-C11: a profile that outlives its transaction would limit the charge point or other drivers. */
export function startBeyond({ chargingProfile: profile }: Payload): Capability | undefined {
  if (profile === undefined) return undefined
  const isOwn =
    isObject(profile) && profile.chargingProfilePurpose === 'TxProfile' && profile.transactionId === undefined
  return isOwn ? undefined : 'limits'
}
