import type { Fault } from '../../domain/message-log/fault.ts'
import type { ChargePoint } from '../../domain/ports/storage-records.ts'
import { fitsPasswordRule, generatePassword, hashPassword, PASSWORD_RULE } from '../../ocpp/credentials.ts'

const SALT_BYTES = 16

export type Random = (bytes: number) => Buffer

/** Profile 3 proves itself with its certificate; a password from before stays until it is removed. */
export function needsPassword(securityProfile: ChargePoint['securityProfile']): boolean {
  return securityProfile === 1 || securityProfile === 2
}

export function passwordFaults({
  password,
  securityProfile,
}: {
  readonly password?: unknown
  readonly securityProfile?: unknown
}): readonly Fault[] {
  if (typeof password !== 'string') return []
  const fault = (code: string, message: string): readonly Fault[] => [{ pointer: '/password', code, message }]
  if (securityProfile === 0 || securityProfile === 3) {
    return fault(
      'password_not_used',
      `is not used with security profile ${securityProfile}: send securityProfile 1 with it, or leave it out`,
    )
  }
  return fitsPasswordRule(password) ? [] : fault('password_rule', PASSWORD_RULE)
}

/** The hash to store, and the password if we made it. Undefined: security profile 0 or 3 without a password. */
export function passwordHashFor(
  password: string | undefined,
  securityProfile: ChargePoint['securityProfile'],
  secretKey: Uint8Array,
  random: Random,
): { readonly hash: string; readonly generated?: string | undefined } | undefined {
  if (password === undefined && !needsPassword(securityProfile)) return undefined
  const text = password ?? generatePassword(random)
  const hash = hashPassword(text, secretKey, random(SALT_BYTES))
  return { hash, ...(password === undefined && { generated: text }) }
}
