/** From a station's message to a signed webhook, across a kill -9, and over `pilotwire webhooks listen`. */
import { afterEach, expect, it } from 'vitest'
import { sign } from '../src/webhooks/sending/signature.ts'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { booted16, type Station, startOf } from './station.ts'
import { startCli } from './support/server/cli/testing.ts'
import { type Receiver, startReceiver } from './support/webhooks/receiver.ts'

let house: HouseProcess
let hook: Receiver

afterEach(async () => {
  await house.close()
  await hook.close()
})

const now = (): string => new Date().toISOString()

async function charge(station: Station): Promise<void> {
  const started = await station.ask('StartTransaction', startOf())
  await station.ask('StopTransaction', { transactionId: started.transactionId, meterStop: 1500, timestamp: now() })
}

/** All events of the feed, by id. */
async function feed(): Promise<Map<string, string>> {
  const events = new Map<string, string>()
  for (let after = ''; ; ) {
    const { text, body } = await house.request('GET', `/2/events?limit=500${after}`)
    for (const event of (JSON.parse(text) as { data: Json[] }).data) events.set(String(event.id), JSON.stringify(event))
    const { nextCursor } = body.meta as { nextCursor?: string }
    if (nextCursor === undefined) return events
    after = `&after=${nextCursor}`
  }
}

it('HOOK-W5, API-G1, HOOK-F3: a charge becomes signed events whose data is the session of the API', async () => {
  hook = await startReceiver()
  house = await spawnHouse()
  const { body: webhook } = await house.request('POST', '/2/webhooks', { url: hook.url })
  await charge(await booted16(house.ocppUrl, 'CP-1'))
  await until(() => hook.received.length === 2)
  const last = hook.received.at(-1)
  const { data } = JSON.parse(last?.body ?? '') as { data: Json }
  expect(data).toMatchObject({ state: 'completed', energyKwh: 1.5, evseControllerId: 'CP-1' })
  expect(data).toEqual(await house.session(String(data.id)))
  const timestamp = Number(last?.headers['webhook-timestamp'])
  expect(last?.headers['webhook-signature']).toBe(sign(String(webhook.secret), timestamp, last?.body ?? ''))
  const timeline = await house.request('GET', `/2/sessions/${data.id}/timeline`)
  expect((timeline.body.data as { causes: Json[] }[]).map(({ causes }) => causes[0]?.method)).toEqual([
    'StartTransaction',
    'StopTransaction',
  ])
})

it('HOOK-F3, HOOK-F4: kill -9 with 1,000 pending: each arrives at least once, with unchanged id and body', async () => {
  hook = await startReceiver(() => undefined)
  house = await spawnHouse()
  await house.request('POST', '/2/webhooks', { url: hook.url })
  const stations = await Promise.all(Array.from({ length: 20 }, (_, index) => booted16(house.ocppUrl, `CP-${index}`)))
  await Promise.all(
    stations.map(async (station) => {
      for (let index = 0; index < 25; index++) await charge(station)
    }),
  )
  await until(() => hook.received.length > 0)
  const interrupted = [...hook.received]
  await house.kill()
  hook.respond = (response) => response.writeHead(204).end()
  await house.startAgain()
  const expected = await feed()
  expect(expected.size).toBe(1000)
  const arrived = (): Map<string, string> =>
    new Map(hook.received.slice(interrupted.length).map(({ body }) => [(JSON.parse(body) as { id: string }).id, body]))
  await until(() => arrived().size === 1000)
  expect(arrived()).toEqual(expected)
  for (const { body, headers } of interrupted) {
    const again = hook.received.slice(interrupted.length).find((received) => received.body === body)
    expect(again?.headers['webhook-delivery']).toBe(headers['webhook-delivery'])
    expect(again?.headers['webhook-attempt']).toBe('2')
  }
})

it('HOOK-B1: webhooks listen posts signed events of another process to an address here', async () => {
  hook = await startReceiver()
  house = await spawnHouse()
  const credential = String((await house.cli(['credential', 'create', '--name', 'listen'])).credential)
  const listen = startCli(['webhooks', 'listen', '--forward', hook.url, '--url', house.url, '--json'], {
    PILOTWIRE_API_CREDENTIAL: credential,
  })
  await listen.noted('Ctrl-C')
  await charge(await booted16(house.ocppUrl, 'CP-1'))
  await until(() => hook.received.length === 2)
  expect(JSON.parse(await listen.firstLine)).toMatchObject({ status: 204 })
  listen.process.kill('SIGTERM')
  const { code, notes } = await listen.ended
  expect(code).toBe(0)
  const secret = /whsec_[\w-]+/.exec(notes)?.[0] ?? ''
  for (const { headers, body } of hook.received) {
    expect(headers['webhook-signature']).toBe(sign(secret, Number(headers['webhook-timestamp']), body))
  }
})

it('HOOK-B1: webhooks listen says what to do without a credential, and when the server refuses it', async () => {
  hook = await startReceiver()
  house = await spawnHouse()
  const args = ['webhooks', 'listen', '--forward', hook.url, '--url', house.url]
  expect(await startCli(args, {}).ended).toMatchObject({ code: 2, notes: expect.stringContaining('--credential') })
  const refused = await startCli(args, { PILOTWIRE_API_CREDENTIAL: 'pwk_wrong' }).ended
  expect(refused).toMatchObject({ code: 1, notes: expect.stringContaining('401') })
})
