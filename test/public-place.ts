/** What tests of the public feed publish, and what its station says. */
import type { Json } from './house.ts'
import type { Station } from './station.ts'

const connector = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }
/** Published, with one EVSE at the charge point CP. */
export const PLACE: Json = {
  publish: true,
  name: 'North',
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
  evses: [
    {
      uid: 'left',
      evseId: 'DE*PIL*E1',
      evseControllerId: 'CP',
      ocppEvseId: 1,
      connectors: [{ ...connector, maxVoltage: 230, maxAmperage: 32 }],
    },
  ],
}

export function saysStatus(station: Station, status: string): Promise<unknown> {
  const timestamp = new Date().toISOString()
  return station.ask('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp })
}
