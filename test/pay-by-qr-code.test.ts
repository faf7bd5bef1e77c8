/** docs/pay-by-qr-code.md: every command of it, on a server with an OCPP 2.1 charge point that shows codes. */

import { afterAll, expect, it } from 'vitest'
import { passwordOf } from '../src/domain/payments/one-time-password.ts'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import { commandsOf, jsonFor } from './documents.ts'
import { type Json, openHouse, until } from './house.ts'
import { obedient } from './obedient.ts'
import { BOOT_201, booted201, connectStation, eventOf } from './station.ts'

/** The code of the first payment. */
let used = ''

const commands = commandsOf('docs/pay-by-qr-code.md')

const house = await openHouse({
  PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1',
  PILOTWIRE_RECEIPT_URL: 'https://pay.example.com/receipts/{pspRef}',
})
const values = new Map<string, string>()
const obeys = obedient(values)
const respond = (method: string, request: Json): Json | undefined => {
  const said = obeys(method, request) as { getVariableResult?: Json[] } | undefined
  if (said?.getVariableResult) return { getVariableResult: said.getVariableResult.map(withoutSecret) }
  if (method === 'RequestStartTransaction') return { status: 'Accepted' }
  return said ?? (method === 'NotifyWebPaymentStarted' ? {} : undefined)
}
const north = await connectStation(house.ocppUrl, 'NORTH-1', 'ocpp2.1', { respond })
await north.ask('BootNotification', BOOT_201)
for (const evseId of [1, 2]) {
  const timestamp = new Date().toISOString()
  await north.ask('StatusNotification', { timestamp, connectorStatus: 'Available', evseId, connectorId: 1 })
}
const west = await connectStation(house.ocppUrl, 'WEST-1', 'ocpp2.1', { respond })
await west.ask('BootNotification', { ...BOOT_201, chargingStation: { vendorName: 'Other', model: 'Two' } })
await west.ask('StatusNotification', {
  timestamp: new Date().toISOString(),
  connectorStatus: 'Available',
  evseId: 1,
  connectorId: 1,
})
afterAll(async () => {
  await north.close()
  await west.close()
  await house.close()
})

/** As a station whose secret is write-only. */
function withoutSecret(result: Json): Json {
  const { component, variable } = result as { readonly component: Json; readonly variable: Json }
  return variable.name === 'SharedSecret' ? { component, variable, attributeStatus: 'Rejected' } : result
}

/** What the station shows now, or showed so many intervals ago. */
function code(shift = 0): string {
  const [secret = '', length] = [values.get('SharedSecret'), Number(values.get('Length'))]
  return passwordOf({ secret, length }, Math.floor(Date.now() / 1000 / Number(values.get('ValidityTime'))) + shift)
}

const pay = (body: Json) => house.request('POST', '/2/web-payments', body)
const json = <T>(command?: string) => jsonFor<T>(house, command)

async function settled(more: Json): Promise<Json> {
  const settlement = { pspRef: 'psp-4711', status: 'Settled', settlementAmount: 12.34, ...more }
  const answer = await north.ask('NotifySettlement', { settlementTime: new Date().toISOString(), ...settlement })
  expect(faultsOf('ocpp2.1', 'NotifySettlement', 'conf', answer)).toEqual([])
  return answer
}

