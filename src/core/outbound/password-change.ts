/**
 * OCPP-AU6: a command that sets the charge point's password. While its outcome is unknown both passwords are valid;
 * Accepted leaves only the new one, a refusal or a command that was never sent only the old one, and without an answer
 * the next login decides (ocpp/admission.ts). After RebootRequired the old one is good until the new one was used: a
 * station that loses its connection before it reboots comes back with it.
 */
import { randomBytes } from 'node:crypto'
import { afterReboot, hashPassword } from '../../ocpp/credentials.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { OutgoingCall } from '../../ocpp/version.ts'
import type { Writes } from '../../ports/storage.ts'
import type { CoreContext } from '../context.ts'
import type { FoundStation } from '../orders/find-station.ts'
import type { Settlement } from './outgoing.ts'

export type PasswordStore = Pick<Writes, 'updateChargePoint'>

export interface PasswordChange {
  settled(settlement: Settlement): void
  /** The command was refused before it could be sent. */
  abandoned(): void
}

/** Makes the new password valid beside the old one before the command may leave; undefined for other commands. */
export async function beginPasswordChange(
  context: CoreContext,
  store: PasswordStore,
  { station, version }: FoundStation,
  call: OutgoingCall,
): Promise<PasswordChange | undefined> {
  const password = version.newPassword(call)
  if (password === undefined) return undefined
  const { id, accountId, passwordHash: old } = station.chargePoint
  const fresh = hashPassword(password, Buffer.from(context.settings.secretKey), randomBytes(16))
  const keep = async (passwordHash: string | null): Promise<void> => {
    await store.updateChargePoint(accountId, id, { passwordHash })
    context.stations.registrationsChanged()
  }
  const both = old === undefined ? fresh : `${fresh} ${old}`
  await keep(both)
  const keepOrLog = (passwordHash: string | null): void => {
    keep(passwordHash).catch((error: Error) =>
      context.log.error({ chargePoint: id, error: error.message }, 'which passwords are valid could not be stored'),
    )
  }
  const outcome = (settlement: Settlement): string | undefined => {
    const taken = settlement.status === 'success' ? version.passwordTaken(call, object(settlement.payload)) : undefined
    if (taken === undefined) return old
    return taken === 'now' || old === undefined ? fresh : `${afterReboot(fresh)} ${old}`
  }
  return {
    settled(settlement) {
      if (settlement.status === 'dropped' && settlement.unsent) return keepOrLog(old ?? null)
      // A login with the old password while the command still waited has ruled out the new one: it is possible again.
      if (settlement.status === 'timeout' || settlement.status === 'dropped') return keepOrLog(both)
      keepOrLog(outcome(settlement) ?? null)
    },
    abandoned: () => keepOrLog(old ?? null),
  }
}
