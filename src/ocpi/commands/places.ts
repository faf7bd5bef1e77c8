/** Where in our locations a partner's order is to be carried out (OCPI-A4). */
import type { Location, LocationEvse } from '../../domain/locations/records.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import type { OcpiContext } from '../wire/module.ts'
import { type OcpiAnswer, refused, UNKNOWN_LOCATION } from '../wire/module.ts'

export interface NamedEvse {
  readonly location_id: string
  readonly evse_uid?: string | undefined
  readonly connector_id?: string | undefined
}

export interface Place {
  readonly chargePoint: ChargePointView
  readonly locationId: string
  readonly evse: LocationEvse
  /** Within the EVSE, from 1. */
  readonly connectorId: number
}

type Found =
  | { readonly place: Place }
  /** The order is not valid. */
  | { readonly answer: OcpiAnswer }
  /** It is, and cannot be carried out. */
  | { readonly because: string }

export async function findEvse(
  { reads }: Pick<OcpiContext, 'reads'>,
  accountId: string,
  { location_id: locationId, evse_uid: uid, connector_id: connectorId }: NamedEvse,
): Promise<Found> {
  const location = await reads.getRecord('locations', { accountId, locationId })
  const evses = location && !location.isRemoved ? location.evses.filter((one) => !one.isRemoved) : []
  if (!location || evses.length === 0) return unknown(`location_id ${locationId} names no location of ours.`)
  const evse = uid === undefined ? onlyOne(evses) : evses.find((one) => one.uid.toLowerCase() === uid.toLowerCase())
  if (!evse) {
    return uid === undefined
      ? { because: 'The location has several EVSEs: name one in evse_uid.' }
      : unknown(`evse_uid ${uid} names no EVSE of the location.`)
  }
  const at = evse.connectors.findIndex((one) => one.connectorId.toLowerCase() === connectorId?.toLowerCase())
  if (connectorId !== undefined && at < 0) return unknown(`connector_id ${connectorId} names none of the EVSE.`)
  const chargePoint = evse.chargePointId === undefined ? undefined : await reads.findChargePoint(evse.chargePointId)
  if (chargePoint?.accountId !== accountId) return { because: 'The EVSE is not in operation yet.' }
  return { place: { chargePoint, locationId: location.locationId, evse, connectorId: Math.max(0, at) + 1 } }
}

function onlyOne(evses: Location['evses']): LocationEvse | undefined {
  const used = evses.filter(({ chargePointId }) => chargePointId !== undefined)
  return used.length === 1 ? used[0] : undefined
}

function unknown(message: string): Found {
  return { answer: refused(UNKNOWN_LOCATION, message) }
}
