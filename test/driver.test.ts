/** What a driver sees, on the whole server: what is stored after each case of O01 to O06. */
import { afterAll, describe, expect, it } from 'vitest'
import { ChargePoint } from '../simulator/index.ts'
import { type Json, openHouse, until } from './house.ts'
import { BOOT_16, BOOT_201, connectStation } from './station.ts'

const house = await openHouse()
await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.5, perSession: 1 })
const cp16 = await ChargePoint.connect({ url: house.ocppUrl, id: 'COST', ocpp: '1.6' })
const cp = await ChargePoint.connect({ url: house.ocppUrl, id: 'NEW', ocpp: '2.0.1' })
const old = await connectStation(house.ocppUrl, 'OLD', 'ocpp1.6')
await old.ask('BootNotification', BOOT_16)
afterAll(async () => {
  expect(house.errors).toEqual([])
  await cp.close()
  await cp16.close()
  await old.close()
  await house.close()
})

const path = (name: string, id = 'NEW'): string =>
  `/2/evse-controllers/${id}/display-messages/${encodeURIComponent(name)}`
const put = (name: string, body: Json, id?: string) => house.request('PUT', path(name, id), body)
const message = async (name: string): Promise<Json> => (await house.request('GET', path(name))).body
const intentOf = async (name: string): Promise<Json> => (await message(name)).intent as Json
const untilState = (name: string, state: string) => until(async () => (await intentOf(name))?.state === state)
const list = async () =>
  (await house.request('GET', '/2/evse-controllers/NEW/display-messages')).body as { data: Json[]; others: Json[] }
const command = async (method: string, request: Json): Promise<Json> => {
  const { body } = await house.request('POST', '/2/evse-controllers/NEW/commands?wait=10', { method, request })
  return body.response as Json
}

async function reported(id: string): Promise<void> {
  const path = `/2/evse-controllers/${id}/reports`
  const { body } = await house.request('POST', path, { base: 'FullInventory' })
  await until(async () => (await house.request('GET', `${path}/${body.id}`)).body.state === 'complete')
}

describe('the cost of a charge', () => {
  const details = async (id: string): Promise<Json> => {
    const { body } = await house.request('GET', `/2/sessions?evseControllerId=${id}&include=details`)
    return (body.data as Json[])[0] as Json
  }

  const shownCost = async (id: string) => ((await details(id)).details as { shownCost?: Json }).shownCost

  it.each([
    ['NEW', () => cp, 'CostUpdated'],
    ['COST', () => cp16, 'DataTransfer'],
  ] as const)('DRIVER-C1, DRIVER-C2, TC_I_01, TC_I_02: %s shows it, and the total', async (id, station, method) => {
    const sent = async () => (await house.rows(id, { method })).filter(({ direction }) => direction === 'out')
    await station().plug(1)
    await station().swipe(1, 'CARD-1')
    await until(async () => (await house.sessions(id)).some(({ state }) => state === 'charging'))
    // Nobody knows yet that it shows costs.
    expect(await sent()).toEqual([])
    await reported(id)
    await station().swipe(1, 'CARD-1')
    await station().unplug(1)
    await station().plug(1)
    await station().swipe(1, 'CARD-1')
    await until(() => (station().state.connectors[0]?.transaction?.cost ?? 0) >= 1)
    await until(async () => Number((await shownCost(id))?.cost) >= 1)
    await until(async () => (await sent())[0]?.status === 'success')
    await station().swipe(1, 'CARD-1')
    await until(async () => (await details(id)).state === 'completed')
    const { cost } = await details(id)
    expect(Number(cost)).toBeGreaterThanOrEqual(1)
    if (method === 'CostUpdated') {
      const ended = await house.rows(id, { method: 'TransactionEvent' })
      expect(ended[0]).toMatchObject({ response: { totalCost: cost } })
    } else {
      await until(async () => (await sent()).some(({ request }) => (request as Json).messageId === 'FinalCost'))
      await until(async () => (await shownCost(id))?.cost === cost)
      const transfers = (await sent()).map(({ request }) => request as { messageId: string; data: string })
      const [final, running] = ['FinalCost', 'RunningCost'].map((name) =>
        JSON.parse(transfers.find(({ messageId }) => messageId === name)?.data ?? '{}'),
      ) as [Json, Json]
      expect(final).toEqual({ transactionId: running.transactionId, cost, priceText: `${cost} EUR` })
      expect(running).toMatchObject({
        state: 'Charging',
        chargingPrice: { kWhPrice: 0.5, hourPrice: 0, flatFee: 1 },
        transactionId: expect.any(Number),
        cost: expect.any(Number),
        timestamp: expect.any(String),
      })
    }
    await station().unplug(1)
  })
})

