/**
 * OCPP-AU6: both passwords are valid until a change has an outcome; without an answer the next login decides
 * (ocpp/admission.ts). After RebootRequired the old one stays until the new one is used.
 */
import type { PasswordHashes } from '../../domain/outgoing-calls/records.ts'
import { afterReboot, hashPassword, without } from '../../ocpp/credentials.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import type { FoundStation } from '../operations/find-station.ts'
import { type CallOutcome, UNSENT } from './call-outcome.ts'

/** Makes the new password valid beside the old. @param proof its hash; only its login ends the old one (OCPP-AU8) */
export async function beginPasswordChange(
  context: CoreContext,
  { station, version }: FoundStation,
  call: OutgoingCall,
  proof?: string,
): Promise<PasswordHashes | undefined> {
  const password = version.newPasswords(call).at(-1)?.password
  if (password === undefined) return undefined
  const fresh = proof ?? hashPassword(password, Buffer.from(context.settings.secretKey), context.random(16))
  const { passwordHash = '' } = station.chargePoint
  const old = without(passwordHash, fresh)
  const untilLogin = proof === undefined ? {} : ({ untilLogin: true } as const)
  const hashes = { fresh, old, ...untilLogin }
  await keep(context, station, both(hashes))
  return hashes
}

export function settlePasswords(
  context: CoreContext,
  station: Station,
  version: OcppVersion,
  call: OutgoingCall,
  hashes: PasswordHashes,
  outcome: CallOutcome,
): void {
  // A login with the new password came before the end of the call: the old one is invalid.
  if (hashes.old !== undefined && station.chargePoint.passwordHash === hashes.fresh) return
  keep(context, station, validAfter(version, call, hashes, outcome)).catch((error: Error) =>
    context.log.error({ chargePoint: station.id, error: error.message }, 'the valid passwords could not be stored'),
  )
}

export function abandonPassword(
  context: CoreContext,
  { station, version }: FoundStation,
  call: OutgoingCall,
  hashes: PasswordHashes,
): void {
  settlePasswords(context, station, version, call, hashes, UNSENT)
}

function validAfter(
  version: OcppVersion,
  call: OutgoingCall,
  hashes: PasswordHashes,
  outcome: CallOutcome,
): string | null {
  const { fresh, old = null, untilLogin = false } = hashes
  if (outcome.status === 'dropped' && outcome.unsent) return old
  // A login with the old password while the command waited excluded the new one: it is possible again.
  if (outcome.status === 'timeout' || outcome.status === 'dropped') return both(hashes)
  const taken = outcome.status === 'success' ? version.passwordTaken(call, object(outcome.payload)) : undefined
  if (taken === undefined) return old
  return (taken === 'now' && !untilLogin) || old === null ? fresh : `${afterReboot(fresh)} ${old}`
}

function both({ fresh, old }: PasswordHashes): string {
  return old === undefined ? fresh : `${fresh} ${old}`
}

async function keep(context: CoreContext, { id, chargePoint }: Station, passwordHash: string | null): Promise<void> {
  await context.writes.updateChargePoint(chargePoint.accountId, id, { passwordHash })
  context.stations.registrationsChanged()
}
