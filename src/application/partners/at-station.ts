/** Orders of roaming partners in the words of the charge point's OCPP version (OCPI-A4). */
import type { Core } from '../../domain/ports/core.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { usualCommand } from '../../ocpp/orders/usual-commands.ts'
import { versionOf } from '../../ocpp/versions.ts'

/** What a charge point calls an EVSE of a location; absent: all of it. */
export function outletOf({ status }: ChargePointView, ocppEvseId: number | undefined) {
  const outlet = versionOf(status.protocol)?.abilities.outlet ?? 'evseId'
  return ocppEvseId === undefined ? {} : { [outlet]: ocppEvseId }
}

/** @returns the word that the charge point answered; `timeout` if none */
export async function unlockAt(
  core: Pick<Core, 'sendCommand'>,
  chargePoint: ChargePointView,
  place: { readonly ocppEvseId: number | undefined; readonly connectorId: number },
  waitMs: number,
): Promise<string | Refusal> {
  const version = versionOf(chargePoint.status.protocol)
  if (!version) return refuse(409, 'charge_point_offline', 'The charge point was never connected.')
  const { ocppEvseId = 1, connectorId } = place
  const isEvse = version.abilities.outlet === 'evseId'
  const target = isEvse ? { evseId: ocppEvseId, connectorId } : { connectorId: ocppEvseId }
  const { method, request } = usualCommand(version.protocol, 'unlock', target, '')
  const { id: chargePointId, accountId } = chargePoint
  const row = await core.sendCommand({ accountId, chargePointId, method, request, waitMs })
  if ('refused' in row) return row
  if (row.status === 'error') return row.error?.code ?? 'error'
  if (row.status !== 'success') return 'timeout'
  const { status } = JSON.parse(row.response ?? '{}') as { readonly status?: unknown }
  return String(status)
}
