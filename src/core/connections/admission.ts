/** Who may connect, decided from the charge point's record (ocpp/admission.ts). */

import { isRevealedByLogin } from '../../domain/password-rotations/rules.ts'
import type { Admission, AdmissionRequest, Core, RefusedConnection, ShownAtLogin } from '../../domain/ports/core.ts'
import type { ChargePoint } from '../../domain/ports/storage-records.ts'
import { returnsToPassword } from '../../domain/profile-jobs/rules.ts'
import type { ShownCertificate } from '../../domain/x509/client-certificate.ts'
import { decideAdmission, type Granted } from '../../ocpp/admission.ts'
import type { CertificateLogin } from '../certificates/login.ts'
import type { CoreContext } from '../context.ts'
import { isUnaccepted, type Station } from '../memory/station.ts'
import { decideBlockOrder } from '../operations/decide-block.ts'
import { orderCall } from '../outbound/order-call.ts'
import { createUnaccepted, type Refusals } from './unaccepted.ts'

const TOO_MANY: Admission = {
  ok: false,
  status: 429,
  reason: 'Too many charge points await approval; try again later.',
}

/** OCPP21-B10 */
function registeredAs({ chargePoint, state }: Station, { authorization }: AdmissionRequest): ChargePoint {
  if (chargePoint.securityProfile !== 3 || authorization === undefined) return chargePoint
  const isMoving = state?.records.all('security_profile_jobs').some(returnsToPassword)
  return isMoving ? { ...chargePoint, securityProfile: 2 } : chargePoint
}

