/** Message types 5 and 6 of OCPP 2.1. */
import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'

const core = coresOfTests()
const STREAM = { id: 1, pending: 0, basetime: '2026-01-01T00:00:00Z', data: [{ t: 0, v: '230.1' }] }

it.each([
  ['a stream', ['NotifyPeriodicEventStream', STREAM], { status: 'success' }],
  [
    'the example of part 4',
    ['NotifyPeriodicEventStream', { ...STREAM, data: [{ t: '2026-01-01T00:00:00Z', v: '1' }] }],
    {},
  ],
  ['an unknown action', ['NotifyNothing', {}], { status: 'error' }],
  ['a message of ours', ['Reset', { type: 'Immediate' }], { status: 'error' }],
  ['a call in the wrong wrapping', ['Heartbeat', {}], { status: 'success', schemaErrors: 'Heartbeat must be a CALL.' }],
])(
  'OCPP21-A1: %s as SEND is stored and never answered, also during a call of ours',
  async (_, [action, request], row) => {
    const house = await core()
    const station = await house.boot21('CP1')
    void house.core.sendCommand({
      accountId: 'account-1',
      chargePointId: 'CP1',
      method: 'ClearCache',
      request: {},
      waitMs: 0,
    })
    await station.asked('ClearCache')
    const before = station.frames.length
    station.send(JSON.stringify([6, 's1', action, request]))
    await house.settled()
    expect(station.frames).toHaveLength(before)
    const rows = await house.commands('CP1')
    expect(rows.find(({ messageId }) => messageId === 's1')).toMatchObject({ direction: 'in', method: action, ...row })
  },
)

it('OCPP21-A1: a SEND before the boot is stored and never answered', async () => {
  const house = await core()
  const station = await house.connect('CP1', 'ocpp2.1')
  station.send(JSON.stringify([6, 's1', 'NotifyPeriodicEventStream', STREAM]))
  await house.settled()
  // It may be asked for its boot.
  expect(station.frames.filter(([type]) => type !== 2)).toEqual([])
  const rows = await house.commands('CP1')
  expect(rows.find(({ messageId }) => messageId === 's1')).toMatchObject({
    status: 'error',
    request: JSON.stringify(STREAM),
  })
})

it.each([
  ['lenient', [3, 'c1', {}]],
  ['strict', [4, 'c1', 'FormatViolation', 'NotifyPeriodicEventStream must be a SEND.', {}]],
] as const)('OCPP21-A5: %s, a stream as CALL is answered %j', async (validation, expected) => {
  const house = await core({ settings: { validation } })
  const station = await house.boot21('CP1')
  expect(await station.call('NotifyPeriodicEventStream', STREAM, 'c1')).toEqual(expected)
})

it.each([
  ['boot21', {}, [[5, 'OccurrenceConstraintViolation', '/status is required']]],
  ['boot21', { status: 'Perhaps' }, [[5, 'PropertyConstraintViolation', '/status is not one of the defined values']]],
  ['boot21', { status: 'accepted', more: 1 }, []],
  ['boot201', {}, []],
] as const)('OCPP21-A2: %s, the answer %j is answered %j', async (boot, answer, expected) => {
  const house = await core()
  const station = await house[boot]('CP1')
  const order = { accountId: 'account-1', chargePointId: 'CP1', method: 'ClearCache', request: {}, waitMs: 0 }
  void house.core.sendCommand(order)
  const call = await station.asked('ClearCache')
  const before = station.frames.length
  station.answer(call, answer)
  await house.settled()
  const heard = station.frames.slice(before).map(([type, id, code, description]) => {
    expect(id).toBe(call[1])
    return [type, code, description]
  })
  expect(heard).toEqual(expected)
  const row = (await house.commands('CP1')).find(({ method }) => method === 'ClearCache')
  expect(row?.status).toBe(expected.length > 0 ? 'error' : 'success')
})

it('OCPP21-A3: a station that cannot use an answer: the row says so, and what the answer caused stays', async () => {
  const house = await core()
  const station = await house.boot21('CP1')
  const idToken = { idToken: 'CARD', type: 'ISO14443' }
  const started = {
    eventType: 'Started',
    timestamp: '2026-01-01T00:00:00Z',
    triggerReason: 'Authorized',
    seqNo: 0,
    transactionInfo: { transactionId: 'T1', chargingState: 'Charging' },
    evse: { id: 1, connectorId: 1 },
    idToken,
  }
  await station.call('TransactionEvent', started, 'e1')
  station.send('[5,"e1","FormatViolation","The tariff cannot be read.",{}]')
  await house.settled()
  const row = (await house.commands('CP1')).find(({ messageId }) => messageId === 'e1')
  expect(row).toMatchObject({ status: 'success', error: { code: 'FormatViolation' } })
  expect(JSON.parse(row?.response ?? '')).toMatchObject({ idTokenInfo: { status: 'Accepted' } })
  expect(await house.sessionOf('CP1')).toMatchObject({ state: 'charging' })
  // A second one answers nothing any more.
  station.send('[5,"e1","FormatViolation","",{}]')
  await house.settled()
  const after = await house.commands('CP1')
  expect(after.find(({ method }) => method === 'TransactionEvent')).toEqual(row)
  expect(after.filter(({ method }) => method === 'Unanswered')).toHaveLength(1)
})

it('OCPP21-A8: an unknown message type is ignored', async () => {
  const house = await core()
  const station = await house.boot21('CP1')
  const before = station.frames.length
  station.send('[9,"x","Y",{}]')
  await house.settled()
  expect(station.frames).toHaveLength(before)
})
