/** What the API and the console do with limits of a charge point by name (CHARGING-S3). */

import type { ChargingDemand } from '../../domain/charging/records.ts'
import type { ChargeLimits } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refusalIn, refuse } from '../../domain/refuse.ts'
import { limitsDue } from '../../domain/sessions/limits/at-station.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { type AskedLimit, capsOf, isLimit, limitFault, MAX_LIMITS, ownerOf, representLimit } from './limits.ts'

export type LimitContext = Pick<UseCaseContext, 'reads' | 'core' | 'now'> & WithSettings<'voltage'>

type Station = Pick<ChargePointView, 'id' | 'accountId'>

export async function demandsOf(
  { reads }: Pick<LimitContext, 'reads'>,
  chargePointId: string,
): Promise<readonly ChargingDemand[]> {
  return reads.listRecords('charging_demands', { where: { chargePointId }, limit: 500 })
}

export async function findLimit(
  place: Pick<LimitContext, 'reads'>,
  chargePointId: string,
  name: string,
): Promise<ChargingDemand | Refusal> {
  const all = await demandsOf(place, chargePointId)
  return all.find(({ owner }) => owner === ownerOf(name)) ?? noSuch('limit')
}

export async function putLimit(
  place: LimitContext,
  { accountId, id: chargePointId }: Station,
  name: string,
  asked: AskedLimit,
  grantId?: string,
): Promise<{ readonly before: boolean; readonly after: ChargingDemand } | Refusal> {
  const fault = limitFault(asked, place.now())
  if (fault) return unfit(fault)
  const { evseId = 0 } = asked
  const all = await demandsOf(place, chargePointId)
  const known = all.filter(({ owner }) => owner === ownerOf(name))
  const limits = all.filter(isLimit)
  const over = limits.filter(({ state }) => state === 'expired').sort((one, other) => one.updatedAt - other.updatedAt)
  const isFull = known.length === 0 && limits.length >= MAX_LIMITS
  if (isFull && over.length === 0) {
    return refuse(409, 'too_many_limits', `A charge point has at most ${MAX_LIMITS} limits: delete one.`)
  }
  const moved = [...known.filter((one) => one.evseId !== evseId), ...(isFull ? over.slice(0, 1) : [])]
  const left = moved.map((one) => ({ owner: one.owner, evseId: one.evseId }))
  const put = { owner: ownerOf(name), evseId, caps: capsOf(asked), asked, grantId }
  const input = { kind: 'chargingDemanded', demands: [...left, put] } as const
  const refusal = refusalIn(await place.core.decideBlock({ accountId, chargePointId, input }))
  if (refusal) return refusal
  const after = await findLimit(place, chargePointId, name)
  return 'refused' in after ? after : { before: known.length > 0, after }
}

export async function removeLimit(
  { core }: Pick<LimitContext, 'core'>,
  { accountId, id: chargePointId }: Station,
  { owner, evseId }: ChargingDemand,
): Promise<Refusal | undefined> {
  const input = { kind: 'chargingDemanded', demands: [{ owner, evseId }] } as const
  return refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
}

export async function shownLimit({ reads, now, settings: { voltage } }: LimitContext, demand: ChargingDemand) {
  const { chargePointId } = demand
  const [station, profiles, wiring] = await Promise.all([
    reads.getRecord('charging_stations', { chargePointId }),
    reads.listRecords('charging_profiles', { where: { chargePointId, source: 'desired' }, limit: 500 }),
    reads.getRecord('wirings', { chargePointId }),
  ])
  return representLimit(demand, { station, profiles, connectors: wiring?.connectors ?? [], voltage, now: now() })
}

function unfit({ pointer, message }: { readonly pointer: string; readonly message: string }): Refusal {
  const errors = [{ pointer, code: 'invalid_limit', message }]
  return { ...refuse(422, 'invalid_limit', `${pointer || 'The limit'} ${message}.`), errors }
}

/** Changes the limits of a charge that runs, or has not begun (OCPP21-C3). */

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
