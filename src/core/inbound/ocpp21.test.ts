/** Message types 5 and 6 of OCPP 2.1. */
import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'

const core = coresOfTests()
const ORDER = { accountId: 'account-1', chargePointId: 'CP1', waitMs: 0 }
const STREAM = { id: 1, pending: 0, basetime: '2026-01-01T00:00:00Z', data: [{ t: 0, v: '230.1' }] }

it.each([
  ['a stream', ['NotifyPeriodicEventStream', STREAM], { status: 'success' }],
  [
    'the specification’s own example',
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
    const kept = rows.find(({ messageId }) => messageId === 's1')
    expect(kept).toMatchObject({ direction: 'in', method: action, ...row })
    expect(kept).not.toHaveProperty('response')
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
  ['boot21', { status: 'Accepted', statusInfo: {}, customData: { vendorId: 7 } }, []],
  ['boot201', {}, []],
] as const)('OCPP21-A2: %s, the answer %j is answered %j', async (boot, answer, expected) => {
  const house = await core()
  const station = await house[boot]('CP1')
  const order = { ...ORDER, method: 'ClearCache', request: {} }
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

it('OCPP21-A2: a list of none where the schema demands one is no reason', async () => {
  const house = await core()
  const station = await house.boot21('CP1')
  void house.core.sendCommand({ ...ORDER, method: 'ClearTariffs', request: {} })
  const call = await station.asked('ClearTariffs')
  station.answer(call, { clearTariffsResult: [] })
  await house.settled()
  expect(station.frames.at(-1)).toEqual(call)
  const row = (await house.commands('CP1')).find(({ method }) => method === 'ClearTariffs')
  expect(row).toMatchObject({ status: 'success', schemaErrors: expect.stringContaining('clearTariffsResult') })
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

it.each(['[9,"x","Y",{}]', '[6]', '[6,"x",7,{}]'])('OCPP21-A1, OCPP21-A8: %s is not answered', async (text) => {
  const house = await core()
  const station = await house.boot21('CP1')
  const before = station.frames.length
  station.send(text)
  await house.settled()
  expect(station.frames).toHaveLength(before)
})

it('OCPP21-A4: an error after our type 5, or for a call that was answered, changes nothing', async () => {
  const house = await core()
  const station = await house.boot21('CP1')
  void house.core.sendCommand({ ...ORDER, method: 'ClearCache', request: {} })
  const call = await station.asked('ClearCache')
  station.answer(call, {})
  await house.settled()
  const before = (await house.commands('CP1')).find(({ method }) => method === 'ClearCache')
  station.send(JSON.stringify([4, call[1], 'GenericError', '', {}]))
  await house.settled()
  const rows = await house.commands('CP1')
  expect(rows.find(({ method }) => method === 'ClearCache')).toEqual(before)
  expect(rows.filter(({ method }) => method === 'Unanswered')).toHaveLength(1)
})

const event = (eventType: string, seqNo: number, more: object = {}) => ({
  eventType,
  timestamp: `2026-01-01T00:0${seqNo}:00Z`,
  triggerReason: eventType === 'Ended' ? 'EVDeparted' : 'ChargingStateChanged',
  seqNo,
  transactionInfo: { transactionId: 'T1', chargingState: 'Charging' },
  evse: { id: 1, connectorId: 1 },
  meterValue: [
    {
      timestamp: `2026-01-01T00:0${seqNo}:00Z`,
      sampledValue: [
        { value: seqNo * 1000, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'Wh' } },
      ],
    },
  ],
  ...more,
})

it('OCPP21-A6: after a probe with 1.6 a charge of 2.1 goes on in 2.0.1 and ends in 2.1, as one session', async () => {
  const house = await core()
  await (await house.connect('CP1', 'ocpp1.6')).call('Heartbeat', {})
  const first = await house.boot21('CP1')
  const idToken = { idToken: 'CARD', type: 'ISO14443' }
  await first.call('TransactionEvent', event('Started', 0, { idToken, costDetails: undefined }))
  const second = await house.boot201('CP1')
  expect((await second.call('TransactionEvent', event('Updated', 1)))[0]).toBe(3)
  const third = await house.boot21('CP1')
  expect((await third.call('TransactionEvent', event('Ended', 2)))[0]).toBe(3)
  await house.settled()
  const sessions = await house.store.reads.listSessions({ accountId: 'account-1', chargePointIds: ['CP1'], limit: 9 })
  expect(sessions).toMatchObject([{ state: 'completed', energyMilliWh: 2_000_000 }])
})

it('OCPP21-B1: a connector has the newer of both reports, in any case; its EVSE says nothing about it', async () => {
  const house = await core()
  const station = await house.boot21('CP1')
  const states = async () => {
    await house.settled()
    return (await house.store.reads.findChargePoint('CP1'))?.connectors.map(({ status }) => status)
  }
  const reported = (component: string, actualValue: string, minute: number) => ({
    generatedAt: '2026-01-01T00:00:00Z',
    seqNo: 0,
    eventData: [
      {
        eventId: minute,
        timestamp: `2026-01-01T00:0${minute}:00Z`,
        trigger: 'Delta',
        actualValue,
        eventNotificationType: 'HardWiredNotification',
        component: { name: component, evse: component === 'Connector' ? { id: 1, connectorId: 1 } : { id: 1 } },
        variable: { name: 'AvailabilityState' },
      },
    ],
  })
  await station.call('NotifyEvent', reported('Connector', 'occupied', 5))
  expect(await states()).toEqual(['Occupied'])
  const older = { timestamp: '2026-01-01T00:04:00Z', connectorStatus: 'Available', evseId: 1, connectorId: 1 }
  await station.call('StatusNotification', older)
  expect(await states()).toEqual(['Occupied'])
  await station.call('NotifyEvent', reported('EVSE', 'Faulted', 6))
  expect(await states()).toEqual(['Occupied'])
  await station.call('StatusNotification', { ...older, timestamp: '2026-01-01T00:07:00Z' })
  expect(await states()).toEqual(['Available'])
})

it('OCPP21-B2: NoAuthorization is accepted and becomes no card', async () => {
  const house = await core({ settings: { unknownIdTokens: 'reject' } })
  const station = await house.boot21('CP1')
  const idToken = { idToken: '', type: 'NoAuthorization' }
  const accepted = [3, expect.any(String), { idTokenInfo: { status: 'Accepted' } }]
  expect(await station.call('Authorize', { idToken })).toEqual(accepted)
  expect(await station.call('Authorize', { idToken: { idToken: '', type: 'noAuthorization' } })).toEqual(accepted)
  expect(await station.call('TransactionEvent', event('Started', 0, { idToken }))).toEqual(accepted)
})

it.each([
  [{ requestedEnergyTransfer: 'AC_three_phase' }, 'Rejected'],
  [{ requestedEnergyTransfer: 'AC_three_phase', v2xChargingParameters: {} }, 'NoChargingProfile'],
  [{ requestedEnergyTransfer: 'DC', controlMode: 'ScheduledControl' }, 'NoChargingProfile'],
  [{ requestedEnergyTransfer: 'AC_BPT', v2xChargingParameters: {} }, 'Rejected'],
  [{ requestedEnergyTransfer: 'AC_DER', controlMode: 'DynamicControl' }, 'Rejected'],
])('OCPP21-B7: the needs %j of a car that gets no profile are answered %s', async (chargingNeeds, status) => {
  const house = await core()
  const station = await house.boot21('CP1')
  const [, , answer] = await station.call('NotifyEVChargingNeeds', { evseId: 1, chargingNeeds })
  expect(answer).toMatchObject({ status })
})
