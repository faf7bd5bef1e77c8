import { copyFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { coresOfTests, START, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { openStore } from '../../../test/support/storage/testing.ts'

/** What becomes of a charge point's documents, and the search. */
const TABLES = {
  charge_point_statuses: 'charge_point_id',
  connectors: 'charge_point_id, connector_key',
  transactions: 'charge_point_id, transaction_id',
  sessions: 'id',
  connection_history: 'charge_point_id, id, part',
  energy_slots: 'account_id, slot',
  commands_search: 'charge_point, id',
}

function rowsOf<Row>(path: string, sql: string): readonly Row[] {
  const db = new Database(path, { readonly: true })
  try {
    return db.prepare<[], Row>(sql).all()
  } finally {
    db.close()
  }
}

/** Documents are compared by what they say. */
function shown(path: string): object {
  const said = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith('{') ? (JSON.parse(value) as unknown) : value
  const tables = Object.entries(TABLES).map(([name, key]) => [
    name,
    rowsOf<object>(path, `SELECT * FROM ${name} ORDER BY ${key}`).map((row) =>
      Object.entries(row).map(([column, value]) => [column, said(value)]),
    ),
  ])
  const events = rowsOf(path, 'SELECT * FROM events ORDER BY rowid')
  return { ...(Object.fromEntries(tables) as object), events }
}

/** How many messages the journal leaves to be decided again, and how many entries with documents it holds. */
function journalOf({ path }: TestCore): { readonly again: number; readonly entries: number } {
  const rows = rowsOf<{ readonly documents: string }>(path, 'SELECT documents FROM journal ORDER BY id')
  const all = rows.flatMap(({ documents }) => JSON.parse(documents) as object[])
  return {
    again: all.filter((entry) => Array.isArray(entry)).length,
    entries: all.filter((entry) => 'chargePointId' in entry).length,
  }
}

/** Held against what the server itself puts in place: the files as they are, as a killed one leaves them. */
async function expectSameAfterKill({ path, store }: TestCore): Promise<void> {
  const left = `${path}.left`
  for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${left}${ending}`)
  openStore(left).close()
  await store.placing.all()
  expect(shown(left)).toEqual(shown(path))
}

const at = (ms: number): string => new Date(START + ms).toISOString()

/** What one of each version says, in a few words. */
function talk16(station: TestStation) {
  let transactionId = 0
  return {
    start: async (now: number) => {
      const request = { connectorId: 1, idTag: 'CARD-1', meterStart: 1000, timestamp: at(now) }
      const [, , answer] = await station.call('StartTransaction', request)
      transactionId = (answer as { readonly transactionId: number }).transactionId
    },
    read: (now: number, wattHours: number) =>
      station.call('MeterValues', {
        connectorId: 1,
        transactionId,
        meterValue: [
          {
            timestamp: at(now),
            sampledValue: [{ value: String(wattHours) }, { value: '7000', measurand: 'Power.Active.Import' }],
          },
        ],
      }),
    status: (now: number, status: string) =>
      station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp: at(now) }),
    stop: (now: number, meterStop: number) =>
      station.call('StopTransaction', { transactionId, meterStop, timestamp: at(now), reason: 'Local' }),
  }
}

function talk201(station: TestStation) {
  let seqNo = 0
  let transactionId = 'T-0'
  const event = (now: number, eventType: string, chargingState: string, more: object = {}) =>
    station.call('TransactionEvent', {
      eventType,
      timestamp: at(now),
      triggerReason: eventType === 'Started' ? 'Authorized' : 'MeterValuePeriodic',
      seqNo: seqNo++,
      transactionInfo: { transactionId, chargingState },
      evse: { id: 1, connectorId: 1 },
      ...more,
    })
  const meter = (now: number, value: number) => ({
    meterValue: [{ timestamp: at(now), sampledValue: [{ value, context: 'Sample.Periodic' }] }],
  })
  return {
    start: (now: number) => {
      seqNo = 0
      transactionId = `T-${now}`
      return event(now, 'Started', 'Charging', {
        idToken: { idToken: 'CARD-2', type: 'ISO14443' },
        ...meter(now, 1000),
      })
    },
    read: (now: number, wattHours: number) => event(now, 'Updated', 'Charging', meter(now, wattHours)),
    status: (now: number, status: string) =>
      status === 'SuspendedEV'
        ? event(now, 'Updated', 'SuspendedEV')
        : station.call('StatusNotification', {
            timestamp: at(now),
            connectorStatus: status === 'Available' ? 'Available' : 'Occupied',
            evseId: 1,
            connectorId: 1,
          }),
    stop: (now: number, wattHours: number) => event(now, 'Ended', 'Idle', meter(now, wattHours)),
  }
}

type Talk = ReturnType<typeof talk16>

// STORE-J6: what follows from its row of the log is decided again
const core = coresOfTests()
const withStations = async (): Promise<{ readonly house: TestCore; readonly talks: readonly Talk[] }> => {
  const house = await core()
  const talks = [talk16(await house.boot16('CP-1')), talk201(await house.boot201('CP-2'))] as readonly Talk[]
  return { house, talks }
}

it('readings, repeated and new statuses of a charge that the journal holds add nothing to it', async () => {
  const { house, talks } = await withStations()
  for (const talk of talks) {
    await talk.status(0, 'Preparing')
    await talk.start(0)
    // The first one brings the status of its charge point into the journal.
    await talk.read(0, 1010)
  }
  const { entries, again } = journalOf(house)
  for (const [nth, status] of ['Charging', 'Charging', 'SuspendedEV', 'Charging'].entries()) {
    for (const talk of talks) {
      house.clock.advance(10)
      await talk.status(1 + 10 * nth, status)
      await talk.read(9 + 10 * nth, 1100 + 100 * nth)
      await talk.read(8 + 10 * nth, 1090 + 100 * nth)
    }
  }
  expect(journalOf(house)).toEqual({ entries, again: again + 24 })
  await expectSameAfterKill(house)
})

const ENERGY = (price: number, vat: number) => [{ type: 'ENERGY' as const, priceMicros: price, vat, stepSize: 100 }]

it('TARIFF-A2: a charge by elements and taxes is decided again alike', async () => {
  const { house, talks } = await withStations()
  const { writes } = house.store
  await writes.createTariff({
    tariffId: 'T',
    accountId: 'account-1',
    version: 1,
    createdAt: START,
    updatedAt: START,
    currency: 'EUR',
    perKwhMicros: 0,
    perMinuteMicros: 0,
    perSessionMicros: 0,
    idlePerMinuteMicros: 0,
    taxIncluded: 'yes',
    maxPrice: { inclVatMicros: 90_000 },
    elements: [
      { priceComponents: ENERGY(450_000, 19), restrictions: { maxKwh: 0.15 } },
      { priceComponents: [...ENERGY(700_000, 7), { type: 'TIME', priceMicros: 60_000, vat: 19, stepSize: 60 }] },
    ],
  })
  house.registrationsChanged()
  for (const talk of talks) {
    await talk.start(0)
    await talk.read(1000, 1010)
  }
  const { again } = journalOf(house)
  for (let n = 2; n < 9; n++) for (const talk of talks) await talk.read(n * 1000, 1000 + 30 * n)
  expect(journalOf(house).again).toBeGreaterThan(again + 10)
  await expectSameAfterKill(house)
  expect((await house.sessionOf('CP-1'))?.cost?.micros).toBeGreaterThan(0)
})

it('OCPI-A5: what a partner is shown is not in the row, so its charge is written whole', async () => {
  const { house, talks } = await withStations()
  const { writes } = house.store
  const named = { accountId: 'account-1', partnerId: 'p', updatedAt: 0 }
  await writes.putRecords('ocpi_parties', [
    { accountId: 'account-1', countryCode: 'DE', partyId: 'PWR', businessDetails: { name: 'X' }, updatedAt: 0 },
  ])
  const none = { tokenHashes: [], endpoints: [], roles: [], createdAt: 0 }
  await writes.putRecords('partners', [{ ...named, ...none, name: 'P', state: 'registered' }])
  const token = { accountId: 'account-1', partnerId: 'p', countryCode: 'NL', partyId: 'EMP', type: 'RFID', valid: true }
  await writes.putRecords(
    'partner_tokens',
    ['card-1', 'card-2'].map((uid) => ({
      ...token,
      uid,
      whitelist: 'ALWAYS' as const,
      contractId: 'c',
      body: { uid },
      lastUpdated: 0,
    })),
  )
  house.registrationsChanged()
  for (const talk of talks) {
    await talk.start(0)
    for (let n = 1; n < 5; n++) await talk.read(n * 1000, 1000 + 100 * n)
  }
  expect(await house.sessionOf('CP-1')).toMatchObject({ partner: { partnerId: 'p', authMethod: 'WHITELIST' } })
  await expectSameAfterKill(house)
})

it('the row of an unaccepted charge point may be cut, so it is never decided again', async () => {
  const house = await core({ settings: { unknownChargePoints: 'pending' } })
  const station = await house.boot201('CP-1')
  const trigger = { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 1 } }
  const customData = { vendorId: 'Acme', more: 'x'.repeat(5000) }
  for (const connectorStatus of ['Occupied', 'Available', 'Occupied', 'Available']) {
    const order = { accountId: 'account-1', chargePointId: 'CP-1', method: 'TriggerMessage', request: trigger }
    const asked = house.core.sendCommand({ ...order, waitMs: 0 })
    await station.answered('TriggerMessage', { status: 'Accepted' }, station.calls('TriggerMessage').length)
    await asked
    const request = { timestamp: at(0), connectorStatus, evseId: 1, connectorId: 1, customData }
    await station.call('StatusNotification', request)
  }
  expect(journalOf(house).again).toBe(0)
  await expectSameAfterKill(house)
})

it('a tool beside the server may put in place what a reading builds on', async () => {
  const { house, talks } = await withStations()
  for (const talk of talks) {
    await talk.start(0)
    for (let n = 1; n < 4; n++) await talk.read(n * 1000, 1000 + 100 * n)
    openStore(house.path).close()
    expect(journalOf(house)).toEqual({ again: 0, entries: 0 })
    for (let n = 4; n < 8; n++) await talk.read(n * 1000, 1000 + 100 * n)
  }
  expect(journalOf(house).again).toBe(2)
  await expectSameAfterKill(house)
})

it('retention takes no row that is still to be decided again', async () => {
  const { house, talks } = await withStations()
  for (const talk of talks) {
    await talk.start(0)
    for (let n = 1; n < 4; n++) await talk.read(n * 1000, 1000 + 100 * n)
  }
  await house.store.writes.deleteOldCommands(Number.MAX_SAFE_INTEGER, 1000)
  await expectSameAfterKill(house)
  expect(await house.sessionOf('CP-1')).toMatchObject({ energyMilliWh: 300_000 })
})

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), wh: fc.nat(40), back: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      status: fc.constantFrom('Available', 'Preparing', 'Charging', 'Charging', 'SuspendedEV', 'Finishing'),
      back: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('start' as const, 'stop' as const, 'boot' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('flush' as const, 'part' as const, 'load' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.constantFrom(-5000, 1, 40_000) }) },
)

it('whatever is said, flushed and put in parts: a killed server comes back with what the running one shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), step), { minLength: 5, maxLength: 40 }), async (script) => {
      const { house, talks } = await withStations()
      const paused: (() => void)[] = []
      let [now, register] = [0, 1000]
      for (const [who, one] of script) {
        const talk = talks[who]
        if (!talk) continue
        now += 1000
        house.clock.advance(10)
        if ('wh' in one) register += one.wh
        if (one.do === 'read') await talk.read(now - 1500 * one.back, register)
        else if (one.do === 'status') await talk.status(now - 1500 * one.back, one.status)
        else if (one.do === 'start') await talk.start(now)
        else if (one.do === 'stop') await talk.stop(now, register)
        else if (one.do === 'boot') await house.boot16('CP-1')
        else if (one.do === 'flush') {
          void house.store.placing.all(() => new Promise((resolve) => paused.push(resolve)))
        } else if (one.do === 'part') paused.shift()?.()
        else if (one.do === 'load') await house.store.core.loadChargePoints(['CP-1', 'CP-2'])
        else if ('ms' in one) house.clock.advance(one.ms)
      }
      for (const goOn of paused) goOn()
      await expectSameAfterKill(house)
      await house.close()
    }),
    { numRuns: 30 },
  )
})
