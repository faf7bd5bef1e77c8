/** A charge point as the API shows it (API-A5): registration, what it told us, and whether it is online. */
import { isoTime } from '../domain/message-log/shown-command.ts'
import type { Core } from '../domain/ports/core.ts'
import type { ChargePointView } from '../domain/ports/storage.ts'

/** In the order given. Passwords and their hashes are never part of it. */
export async function representChargePoints(
  core: Pick<Core, 'connectivity'>,
  views: readonly ChargePointView[],
): Promise<readonly object[]> {
  const connectivity = views.length > 0 ? await core.connectivity(views.map((view) => view.id)) : []
  const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
  return views.map((view) => {
    const now = live.get(view.id)
    const lastSeenAt = now?.lastSeenAt ?? view.status.lastSeenAt
    const { vendor, model, serialNumber, firmwareVersion } = view.status
    return {
      id: view.id,
      name: view.name,
      protocol: now?.protocol ?? view.status.protocol,
      online: now?.online ?? false,
      lastSeenAt: lastSeenAt === undefined ? undefined : isoTime(lastSeenAt),
      registrationStatus: view.registrationStatus,
      vendor,
      model,
      serialNumber,
      firmwareVersion,
      connectors: view.connectors.map(({ evseId, connectorId, status, errorCode, updatedAt }) => ({
        evseId,
        connectorId,
        status,
        errorCode,
        updatedAt: isoTime(updatedAt),
      })),
      labels: view.labels,
      securityProfile: view.securityProfile,
      protocols: view.protocols,
      validation: view.validation,
      ...(view.disabled && { disabled: true }),
      ...(view.acceptExpired && { acceptExpired: true }),
      subjectCheck: view.subjectCheck,
      expectedSerialNumber: view.expectedSerialNumber,
    }
  })
}
