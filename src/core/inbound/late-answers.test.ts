import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'
import type { VatNumberCheck } from '../../domain/payments/records.ts'
import type { CheckVatNumber } from '../../domain/ports/core.ts'

const core = coresOfTests()
const NUMBER = { vatNumber: 'DE123456789', evseId: 1 }

/** A service that answers when the test says so. */
function service() {
  const asked: { readonly vatNumber: string; readonly say: (check: VatNumberCheck) => void }[] = []
  const checkVatNumber: CheckVatNumber = ({ vatNumber }, stop) =>
    new Promise((say) => {
      asked.push({ vatNumber, say })
      stop.addEventListener('abort', () => say({ verdict: 'unknown' }))
    })
  return { asked, checkVatNumber }
}

it('OCPP21-A1, OCPP21-C8: a VAT number that comes as SEND is not asked about', async () => {
  const { asked, checkVatNumber } = service()
  const house = await core({ checkVatNumber })
  const station = await house.boot21('CP1')
  station.send(JSON.stringify([6, 's1', 'VatNumberValidation', NUMBER]))
  await station.call('Heartbeat', {})
  expect(asked).toEqual([])
  expect(await house.commands('CP1')).toContainEqual(expect.objectContaining({ messageId: 's1', status: 'success' }))
})

it.each([
  ['message', 0, []],
  ['answer', 1, ['DE123456789']],
])(
  'OCPP21-C8: where the %s cannot be stored it fails, and what came behind it is answered',
  async (_, after, expected) => {
    const { asked, checkVatNumber } = service()
    const house = await core({ checkVatNumber })
    const station = await house.boot21('CP1')
    const commit = house.coreStore.commit.bind(house.coreStore)
    let stored = 0
    house.coreStore.commit = (group) => {
      const isOfNumber = group.some(({ command, answer }) => command?.method === 'VatNumberValidation' || answer)
      if (isOfNumber && stored++ === after) return Promise.reject(new Error('The disk is full.'))
      return commit(group)
    }
    const answer = station.call('VatNumberValidation', NUMBER, 'v1')
    const next = station.call('Heartbeat', {})
    if (after === 1) await expect.poll(() => asked.length).toBe(1)
    asked[0]?.say({ verdict: 'valid' })
    expect(await answer).toEqual([4, 'v1', 'InternalError', expect.anything(), {}])
    expect(await next).toMatchObject([3, expect.anything(), { currentTime: expect.anything() }])
    expect(asked.map(({ vatNumber }) => vatNumber)).toEqual(expected)
  },
)

it('OCPP21-C8: a number that comes behind another one is asked about after it', async () => {
  const { asked, checkVatNumber } = service()
  const house = await core({ checkVatNumber })
  const station = await house.boot21('CP1')
  const first = station.call('VatNumberValidation', NUMBER)
  const second = station.call('VatNumberValidation', { vatNumber: 'ATU12345678' })
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.say({ verdict: 'valid' })
  expect(await first).toMatchObject([3, expect.anything(), { ...NUMBER, status: 'Accepted' }])
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.say({ verdict: 'invalid' })
  expect(await second).toMatchObject([3, expect.anything(), { vatNumber: 'ATU12345678', status: 'Rejected' }])
  expect(house.done.get(station.connection)).toBe(3)
})

const PARTY = {
  accountId: 'account-1',
  countryCode: 'DE',
  partyId: 'PWR',
  businessDetails: { name: 'X' },
  updatedAt: 0,
}
const UNREGISTERED = { tokenHashes: [], endpoints: [], roles: [], createdAt: 0, updatedAt: 0 }
const NEVER = {
  accountId: 'account-1',
  uid: 'card',
  partnerId: 'p',
  countryCode: 'NL',
  partyId: 'EMP',
  type: 'RFID',
  valid: true,
  contractId: 'c',
  body: { uid: 'CARD' },
  lastUpdated: 0,
}

/** With a partner that never answers. */
async function withPartner(whitelist: 'ALLOWED_OFFLINE' | 'NEVER') {
  const asked: string[] = []
  const askPartner = ({ uid }: { readonly uid: string }) => {
    asked.push(uid)
    return new Promise<never>(() => undefined)
  }
  const house = await core({ askPartner, settings: { unknownIdTokens: 'reject' } })
  const { writes } = house.store
  await writes.putRecords('ocpi_parties', [PARTY])
  await writes.putRecords('partners', [
    { ...UNREGISTERED, accountId: 'account-1', partnerId: 'p', name: 'P', state: 'registered' },
  ])
  await writes.putRecords('partner_tokens', [{ ...NEVER, whitelist }])
  house.registrationsChanged()
  return { ...house, asked }
}