describe('what a charge point knows of a customer', () => {
  const at = '/2/evse-controllers/NEW/customer-information'
  const ask = (body: Json) => house.request('POST', at, body)
  const taken = async (id: unknown): Promise<Json> => {
    let body: Json = {}
    await until(async () => {
      body = (await house.request('GET', `${at}/${id}`)).body
      return !['requested', 'running'].includes(String(body.state))
    })
    return body
  }

  it('DRIVER-I1, DRIVER-I2, TC_N_27: its pages are put together, read once, and gone', async () => {
    const made = await ask({ idToken: 'CARD-1' })
    expect([made.status, made.headers.get('location')]).toEqual([202, `${at}/${made.body.id}`])
    expect(made.body).toMatchObject({ evseControllerId: 'NEW', report: true, clear: false })
    const known = await taken(made.body.id)
    expect(known).toMatchObject({ state: 'complete', data: expect.stringMatching(/CARD-1[\s\S]*Charge .* Wh, ended/) })
    const pages = async () => (await house.rows('NEW', { method: 'NotifyCustomerInformation' })).length
    const before = await pages()
    const second = (await ask({ idToken: 'CARD-1' })).body.id
    await until(async () => (await pages()) > before)
    // A client that asks first whether it is there takes nothing.
    expect((await house.request('HEAD', `${at}/${second}`)).status).toBe(200)
    expect((await taken(second)).data).toBe(known.data)
    expect((await house.request('GET', `${at}/${made.body.id}`)).status).toBe(404)
  })

  it('OCPP21-B3: it is not asked about a card that is longer than its version allows', async () => {
    const refused = await ask({ idToken: 'C'.repeat(37) })
    expect([refused.status, refused.body.code]).toEqual([422, 'customer_information_unsupported'])
    // One that was never there is asked later, in the version that it then speaks.
    const { password } = (await house.request('POST', '/2/evse-controllers', { id: 'LATER' })).body
    const later = '/2/evse-controllers/LATER/customer-information'
    const { body } = await house.request('POST', later, { idToken: 'C'.repeat(37) })
    const station = await connectStation(house.ocppUrl, 'LATER', 'ocpp2.0.1', { password: String(password) })
    await station.ask('BootNotification', BOOT_201)
    await until(async () => (await house.request('GET', `${later}/${body.id}`)).body.state === 'rejected')
    expect(station.calls('CustomerInformation')).toEqual([])
    await station.close()
  })

  it('DRIVER-I3: the log says that it came, and not what', async () => {
    const pages = await house.rows('NEW', { method: 'NotifyCustomerInformation' })
    expect(pages.length).toBeGreaterThan(0)
    for (const { request } of pages) expect(request).toMatchObject({ data: '***' })
    const idToken = { idToken: 'CARD-1', type: 'ISO14443' }
    await command('CustomerInformation', { requestId: 5, report: true, clear: false, idToken })
    await until(async () => {
      const [newest] = await house.rows('NEW', { method: 'NotifyCustomerInformation' })
      const { requestId, data } = (newest?.request ?? {}) as Json
      return requestId === 5 && data !== '***'
    })
  })

  it('DRIVER-I1, DRIVER-I4, TC_N_32: told to forget a card, it forgets it, and its local list does too', async () => {
    await house.request('POST', '/2/id-tokens', { id: 'CARD-1' })
    await house.request('POST', '/2/id-tokens', { id: 'CARD-2' })
    await house.request('PUT', '/2/local-lists/here', { selector: { ids: ['NEW'] }, tokens: 'all' })
    const listed = async () => {
      const [newest] = await house.rows('NEW', { method: 'SendLocalList' })
      const { updateType, localAuthorizationList = [] } = (newest?.request ?? {}) as {
        readonly updateType?: string
        readonly localAuthorizationList?: readonly { readonly idToken: { readonly idToken: string } }[]
      }
      return [updateType, ...localAuthorizationList.map(({ idToken }) => idToken.idToken)].join(' ')
    }
    await until(async () => (await listed()) === 'Full CARD-1 CARD-2')
    const made = await ask({ idToken: 'CARD-1', report: false, clear: true })
    expect(await taken(made.body.id)).toMatchObject({ state: 'complete', clear: true })
    await until(async () => (await listed()) === 'Full CARD-2')
    const again = await taken((await ask({ idToken: 'CARD-1' })).body.id)
    expect(again.data).toBe('Nothing is known of this customer.')
    await house.request('PATCH', '/2/id-tokens/CARD-1', { status: 'Blocked' })
    await until(async () => (await listed()) === 'Differential CARD-1')
  })
})

