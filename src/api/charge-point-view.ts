/** A charge point as the API shows it (API-A5): registration, what it reported, and whether it is online. */
import type { ConnectorWiring, Wiring } from '../domain/charging/records.ts'
import { isoTime } from '../domain/iso-time.ts'
import type { Core } from '../domain/ports/core.ts'
import type { ChargePointView, Reads } from '../domain/ports/storage.ts'

/** In the order given. Passwords and their hashes are never part of it. */
export async function representChargePoints(
  { core, reads }: { readonly core: Pick<Core, 'connectivity'>; readonly reads: Pick<Reads, 'listRecords'> },
  views: readonly ChargePointView[],
): Promise<readonly object[]> {
  const connectivity = views.length > 0 ? await core.connectivity(views.map((view) => view.id)) : []
  const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
  const wirings = await wiringsOf(reads, views)
  return views.map((view) => {
    const wiring = wirings.get(view.id)
    const now = live.get(view.id)
    const lastSeenAt = now?.lastSeenAt ?? view.status.lastSeenAt
    const { vendor, model, serialNumber, firmwareVersion } = view.status
    return {
      id: view.id,
      name: view.name,
      protocol: now?.protocol ?? view.status.protocol,
      online: now?.online ?? false,
      lastSeenAt: isoTime(lastSeenAt),
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
        ...wiredAs(wiring?.connectors, evseId, connectorId),
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
      priority: wiring?.priority,
    }
  })
}

async function wiringsOf(
  reads: Pick<Reads, 'listRecords'>,
  views: readonly ChargePointView[],
): Promise<ReadonlyMap<string, Wiring>> {
  if (views.length === 0) return new Map()
  const where = { chargePointId: { in: views.map(({ id }) => id) } }
  const rows = await reads.listRecords('wirings', { where, limit: views.length })
  return new Map(rows.map((row) => [row.chargePointId, row]))
}

function wiredAs(
  wired: readonly ConnectorWiring[] = [],
  evseId: number | undefined,
  connectorId: number,
): Omit<ConnectorWiring, 'evseId' | 'connectorId'> {
  const found = wired.find((one) => one.connectorId === connectorId && (one.evseId ?? evseId) === evseId)
  const { evseId: _, connectorId: _c, ...rest } = found ?? { connectorId }
  return rest
}
