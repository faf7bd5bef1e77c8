/** Changing a charge point's registration (API-A5); approving and rejecting is one such change. */

import type { Core } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { ChargePointChange, Writes } from '../../domain/ports/storage.ts'
import type { ChargePoint, ChargePointView } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFault, refuseFaults } from '../../domain/refuse.ts'
import { refuseTooManyLabels, tooManyLabels } from './labels.ts'
import { needsPassword, passwordFaults, passwordHashFor, type Random } from './password.ts'

export interface RequestedChange {
  readonly name?: string | null | undefined
  readonly password?: string | null | undefined
  readonly securityProfile?: 0 | 1 | 2 | 3 | undefined
  readonly protocols?: readonly string[] | null | undefined
  readonly validation?: 'strict' | 'lenient' | 'off' | null | undefined
  readonly registrationStatus?: ChargePoint['registrationStatus'] | undefined
  readonly disabled?: boolean | undefined
  readonly labels?: Readonly<Record<string, string | null>> | undefined
  readonly acceptExpired?: boolean | undefined
  readonly subjectCheck?: NonNullable<ChargePoint['subjectCheck']> | undefined
  readonly expectedSerialNumber?: string | null | undefined
}

/** Refuses with 400 `password_rule`, `password_not_used`, `password_required`; 404 when the charge point is gone. */
export async function changeChargePoint(
  {
    writes,
    core,
    settings,
    random,
  }: {
    readonly writes: Pick<Writes, 'updateChargePoint'>
    /** Absent beside the server: what is connected stays connected. */
    readonly core?: Pick<Core, 'disconnect'> | undefined
    readonly settings: { readonly secretKey: Uint8Array }
    readonly random: Random
  },
  before: ChargePoint,
  requested: RequestedChange,
): Promise<ChargePointView | Refusal> {
  const refusal = refusePassword(before, requested)
  if (refusal) return refusal
  if (tooManyLabels(before.labels ?? {}, requested.labels ?? {})) return refuseTooManyLabels()
  const change = changeOf(before, requested, settings.secretKey, random)
  const after = await writes.updateChargePoint(before.accountId, before.id, change)
  if (!after) return noSuch('charge point')
  const disconnect = reasonToDisconnect(before, requested)
  if (disconnect !== undefined) await core?.disconnect(before.id, disconnect)
  return after
}

function refusePassword(before: ChargePoint, requested: RequestedChange): Refusal | undefined {
  const { password } = requested
  const securityProfile = profileAfter(before, requested)
  if (password === null && needsPassword(securityProfile)) {
    return passwordRequired(securityProfile, 'send a new one, or profile 0')
  }
  // A pending or rejected charge point can do nothing: only an accepted one needs a password.
  const accepted = (requested.registrationStatus ?? before.registrationStatus) === 'Accepted'
  if (accepted && password === undefined && needsPassword(securityProfile) && before.passwordHash === undefined) {
    return passwordRequired(securityProfile, 'send the one that the charge point will use, or profile 0')
  }
  const faults = passwordFaults({ password, securityProfile })
  return faults.length > 0 ? refuseFaults(faults) : undefined
}

function passwordRequired(securityProfile: number, remedy: string): Refusal {
  return refuseFault('/password', 'password_required', `is needed by security profile ${securityProfile}: ${remedy}`)
}

function changeOf(
  before: ChargePoint,
  requested: RequestedChange,
  secretKey: Uint8Array,
  random: Random,
): ChargePointChange {
  const { password, ...change } = requested
  const profile = profileAfter(before, requested)
  const secret = typeof password === 'string' ? passwordHashFor(password, profile, secretKey, random) : undefined
  const removed = password === null || profile === 0
  return { ...change, ...(secret ? { passwordHash: secret.hash } : removed && { passwordHash: null }) }
}

function reasonToDisconnect(before: ChargePoint, requested: RequestedChange): string | undefined {
  if (requested.disabled && !before.disabled) return 'disabled'
  if (requested.password !== undefined) return 'password changed'
  return profileAfter(before, requested) === before.securityProfile ? undefined : 'security profile changed'
}

function profileAfter(before: ChargePoint, requested: RequestedChange): ChargePoint['securityProfile'] {
  return requested.securityProfile ?? before.securityProfile
}