it('OCPP21-C6, OCPP21-C7: its commands do what they say', async () => {
  expect(commands).toHaveLength(3)
  const [configure, start, timeline] = commands
  expect(await json(configure)).toMatchObject({ name: 'payments', revision: 1 })
  await until(() => ['SharedSecret', 'Length', 'ValidityTime', 'URLTemplate'].every((name) => values.has(name)))
  used = code()
  const scanned = start?.replace('5AViTp52', used)
  const { session, ...place } = await json<{ session: Json }>(scanned)
  expect(place).toEqual({ evseControllerId: 'NORTH-1', evseId: 1 })
  expect(session).toMatchObject({ state: 'pending' })

  const request = await north.asked('RequestStartTransaction')
  expect(request).toMatchObject({ evseId: 1, idToken: { idToken: 'psp-4711', type: 'DirectPayment' } })
  expect(north.requests('NotifyWebPaymentStarted')).toEqual([{ evseId: 1, timeout: 120 }])
  const [announced, asked] = ['NotifyWebPaymentStarted', 'RequestStartTransaction'].map((name) =>
    north.frames.indexOf(north.calls(name)[0] ?? []),
  )
  expect(announced).toBeLessThan(Number(asked))

  const { remoteStartId, idToken } = request
  const transactionInfo = { transactionId: 'T', chargingState: 'Charging', remoteStartId }
  const begun = await north.ask('TransactionEvent', eventOf('Started', 0, { transactionInfo, idToken }))
  expect(begun).toMatchObject({ idTokenInfo: { status: 'Accepted' } })
  expect(begun.idTokenInfo).not.toHaveProperty('groupIdToken')
  const details = async () => (await house.request('GET', `/2/sessions/${session.id}?include=details`)).body
  expect(await details()).toMatchObject({
    state: 'charging',
    details: { idToken: 'psp-4711', limits: { durationSeconds: 3600, energyKwh: 20 } },
  })
  expect((await house.request('GET', '/2/id-tokens')).body.data).toEqual([])

  const end = { transactionInfo: { transactionId: 'T', stoppedReason: 'EVDisconnected' }, triggerReason: 'EVDeparted' }
  await north.ask('TransactionEvent', eventOf('Ended', 1, end))
  const receipt = { receiptId: 'psp-4711', receiptUrl: 'https://pay.example.com/receipts/psp-4711' }
  expect(await settled({ transactionId: 'T' })).toEqual(receipt)
  expect(await settled({ transactionId: 'T' })).toEqual(receipt)
  const settlement = { pspRef: 'psp-4711', status: 'Settled', amount: 12.34 }
  const { data } = await json<{ data: Json[] }>(timeline)
  const payments = data.filter(({ kind }) => kind === 'payment')
  expect(payments).toMatchObject([{ ...settlement, sessionId: session.id, transactionId: 'T' }])
  expect(await details()).toMatchObject({ details: { payment: settlement } })
  const ofSession = (await house.request('GET', `/2/sessions/${session.id}/timeline`)).body.data as Json[]
  expect(ofSession.filter(({ type }) => type === 'payment')).toMatchObject([settlement])
  const events = await house.request('GET', '/2/events?type=payment.settled')
  expect(events.body.data).toMatchObject([{ data: { ...settlement, sessionId: session.id } }])
})

it('OCPP21-C6: the secret is shown nowhere', async () => {
  expect(values.get('SharedSecret')).toBe('MySharedSecret')
  const shown = [
    await house.rows('NORTH-1'),
    ...(await Promise.all(
      ['/2/variables?variable=SharedSecret', '/2/intents', '/2/configurations', '/2/configurations/payments'].map(
        async (path) => (await house.request('GET', path)).body,
      ),
    )),
  ].map((one) => JSON.stringify(one))
  expect(shown[0]).toContain('SharedSecret')
  expect(shown.filter((one) => one.includes('MySharedSecret'))).toEqual([])
})

const NAMED = { evseControllerId: 'NORTH-1', evseId: 1 }
const address = (totp: string, rest = '/v1') => `https://pay.example.com/NORTH-1/1/${totp}${rest}`

