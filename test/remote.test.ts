/** Orders over HTTP to simulated charge points, in both versions. */
import { describe, expect, it } from 'vitest'
import { type ChargePoint, createChargePoint } from '../simulator/charge-point.ts'
import { houseOfFile, type Json, until } from './house.ts'
import { booted201, eventOf } from './station.ts'

const house = await houseOfFile()

const protocols = ['ocpp1.6', 'ocpp2.0.1'] as const

async function simulated(
  protocol: (typeof protocols)[number],
  id: string,
  problems: string[] = [],
): Promise<ChargePoint> {
  const station = createChargePoint({
    protocol,
    url: house.ocppUrl,
    id,
    timeScale: 1000,
    problem: (message) => problems.push(message),
  })
  await station.connect()
  await station.boot()
  await station.plug(1)
  return station
}

async function reaches(sessionId: string, state: string): Promise<Json> {
  await until(async () => (await house.session(sessionId)).state === state)
  return house.session(sessionId)
}

describe.each(protocols)('%s', (protocol) => {
  it('SESSION-O1, SESSION-O2, SESSION-A5, SESSION-B7: a session is started and stopped over HTTP and keeps its reference', async () => {
    const problems: string[] = []
    const id = `REMOTE-${protocol}`
    const station = await simulated(protocol, id, problems)
    const place = protocol === 'ocpp1.6' ? { connectorId: 1 } : { evseId: 1 }
    const order = { evseControllerId: id, ...place, externalReference: 'order-42' }
    const started = await house.request('POST', '/2/sessions', order)
    expect(started.status).toBe(202)
    expect(started.body).toMatchObject({ state: 'pending', externalReference: 'order-42', energyKwh: 0 })
    const sessionId = String(started.body.id)
    await reaches(sessionId, 'charging')
    await station.meterValues(1)
    expect((await house.request('POST', `/2/sessions/${sessionId}/stop`)).status).toBe(202)
    const session = await reaches(sessionId, 'completed')
    expect(session).toMatchObject({ externalReference: 'order-42', evseControllerId: id })
    expect(await house.sessions(id)).toHaveLength(1)
    const verb = protocol === 'ocpp1.6' ? 'Remote' : 'Request'
    const sent = await house.rows(id, { method: [`${verb}StartTransaction`, `${verb}StopTransaction`] })
    expect(sent).toMatchObject([
      { direction: 'out', status: 'success', response: { status: 'Accepted' } },
      { direction: 'out', status: 'success', response: { status: 'Accepted' } },
    ])
    expect(problems).toEqual([])
    await station.powerOff()
  })
})

it('SESSION-O7, TC_F_03: a start sent as a plain command, numbered by its sender, does not become a session that waits', async () => {
  const station = await booted201(house.ocppUrl, 'NUMBERED', { answer: { status: 'Accepted' } })
  const order = { evseControllerId: 'NUMBERED', evseId: 2, externalReference: 'customer A' }
  expect((await house.request('POST', '/2/sessions', order)).status).toBe(202)
  const starts = () => station.frames.filter((frame) => frame[2] === 'RequestStartTransaction')
  await until(() => starts().length > 0)
  const [ours] = starts().map((frame) => frame[3] as { readonly remoteStartId: number })
  // The sender counts from 1 as well.
  const remoteStartId = Number(ours?.remoteStartId) % 2 ** 30
  const idToken = { idToken: 'CARD-B', type: 'ISO14443' }
  const command = { method: 'RequestStartTransaction', request: { idToken, remoteStartId, evseId: 1 }, wait: 30 }
  const { body } = await house.request('POST', '/2/evse-controllers/NUMBERED/commands', command)
  expect(body).toMatchObject({ status: 'success' })
  const transactionInfo = { transactionId: 'B', remoteStartId, chargingState: 'Charging' }
  const started = eventOf('Started', 0, { triggerReason: 'RemoteStart', transactionInfo, idToken })
  await station.ask('TransactionEvent', started)
  const sessions = await house.sessions('NUMBERED')
  expect(sessions.map(({ state, externalReference }) => [state, externalReference])).toEqual([
    ['charging', undefined],
    ['pending', 'customer A'],
  ])
})

it('SESSION-O8, TC_F_01: a charge on a card keeps to itself while a start that was ordered on the same card waits', async () => {
  const station = await booted201(house.ocppUrl, 'TAPPED', { answer: { status: 'Accepted' } })
  const idToken = { idToken: 'TAPPED', type: 'ISO14443' }
  const event = (eventType: string, triggerReason: string, seqNo: number) =>
    eventOf(eventType, seqNo, { triggerReason, idToken })
  await station.ask('TransactionEvent', event('Started', 'Authorized', 0))
  const order = { evseControllerId: 'TAPPED', idToken: 'TAPPED', externalReference: 'the second car' }
  expect((await house.request('POST', '/2/sessions', order)).status).toBe(202)
  await station.ask('TransactionEvent', event('Updated', 'StopAuthorized', 1))
  const sessions = await house.sessions('TAPPED')
  expect(sessions.map(({ state, externalReference }) => [state, externalReference])).toEqual([
    ['pending', 'the second car'],
    ['finishing', undefined],
  ])
})