export function createAdmission(
  context: CoreContext,
  login: CertificateLogin,
  refusals: Refusals,
  remove: Core['removeChargePoint'],
): (request: AdmissionRequest) => Promise<Admission> {
  const unacceptedChargePoints = createUnaccepted(context, remove)
  const { store, writes } = context
  const { ownership, lose } = context.nodes

  /** Takes over ownership from whichever node has it (STORE-N8). */
  async function claimed(station: Station): Promise<Station> {
    if (!ownership) return station
    const { loaded } = await ownership.claim(station.id)
    if (loaded) {
      lose(station.id)
      context.stations.takeOver(loaded)
    }
    return context.stations.known(station.id) ?? station
  }

  return async (request) => {
    const notReady = ownership?.notReady()
    if (notReady !== undefined) return { ok: false, status: 503, reason: notReady }
    context.stations.noticeNewRegistrations()
    const station = context.stations.current(request.identity) ?? (await context.stations.load(request.identity))
    const certificate = station && (await login.check(request, station))
    const decision = decideAdmission(request, station && registeredAs(station, request), {
      unknownChargePoints: context.settings.unknownChargePoints,
      secretKey: Buffer.from(context.settings.secretKey),
      versions: context.settings.versions,
      protocolOrder: context.settings.protocolOrder,
      tolerantProtocols: context.settings.tolerantProtocols,
      certificate,
    })
    if (!decision.ok) {
      if (station && decision.certificateFault !== undefined) login.refused(station, decision.certificateFault)
      const nearMiss = station ? undefined : await reportNearMiss(request.identity)
      await remembered(request, station, nearMiss ?? decision.because)
      const { status, reason } = decision
      return { ok: false, status, reason }
    }
    const { chargePointId } = decision
    if (decision.create === undefined) {
      if (!station) return decision
      if (isUnaccepted(station) && !unacceptedChargePoints.mayReturn(station.id, request.remoteAddress)) return TOO_MANY
      await remember(station, decision)
      if (decision.certificate) await login.admitted(station, decision.certificate)
      const ours = await claimed(station)
      await seenOn(ours, decision.securityProfile)
      await seenWith(ours, decision.usedPassword)
      return admitted(ours, decision)
    }
    const accountId = await store.defaultAccountId()
    if (accountId === undefined) return { ok: false, status: 404, reason: 'There is no account yet.' }
    if (
      decision.create === 'Pending' &&
      !(await unacceptedChargePoints.mayCome(chargePointId, request.remoteAddress))
    ) {
      return TOO_MANY
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
    const fresh = await context.stations.load(chargePointId)
    return fresh
      ? admitted(await claimed(fresh), decision)
      : { ok: false, status: 404, reason: 'The charge point was removed.' }
  }

  /** CERT-C25: for a job that waits for this. */
  async function seenOn(station: Station, securityProfile: number): Promise<void> {
    const jobs = station.state?.records.all('security_profile_jobs') ?? []
    if (!jobs.some(({ state }) => state === 'running')) return
    const order = { accountId: station.chargePoint.accountId, chargePointId: station.id }
    await decideBlockOrder(context, { ...order, input: { kind: 'profileSeen', securityProfile } })
  }

  /** OCPP-AU8: for a password change that this login proves or contradicts. */
  async function seenWith(station: Station, hash: string | undefined): Promise<void> {
    const changes = station.state?.records.all('password_changes') ?? []
    if (hash === undefined || !changes.some((change) => isRevealedByLogin(change, hash))) return
    const order = { accountId: station.chargePoint.accountId, chargePointId: station.id }
    await decideBlockOrder(context, { ...order, input: { kind: 'passwordSeen', hash } })
  }

  function admitted(station: Station, { protocol, chargePointId, certificate }: Granted): Admission {
    station.updateLimits()
    const shown = certificate && shownAtLogin(certificate)
    return {
      ok: true,
      protocol,
      chargePointId,
      shown,
      ...(station.hasUnacceptedLimits && { isUnaccepted: true }),
    }
  }

  /** OCPP-T4: helps an installer who mistyped the case of the identity. */
  async function reportNearMiss(identity: string): Promise<RefusedConnection | undefined> {
    const registered = await store.identityIgnoringCase(identity)
    if (registered === undefined) return undefined
    context.log.warn({ identity, registered }, 'refused: the identity differs from a registered one only in case')
    return { reason: 'unknownStation', detail: `Registered is ${registered}: upper and lower case differ.` }
  }

  async function remembered(
    { identity, remoteAddress }: AdmissionRequest,
    station: Station | undefined,
    because: RefusedConnection | undefined,
  ): Promise<void> {
    if (!because) return
    if (station) return refusals.ofStation(station, because)
    const accountId = await store.defaultAccountId()
    if (accountId !== undefined) refusals.ofUnaccepted(identity, remoteAddress, accountId, because)
  }

  /** Stores the only valid password (OCPP-AU6) and another security profile (A05.FR.07, OCPP21-B10). */
  async function remember(station: Station, { passwordHash, securityProfile }: Granted): Promise<void> {
    const { id, chargePoint } = station
    const raised = securityProfile !== chargePoint.securityProfile
    if (passwordHash === undefined && !raised) return
    await writes.updateChargePoint(chargePoint.accountId, id, {
      passwordHash,
      ...(raised && { securityProfile }),
    })
    await context.stations.load(id)
  }
}

function shownAtLogin({ commonName, notAfter, isExpired }: ShownCertificate): ShownAtLogin {
  return { commonName, notAfter, isExpired }
}

// Asks a station that considers itself accepted, but was not accepted here, to boot: once per connection. A reconnect
// is no boot (OCPP-DR9, OCPP-DR10, 1.6 err 3.40).

/** A booting station does so within seconds; one that is silent after that has nothing to report yet. */
const TIMEOUT_MS = 10_000
/** If it could not be sent by then, the next connection tries again. */
const TTL_MS = 60_000

export interface BootTrigger {
  opened(station: Station): void
  heard(station: Station, action: string): void
}

export function createBootTrigger(context: CoreContext): BootTrigger {
  const asked = new WeakMap<Station, number>()

  /** Queued last: the station's own BootNotification may be in the queue. */
  const askUnlessBooted = (stationId: string, connection: number): void =>
    context.engine.enqueue({
      stationId,
      committed(station) {
        if (!station.neverBooted) return
        if (station.connection !== connection || asked.get(station) === connection) return
        asked.set(station, connection)
        ask(context, station)
      },
    })

  return {
    opened(station) {
      const { id, connection } = station
      if (connection === undefined || !station.neverBooted) return
      context.clock.after(TIMEOUT_MS, () => askUnlessBooted(id, connection))
    },
    heard(station, action) {
      const { id, connection } = station
      if (action === 'BootNotification' || connection === undefined) return
      if (asked.get(station) !== connection) askUnlessBooted(id, connection)
    },
  }
}

function ask(context: CoreContext, station: Station): void {
  const { version } = station
  const call = version?.ask({ kind: 'triggerBoot' })
  if (!version || !call) return
  orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'bootTrigger' },
    expiresAt: context.clock.now() + TTL_MS,
  }).catch((error: Error) =>
    context.log.warn({ chargePoint: station.id, error: error.message }, 'could not ask for a BootNotification'),
  )
}
