/** Rules of a charge point's password and of changes to its registration (contract §3). */

import type { Fault } from '../commands/fault.ts'
import { checkPasswordRule, generatePassword, hashPassword } from '../ocpp/credentials.ts'
import type { ChargePoint, ChargePointChange, ChargePointView } from '../ports/storage.ts'
import type { ApiParts } from './parts.ts'
import { invalidRequest, notFound, type Problem } from './problem.ts'

const SALT_BYTES = 16

type Random = (bytes: number) => Buffer

/**
 * The hash to store, and the password if we made it. Undefined: security profile 0 without a password.
 * @throws Problem 400 `password_rule`
 */
export function passwordHashFor(
  password: string | undefined,
  securityProfile: ChargePoint['securityProfile'],
  secretKey: Uint8Array,
  random: Random,
): { readonly hash: string; readonly generated?: string } | undefined {
  if (password === undefined && securityProfile === 0) return undefined
  const faults = passwordFaults({ password, securityProfile })
  if (faults.length > 0) throw invalidRequest(faults)
  const text = password ?? generatePassword(random)
  const hash = hashPassword(text, secretKey, random(SALT_BYTES))
  return { hash, ...(password === undefined && { generated: text }) }
}

/** Of a password that is text. */
export function passwordFaults({
  password,
  securityProfile,
}: {
  readonly password?: unknown
  readonly securityProfile?: unknown
}): readonly Fault[] {
  if (typeof password !== 'string') return []
  const fault = (code: string, message: string): readonly Fault[] => [{ pointer: '/password', code, message }]
  if (securityProfile === 0) {
    return fault(
      'password_not_used',
      'is not used with security profile 0: send securityProfile 1 with it, or leave it out',
    )
  }
  if (checkPasswordRule(password) === undefined) return []
  return fault('password_rule', 'must have 16 to 40 characters and no control characters')
}

export interface RequestedChange {
  readonly name?: string | null
  readonly password?: string | null
  readonly securityProfile?: 0 | 1 | 2
  readonly protocols?: readonly string[] | null
  readonly validation?: 'strict' | 'lenient' | 'off' | null
  readonly registrationStatus?: ChargePoint['registrationStatus']
  readonly disabled?: boolean
}

/**
 * Applies a change: PATCH and the dashboard.
 * @throws Problem 400 `password_rule`, `password_required`; 404 when the charge point is gone
 */
export async function changeChargePoint(
  {
    writes,
    core,
    settings,
    random,
  }: Pick<ApiParts, 'writes' | 'random'> & {
    readonly core: Pick<ApiParts['core'], 'disconnect'>
    readonly settings: Pick<ApiParts['settings'], 'secretKey'>
  },
  before: ChargePoint,
  requested: RequestedChange,
): Promise<ChargePointView> {
  const { change, disconnect } = changeOf(before, requested, settings.secretKey, random)
  const after = await writes.updateChargePoint(before.accountId, before.id, change)
  if (!after) throw notFound('charge point')
  if (disconnect !== undefined) await core.disconnect(before.id, disconnect)
  return after
}

/** What to store, and why the connection must be closed, if it must. */
function changeOf(
  before: ChargePoint,
  requested: RequestedChange,
  secretKey: Uint8Array,
  random: Random,
): { readonly change: ChargePointChange; readonly disconnect?: string } {
  const { password, ...change } = requested
  const profile = requested.securityProfile ?? before.securityProfile
  if (password === null && profile !== 0) {
    throw fault('password_required', `is needed by security profile ${profile}: send a new one, or profile 0`)
  }
  // Who waits or was rejected can do nothing: only whoever is let in needs a password.
  const accepted = (requested.registrationStatus ?? before.registrationStatus) === 'Accepted'
  if (accepted && password === undefined && profile !== 0 && before.passwordHash === undefined) {
    throw fault(
      'password_required',
      `is needed by security profile ${profile}: send the one that the charge point will use, or profile 0`,
    )
  }
  const secret = typeof password === 'string' ? passwordHashFor(password, profile, secretKey, random) : undefined
  const removed = password === null || profile === 0
  const disconnect = reasonToDisconnect(before, requested)
  return {
    change: { ...change, ...(secret ? { passwordHash: secret.hash } : removed && { passwordHash: null }) },
    ...(disconnect !== undefined && { disconnect }),
  }
}

function reasonToDisconnect(before: ChargePoint, requested: RequestedChange): string | undefined {
  if (requested.disabled && !before.disabled) return 'disabled'
  if (requested.password !== undefined) return 'password changed'
  const profile = requested.securityProfile ?? before.securityProfile
  return profile === before.securityProfile ? undefined : 'security profile changed'
}

function fault(code: string, message: string): Problem {
  return invalidRequest([{ pointer: '/password', code, message }])
}