describe('messages on a display', () => {
  it('DRIVER-M1, DRIVER-M4, TC_O_01: one is set, shown, and verified by what the charge point reports', async () => {
    const made = await put('welcome', { content: 'Grüß Gott ⚡', language: 'de' })
    expect([made.status, made.headers.get('location')]).toEqual([201, path('welcome')])
    expect(made.body).toMatchObject({
      name: 'welcome',
      evseControllerId: 'NEW',
      content: 'Grüß Gott ⚡',
      language: 'de',
      format: 'UTF8',
      priority: 'NormalCycle',
      intent: { revision: 1 },
    })
    await untilState('welcome', 'verified')
    expect(cp.state.display).toEqual(['Grüß Gott ⚡'])
    const shown = await intentOf('welcome')
    expect(shown).toMatchObject({ appliedRevision: 1 })
    const [carried] = await house.rows('NEW', { method: 'SetDisplayMessage' })
    expect(carried).toMatchObject({ id: shown.commandId, status: 'success', response: { status: 'Accepted' } })
    const events = (await house.request('GET', '/2/events?type=intent.changed')).body.data as { data: Json }[]
    const states = events.filter(({ data }) => data.key === 'welcome').map(({ data }) => data.state)
    expect(states).toEqual(['pending', 'sent', 'applied', 'verified'])
  })

  it('DRIVER-M1, TC_O_12: the same name replaces it under the same number', async () => {
    const { messageId } = await message('welcome')
    const again = await put('WELCOME', { content: 'Servus', priority: 'InFront' })
    expect([again.status, again.body.messageId, again.body.name]).toEqual([200, messageId, 'welcome'])
    await untilState('welcome', 'verified')
    expect(cp.state.display).toEqual(['Servus'])
    expect(await list()).toMatchObject({ data: [{ content: 'Servus', intent: { revision: 2 } }], others: [] })
  })

  it('DRIVER-M4, TC_O_02: what the charge point has besides is kept and shown, and never cleared', async () => {
    const request = { message: { id: 5, priority: 'NormalCycle', message: { format: 'ASCII', content: 'Theirs' } } }
    expect(await command('SetDisplayMessage', request)).toMatchObject({ status: 'Accepted' })
    expect(await command('GetDisplayMessages', { requestId: 9 })).toMatchObject({ status: 'Accepted' })
    await until(async () => (await list()).others.length === 1)
    expect((await list()).others).toMatchObject([{ messageId: 5, content: 'Theirs', format: 'ASCII' }])
  })

  it('DRIVER-M4: one that the charge point lost is set again with the next look', async () => {
    const { messageId } = await message('welcome')
    await command('ClearDisplayMessage', { id: messageId })
    expect(cp.state.display).toEqual(['Theirs'])
    await put('second', { content: 'Second' })
    await until(() => cp.state.display.includes('Servus'))
    await untilState('welcome', 'verified')
  })

  it('DRIVER-M3, TC_O_04, TC_O_05: deleted, it is cleared; one that is gone already is no fault', async () => {
    await untilState('second', 'verified')
    await command('ClearDisplayMessage', { id: (await message('second')).messageId })
    for (const name of ['welcome', 'second']) {
      expect((await house.request('DELETE', path(name))).status).toBe(204)
      expect((await house.request('GET', path(name))).status).toBe(404)
    }
    await until(() => cp.state.display.join() === 'Theirs')
    const left = async () => (await house.request('GET', '/2/evse-controllers/NEW/intents')).body.data as Json[]
    await until(async () => (await left()).length === 0)
    expect((await list()).data).toEqual([])
    expect((await house.request('DELETE', path('welcome'))).status).toBe(404)
  })

  it('DRIVER-M5, DRIVER-M7, TC_O_06: one of a charge is in the language of its card, and ends with it', async () => {
    await cp.plug(1)
    await cp.swipe(1, 'CARD-2')
    const { transactionId } = cp.charge(1)
    await until(async () => (await house.sessions('NEW')).some((session) => session.state === 'charging'))
    const translations = [{ content: 'Vielen Dank', language: 'de' }]
    const asked = { content: 'Thank you', language: 'en', priority: 'InFront', transactionId, translations }
    expect((await put('thanks', asked)).body).toMatchObject({ content: 'Thank you', translations })
    await until(() => cp.state.display.join() === 'Thank you')
    await house.request('PATCH', '/2/id-tokens/CARD-2', { language: 'de-AT' })
    expect((await put('thanks', asked)).body).toMatchObject({ content: 'Thank you', shownAs: translations[0] })
    await until(() => cp.state.display.join() === 'Vielen Dank')
    await cp.swipe(1, 'CARD-2')
    await cp.unplug(1)
    await untilState('thanks', 'expired')
    expect(await message('thanks')).toMatchObject({ transactionId })
    expect(cp.state.display).toEqual(['Theirs'])
  })

  it('DRIVER-M2: what cannot be shown is refused, and nothing is stored or sent', async () => {
    const sent = async () => (await house.rows('NEW', { method: 'SetDisplayMessage' })).length
    const before = await sent()
    const past = new Date(Date.now() - 1000).toISOString()
    const later = new Date(Date.now() + 60_000).toISOString()
    for (const [body, pointer] of [
      [{ content: 'x', endAt: past }, '/endAt'],
      [{ content: 'x', startAt: later, endAt: later }, '/endAt'],
      [{ content: 'ü', format: 'ASCII' }, '/content'],
      [{ content: 'no address', format: 'URI' }, '/content'],
      [{ content: 'javascript:alert(1)', format: 'URI' }, '/content'],
      [{ content: 'x', transactionId: 'T-UNKNOWN' }, '/transactionId'],
    ] as const) {
      const refused = await put('wrong', body)
      expect([body, refused.status, refused.body]).toMatchObject([
        body,
        422,
        { code: 'invalid_display_message', errors: [{ pointer }] },
      ])
    }
    for (const body of [
      { content: 'x\u0000y' },
      { content: '\u202Egnp.exe' },
      { content: 'x', translations: [{ content: 'y\u0007', language: 'de' }] },
    ]) {
      expect([body, (await put('wrong', body)).status]).toEqual([body, 400])
    }
    expect((await put('wrong\u202E', { content: 'x' })).status).toBe(400)
    const unsupported = await put('wrong', { content: 'x' }, 'OLD')
    expect([unsupported.status, unsupported.body.code]).toEqual([422, 'display_unsupported'])
    expect((await put('wrong', { content: 'x' }, 'NOBODY')).status).toBe(404)
    expect((await house.request('GET', path('wrong'))).status).toBe(404)
    expect(await sent()).toBe(before)
  })

  it('DRIVER-M2: what the charge point says that it shows is believed', async () => {
    await reported('NEW')
    const refused = await put('page', { content: '<b>x</b>', format: 'HTML' })
    expect(refused.body).toMatchObject({ code: 'invalid_display_message', errors: [{ pointer: '/format' }] })
    // It keeps twenty, and one of them is not ours.
    for (let nth = 0; nth < 19; nth++) expect((await put(`many-${nth}`, { content: 'x' })).status).toBe(201)
    const full = await put('many-19', { content: 'x' })
    expect([full.status, full.body.code]).toEqual([409, 'too_many_display_messages'])
  })

  it('DRIVER-M1: hostile names and texts are kept as they are', async () => {
    for (let nth = 0; nth < 19; nth++) expect((await house.request('DELETE', path(`many-${nth}`))).status).toBe(204)
    await until(async () => (await put('after', { content: 'x' })).status === 201)
    const name = '<script>alert(1)</script> ../🐎'
    const content = '"><img src=x onerror=alert(1)>\nsecond line \u{1F40E}'
    expect((await put(name, { content })).status).toBe(201)
    expect(await message(name)).toMatchObject({ name, content })
    expect((await house.request('DELETE', path(name))).status).toBe(204)
  })
})
