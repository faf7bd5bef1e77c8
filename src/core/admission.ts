/** Who may connect, decided on the charge point's record (ocpp/admission.ts); unknown ones are created where the mode says so. */
import { decideAdmission } from '../ocpp/admission.ts'
import type { CoreStore, Writes } from '../storage/store.ts'
import type { CoreContext } from './context.ts'
import type { Admission, AdmissionRequest } from './core.ts'

export function createAdmission(
  context: CoreContext,
  store: CoreStore,
  writes: Writes,
): (request: AdmissionRequest) => Promise<Admission> {
  return async (request) => {
    context.stations.noticeForeignChanges()
    const station = context.stations.current(request.identity) ?? (await context.stations.load(request.identity))
    const decision = decideAdmission(request, station?.chargePoint, station?.state?.status, {
      unknownChargePoints: context.settings.unknownChargePoints,
      secretKey: Buffer.from(context.settings.secretKey),
    })
    if (!decision.ok || !('create' in decision) || decision.create === undefined) return decision
    const accountId = await store.defaultAccountId()
    if (accountId === undefined) return { ok: false, status: 404, reason: 'There is no account yet.' }
    const created = await writes.createChargePoint({
      id: request.identity,
      accountId,
      securityProfile: 0,
      registrationStatus: decision.create,
      createdAt: context.clock.now(),
    })
    if (created === 'differsInCase') {
      return { ok: false, status: 404, reason: 'A charge point exists whose id differs only in upper and lower case.' }
    }
    await context.stations.load(request.identity)
    return { ok: true, protocol: decision.protocol, chargePointId: decision.chargePointId }
  }
}
