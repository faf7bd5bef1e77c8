/** Who may connect, decided on the charge point's record (ocpp/admission.ts); unknown ones are created where the mode says so. */

import type { Granted } from '../ocpp/admission.ts'
import { decideAdmission } from '../ocpp/admission.ts'
import type { CoreStore, Writes } from '../storage/store.ts'
import type { CoreContext } from './context.ts'
import type { Admission, AdmissionRequest } from './core.ts'
import type { Station } from './station.ts'

export function createAdmission(
  context: CoreContext,
  store: CoreStore,
  writes: Writes,
): (request: AdmissionRequest) => Promise<Admission> {
  const pending = createPendingLimit()
  return async (request) => {
    context.stations.noticeForeignChanges()
    const station = context.stations.current(request.identity) ?? (await context.stations.load(request.identity))
    const decision = decideAdmission(request, station?.chargePoint, {
      unknownChargePoints: context.settings.unknownChargePoints,
      secretKey: Buffer.from(context.settings.secretKey),
      protocolOrder: context.settings.protocolOrder,
      tolerantProtocols: context.settings.tolerantProtocols,
    })
    if (!decision.ok) {
      if (!station) await reportNearMiss(request.identity)
      return decision
    }
    const { protocol, chargePointId } = decision
    const admitted: Admission = { ok: true, protocol, chargePointId }
    if (decision.create === undefined) {
      if (station) await remember(station, decision)
      return admitted
    }
    const accountId = await store.defaultAccountId()
    if (accountId === undefined) return { ok: false, status: 404, reason: 'There is no account yet.' }
    if (decision.create === 'Pending' && !pending.take(request.remoteAddress, context.clock.now())) {
      return { ok: false, status: 429, reason: 'Too many unknown charge points from this address; try again later.' }
    }
    const created = await writes.createChargePoint({
      id: chargePointId,
      accountId,
      securityProfile: decision.securityProfile,
      registrationStatus: decision.create,
      createdAt: context.clock.now(),
    })
    if (created === 'differsInCase') {
      return { ok: false, status: 404, reason: 'A charge point exists whose id differs only in upper and lower case.' }
    }
    await context.stations.load(chargePointId)
    return admitted
  }

  /** T4: an installer who mistyped upper and lower case should not have to guess. */
  async function reportNearMiss(identity: string): Promise<void> {
    const registered = await store.identityIgnoringCase(identity)
    if (registered === undefined) return
    context.log.warn({ identity, registered }, 'refused: the identity differs from a registered one only in case')
  }

  /** What this login decided: the only valid password (AU6), and a higher security profile (A05.FR.07). */
  async function remember(station: Station, { passwordHash, securityProfile }: Granted): Promise<void> {
    const { id, chargePoint } = station
    const raised = securityProfile !== chargePoint.securityProfile
    if (passwordHash === undefined && !raised) return
    await writes.updateChargePoint(chargePoint.accountId, id, {
      ...(passwordHash !== undefined && { passwordHash }),
      ...(raised && { securityProfile }),
    })
    await context.stations.load(id)
  }
}

/** AU5: whoever invents identities must not fill the table: per address and minute, and for the life of the process. */
const PENDING_PER_ADDRESS = 10
const PENDING_IN_ALL = 1000
const PENDING_WINDOW_MS = 60_000
const PENDING_ADDRESSES = 10_000

function createPendingLimit(): { take(address: string, now: number): boolean } {
  const windows = new Map<string, { since: number; count: number }>()
  let all = 0
  return {
    take(address, now) {
      if (all >= PENDING_IN_ALL) return false
      const window = windows.get(address)
      // The other comparison: the clock was put back.
      if (!window || now - window.since >= PENDING_WINDOW_MS || now < window.since) {
        if (windows.size >= PENDING_ADDRESSES) windows.clear()
        windows.set(address, { since: now, count: 1 })
      } else if (++window.count > PENDING_PER_ADDRESS) return false
      // Only those let in count: one address must not use up what is there for all.
      all++
      return true
    },
  }
}