it.each([
  ['ALLOWED_OFFLINE', 'Accepted'],
  ['NEVER', 'Invalid'],
] as const)(
  'OCPI-A10: a partner that says nothing is waited for 4.5 s, and then the rule answers: %s',
  async (whitelist, status) => {
    const { asked, clock, ...house } = await withPartner(whitelist)
    const station = await house.boot16('CP1')
    const answer = station.call('Authorize', { idTag: 'CARD' })
    const behind = station.call('Heartbeat', {})
    await expect.poll(() => asked).toEqual(['CARD'])
    clock.advance(4_499)
    expect(station.frames).toHaveLength(1)
    clock.advance(1)
    expect(await answer).toMatchObject([3, expect.anything(), { idTagInfo: { status } }])
    expect(await behind).toMatchObject([3, expect.anything(), {}])
    expect(asked).toEqual(['CARD'])
  },
)

it('OCPI-A10, OCPP-CN6: a planned stop waits for no partner, and a charge is recorded', async () => {
  const { asked, core: running, ...house } = await withPartner('NEVER')
  const station = await house.boot16('CP1')
  const timestamp = new Date(house.clock.now()).toISOString()
  const answer = station.call('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp })
  await expect.poll(() => asked).toEqual(['CARD'])
  await running.drain()
  expect(await answer).toMatchObject([3, expect.anything(), { idTagInfo: { status: 'Invalid' } }])
  expect(await house.commands('CP1')).toContainEqual(
    expect.objectContaining({ method: 'StartTransaction', status: 'success' }),
  )
})

it.each([
  ['calls', 257, ''],
  ['bytes', 3, 'x'.repeat(1_000_000)],
])('OCPP-CN7, OCPI-A10: %s without end behind a question close the connection', async (_, count, data) => {
  const { asked, clock, ...house } = await withPartner('NEVER')
  const station = await house.boot16('CP1')
  const sent = (more: number): void => {
    for (let at = 0; at < more; at++)
      station.send(JSON.stringify([2, `t${at}`, 'DataTransfer', { vendorId: 'x', data }]))
  }
  void station.call('Authorize', { idTag: 'CARD' })
  await expect.poll(() => asked).toEqual(['CARD'])
  sent(count - 1)
  for (let turn = 0; turn < 9; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(station.closes).toEqual([])
  sent(1)
  await expect.poll(() => station.closes).toEqual([[1013, 'more than can be held: send it again later']])
  clock.advance(4_500)
  await expect.poll(() => station.frames.length).toBe(2)
})

it('OCPI-A10: a charge that is begun again on another connection, while its partner is asked, is one', async () => {
  const { asked, clock, ...house } = await withPartner('ALLOWED_OFFLINE')
  const timestamp = new Date(clock.now()).toISOString()
  const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp }
  const before = await house.boot16('CP1')
  void before.call('StartTransaction', start, 's1')
  await expect.poll(() => asked).toEqual(['CARD'])
  expect(await house.commands('CP1')).toContainEqual(expect.objectContaining({ messageId: 's1', status: 'dropped' }))
  house.core.closed(before.connection, 1006, 'gone')
  const after = await house.connect('CP1', 'ocpp1.6')
  const answer = after.call('StartTransaction', start, 's1')
  await expect.poll(() => asked).toEqual(['CARD', 'CARD'])
  clock.advance(4_500)
  expect(await answer).toMatchObject([3, 's1', { transactionId: 1, idTagInfo: { status: 'Accepted' } }])
  await house.settled()
  const rows = (await house.commands('CP1')).filter(({ messageId }) => messageId === 's1')
  expect(rows.map(({ status, transactionId }) => [status, transactionId])).toEqual([
    ['success', '1'],
    ['success', '1'],
  ])
  expect(
    await house.store.reads.listSessions({ accountId: 'account-1', chargePointIds: ['CP1'], limit: 9 }),
  ).toHaveLength(1)
})

it('OCPI-A10: an account that is no party of OCPI has no look-up of partners', async () => {
  const house = await core({ settings: { unknownIdTokens: 'reject' }, askPartner: () => Promise.reject(new Error()) })
  const kinds: string[] = []
  const list = house.coreStore.listRecords.bind(house.coreStore)
  house.coreStore.listRecords = (kind, query) => {
    kinds.push(kind)
    return list(kind, query)
  }
  const station = await house.boot16('CP1')
  for (let at = 0; at < 3; at++) {
    expect(await station.call('Authorize', { idTag: 'CARD' })).toMatchObject([3, expect.anything(), { idTagInfo: {} }])
  }
  expect(kinds.filter((kind) => /part/.test(kind))).toEqual([])
})
