/** Locations; what follows from them stands in test/locations.test.ts. */
import type { Address } from './address.ts'
import { LIST, READ } from './common.ts'

const LOCATION = {
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.37, longitude: 9.73 },
  timeZone: 'Europe/Berlin',
}
const ONE = '/2/locations/{location}'

export const LOCATIONS: readonly Address[] = [
  {
    at: `PUT ${ONE}`,
    first: async ({ ids }) => ids.set('location', 'north'),
    isOwn: true,
    needs: 'credential',
    answers: 201,
    body: {
      ...LOCATION,
      evses: [
        {
          evseControllerId: 'CP1',
          connectors: [
            {
              connectorId: '1',
              standard: 'IEC_62196_T2',
              format: 'SOCKET',
              powerType: 'AC_3_PHASE',
              maxVoltage: 230,
              maxAmperage: 32,
            },
          ],
        },
      ],
    },
    wrong: [
      [{}, '/address'],
      [{ ...LOCATION, country: 'DE' }, '/country'],
    ],
    has: { city: 'Hannover', publish: false },
  },
  // No application makes one.
  { at: `GET ${ONE}`, needs: READ, answers: 200, has: { city: 'Hannover' }, answersApplication: 404 },
  { at: 'GET /2/locations', needs: READ, answers: 200, wrongQuery: LIST },
  { at: `PATCH ${ONE}`, needs: 'credential', answers: 200, body: { name: 'North' }, wrong: [[{ name: 1 }, '/name']] },
  { at: 'GET /2/locations/export', needs: READ, answers: 200, query: '?format=ocpi', isOwn: true },
  { at: 'POST /2/locations/import', needs: 'credential', answers: 200, query: '?format=csv', isOwn: true },
  { at: `DELETE ${ONE}`, needs: 'credential', answers: 204 },
]