it.each<[string, number, string, () => Json]>([
  ['a code that was used', 409, 'payment_code_used', () => ({ ...NAMED, totp: used })],
  ['a payment that is known', 409, 'payment_known', () => ({ ...NAMED, totp: code(1), pspRef: 'psp-4711' })],
  ['yesterday’s code', 422, 'payment_code_invalid', () => ({ ...NAMED, totp: code(-1440) })],
  ['yesterday’s address', 422, 'payment_code_invalid', () => ({ url: address(code(-1440)) })],
  ['another version', 422, 'payment_version_unknown', () => ({ ...NAMED, totp: code(1), version: '2' })],
  ['another version in the address', 422, 'payment_version_unknown', () => ({ url: address(code(1), '/v2') })],
  ['one without a secret', 422, 'payments_not_set_up', () => ({ ...NAMED, evseControllerId: 'WEST-1', totp: code(1) })],
  ['an unknown charge point', 404, 'not_found', () => ({ ...NAMED, evseControllerId: 'SOUTH-9', totp: code(1) })],
  ['a foreign address', 404, 'not_found', () => ({ url: `https://evil.example/NORTH-1/1/${code(1)}/v1` })],
  ['no limit in the address', 400, 'invalid_value', () => ({ url: address(code(1), '/v1?maxcost=much') })],
  ['a limit of cost without a tariff', 422, 'no_tariff', () => ({ ...NAMED, totp: code(1), maxcost: 5 })],
  ['nothing', 400, 'invalid_value', () => ({})],
  ['both forms', 400, 'invalid_value', () => ({ ...NAMED, totp: code(1), url: address(code(1)) })],
])('OCPP21-C6: refused, and nothing is sent: %s', async (_, status, problem, body) => {
  const before = north.frames.length
  const { status: answered, body: said } = await pay({ pspRef: 'psp-2', ...body() })
  expect([answered, said.code]).toEqual([status, problem])
  expect(north.frames.slice(before)).toEqual([])
})

it('OCPP21-C6: one that is away or speaks no 2.1 has no such payments, nor has an unknown EVSE', async () => {
  const south = await booted201(house.ocppUrl, 'SOUTH-1', { respond })
  await until(() => south.calls('SetVariables').length > 0)
  const body = { evseControllerId: 'SOUTH-1', evseId: 1, totp: code(1), pspRef: 'psp-3' }
  expect(await pay(body)).toMatchObject({ status: 422, body: { code: 'unsupported_method' } })
  expect(await pay({ ...NAMED, evseId: 7, totp: code(1), pspRef: 'psp-3' })).toMatchObject({
    status: 422,
    body: { code: 'unknown_evse' },
  })
  await south.close()
  await until(async () => (await pay(body)).body.code === 'charge_point_offline')
  const again = { ...NAMED, evseId: 2, totp: code(1), pspRef: 'psp-3', timeout: 30 }
  expect(await pay(again)).toMatchObject({ status: 202, body: { evseControllerId: 'NORTH-1', evseId: 2 } })
  await until(() => north.requests('NotifyWebPaymentStarted').length === 2)
  expect(north.requests('NotifyWebPaymentStarted')[1]).toEqual({ evseId: 2, timeout: 30 })
  expect(await settled({ pspRef: 'psp-3', status: 'Canceled', settlementAmount: 0 })).toEqual({})
})

it('OCPP21-C6: of two that send one code at the same time one starts', async () => {
  const totp = code(1)
  const answers = await Promise.all(['psp-4', 'psp-5', 'psp-6'].map((pspRef) => pay({ ...NAMED, totp, pspRef })))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  await until(() => north.requests('RequestStartTransaction').length === 3)
  expect(north.requests('NotifyWebPaymentStarted')).toHaveLength(3)
})

it.each([
  ['DE123456789', 'NotEnabled'],
  ['de 123.456.789', 'NotEnabled'],
  ['ATU12345678', 'NotEnabled'],
  ['123', 'InvalidValue'],
  ['', 'InvalidValue'],
])('OCPP21-C8: the VAT number %s comes back with its EVSE, %s', async (vatNumber, reasonCode) => {
  const answer = await north.ask('VatNumberValidation', { vatNumber, evseId: 1 })
  expect(answer).toEqual({ vatNumber, evseId: 1, status: 'Rejected', statusInfo: { reasonCode } })
  expect(faultsOf('ocpp2.1', 'VatNumberValidation', 'conf', answer)).toEqual([])
})
