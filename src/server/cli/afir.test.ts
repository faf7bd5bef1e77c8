import { expect, it } from 'vitest'
import { installationOfEachTest } from '../../../test/support/server/cli/testing.ts'
import { openStore } from '../../../test/support/storage/testing.ts'
import type { Location } from '../../domain/locations/records.ts'

const installation = installationOfEachTest('Depot North')

async function keep(
  facts: Partial<Location['facts']>,
  of: Partial<Pick<Location, 'isRemoved' | 'publish'>> = {},
): Promise<void> {
  const store = openStore(installation.database)
  const [account] = await store.reads.listAccounts()
  const location: Location = {
    accountId: account?.id ?? '',
    locationId: 'yard',
    publish: true,
    facts: {
      address: 'Main Street 1',
      city: 'Hannover',
      country: 'DEU',
      coordinates: { latitude: 52, longitude: 9 },
      timeZone: 'Europe/Berlin',
      ...facts,
    },
    evses: [
      {
        uid: 'left',
        evseId: 'DE*PWR*E1',
        chargePointId: 'CP',
        parking: [{ parkingId: 'p1' }],
        connectors: [
          {
            connectorId: '1',
            standard: 'IEC_62196_T2',
            format: 'SOCKET',
            powerType: 'AC_3_PHASE',
            maxVoltage: 230,
            maxAmperage: 32,
            maxElectricPower: 22_000,
            lastUpdated: 1,
          },
        ],
        lastUpdated: 1,
      },
    ],
    createdAt: 1,
    lastUpdated: 1,
    ...of,
  }
  await store.writes.putRecords('locations', [location])
  store.close()
}

const check = (...args: string[]) => installation.cli(['afir', 'check', ...args])

const WHOLE: Partial<Location['facts']> = {
  postalCode: '30159',
  operator: { name: 'Pilot' },
  owner: { name: 'City' },
  helpPhone: '+49511',
  openingTimes: { twentyfourseven: true },
  energyMix: { isGreenEnergy: true },
  facilities: [],
  parkingPlaces: [{ id: 'p1', vehicleTypes: ['DISABLED'], restrictedToType: false, reservationRequired: false }],
}

it('AFIR-A3: afir check names what is missing, by our member and the element of the law, and ends with 1', async () => {
  await keep({})
  const { code, out } = await check('--json')
  expect(code).toBe(1)
  const rows = JSON.parse(out) as readonly Record<string, unknown>[]
  expect(rows).toContainEqual({
    location: 'yard',
    publish: true,
    member: 'helpPhone',
    element: expect.stringContaining('help desk'),
  })
  expect(rows).toContainEqual({
    location: 'yard',
    publish: true,
    evse: 'left',
    connector: '1',
    member: 'evses[].connectors[].tariffIds',
    element: expect.stringContaining('ad hoc price'),
  })
})

it('AFIR-A3: a tariff of the account is a price; with everything there it ends with 0', async () => {
  await keep(WHOLE)
  expect((await check()).code).toBe(1)
  await installation.cli(['tariff', 'set', '--currency', 'EUR', '--per-kwh', '0.49'])
  expect(await check()).toMatchObject({ code: 0, notes: expect.stringContaining('Nothing is missing.') })
})

it('AFIR-A3: nothing is missing of a location that was deleted', async () => {
  await keep({}, { isRemoved: true })
  expect((await check('--json')).out).toBe('[]')
})

it('AFIR-A3: what a hidden location misses is named, and ends with 0', async () => {
  await keep({}, { publish: false })
  const { code, out, notes } = await check()
  expect(code).toBe(0)
  expect(out).toContain('helpPhone')
  expect(notes).toContain('of what is published')
})
