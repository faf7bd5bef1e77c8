/** Changes the limits of a charge that runs, or has not begun (OCPP21-C3). */

import type { ChargeLimits } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { limitsDue } from '../../domain/sessions/limits/at-station.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'

export async function changeSessionLimits(
  { core, reads }: Pick<UseCaseContext, 'core' | 'reads'>,
  session: Session,
  limits: ChargeLimits,
): Promise<Session | Refusal> {
  const { id: sessionId, accountId, chargePointId } = session
  if (limits.costMicros !== undefined && session.transactionId !== undefined && !session.tariff) return NO_TARIFF
  const input = { kind: 'sessionLimitsChanged', sessionId, limits } as const
  const outcome = await core.decideBlock({ accountId, chargePointId, input })
  if ('status' in outcome) return outcome
  const changed = await reads.findSession(sessionId)
  if (!changed) return noSuch('session')
  const station = await reads.findChargePoint(chargePointId)
  const call = versionOf(station?.status.protocol)?.transactionTrigger?.(changed.evseId)
  // Refused while the station is away: its next message is answered with them all the same.
  if (call && changed.transactionId !== undefined && limitsDue(changed)) {
    const { method, request } = call
    await core.sendCommand({ accountId, chargePointId, method, request, waitMs: 0 })
  }
  return changed
}

const NO_TARIFF = refuse(422, 'no_tariff', 'The session has no tariff, so its cost cannot be limited.', [
  { pointer: '/limits/cost', code: 'no_tariff', message: 'needs a tariff that the session began with' },
])
