/** kill -9 at each step of an exchange of credentials, on a server in a process of its own: one side can go on. */
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { type Json, spawnHouse } from './house.ts'
import { statusWith } from './roaming-house.ts'
import { type Asked, type Provider, startProvider } from './roaming-partner.ts'

const port = await freePort()
const house = await spawnHouse({
  PILOTWIRE_PORT: String(port),
  PILOTWIRE_BASE_URL: `http://127.0.0.1:${port}`,
  PILOTWIRE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
})
afterAll(() => house.close())
const versions = `${house.url}/ocpi/versions`
const businessDetails = { name: 'Pilotwire' }
await house.request('PUT', '/2/ocpi/party', { countryCode: 'DE', partyId: 'PWR', businessDetails })

let provider: Provider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

/** The server dies when it asks for this, before or after the provider did what was asked. */
function dieAt(step: (asked: Asked) => boolean, carryOut: boolean): Promise<void> {
  return new Promise((resolve) => {
    provider.instead = async (asked) => {
      if (!step(asked)) return undefined
      provider.instead = () => undefined
      if (carryOut) await provider.answer(asked)
      await house.kill()
      resolve()
      return 'hang up'
    }
  })
}

const STEPS: readonly [string, (asked: Asked) => boolean][] = [
  ['versions', ({ path }) => path === '/versions'],
  ['details', ({ path }) => path === '/2.3.0'],
  ['credentials', ({ path }) => path === '/2.3.0/credentials'],
]

const partners = (url = provider.url): Promise<readonly Json[]> =>
  house.list('/2/ocpi/partners?limit=500').then((all) => all.filter(({ versionsUrl }) => versionsUrl === url))

it.each([
  ...STEPS.map(([name, step]) => [`before ${name} were answered`, step, false] as const),
  ...STEPS.slice(2).map(([name, step]) => [`after the partner took our ${name}`, step, true] as const),
])('OCPI-A1: we register, and die %s: the same order goes on, or the partner does', async (_, step, carryOut) => {
  const token = provider.fresh()
  provider.valid.add(token)
  const order = { name: 'X', url: provider.url, token }
  const died = dieAt(step, carryOut)
  const lost = house.request('POST', '/2/ocpi/partners', order).catch(() => undefined)
  await died
  await lost
  await house.startAgain()
  expect(await partners()).toMatchObject([{ state: 'invited' }])
  if (carryOut) {
    // The partner has our token, and its own was never used: both orders are possible.
    expect((await provider.exchange('PUT')).body.status_code).toBe(1000)
  } else {
    expect((await house.request('POST', '/2/ocpi/partners', order)).status).toBe(201)
  }
  expect(await partners()).toMatchObject([{ state: 'registered' }])
  expect(await statusWith(provider.token, versions)).toBe(200)
})

it.each(STEPS.slice(0, 2))('OCPI-A1: a partner registers, and we die before %s were answered', async (_, step) => {
  const { body } = await house.request('POST', '/2/ocpi/partners', { name: 'Y' })
  await provider.learn(versions, String(body.token), '2.3.0')
  provider.token = String(body.token)
  const died = dieAt(step, false)
  const lost = provider.exchange('POST').catch(() => undefined)
  await died
  await lost
  await house.startAgain()
  provider.token = String(body.token)
  expect((await provider.exchange('POST')).body.status_code).toBe(1000)
  expect(await partners()).toMatchObject([{ state: 'registered' }])
})

it.each([
  ...STEPS.map(([name, step]) => [`before ${name} were answered`, step, false] as const),
  ['after the partner took our credentials', STEPS[2]?.[1] ?? (() => false), true] as const,
])('OCPI-A1: we rotate, and die %s: both sides still reach each other, and rotate again', async (_, step, carryOut) => {
  const { body } = await house.request('POST', '/2/ocpi/partners', { name: 'Z' })
  await provider.register(versions, String(body.token))
  const old = provider.token
  const died = dieAt(step, carryOut)
  const lost = house.request('POST', `/2/ocpi/partners/${body.id}/rotate`).catch(() => undefined)
  await died
  await lost
  await house.startAgain()
  expect(await statusWith(provider.token, versions)).toBe(200)
  if (!carryOut) expect(provider.token).toBe(old)
  expect((await house.request('POST', `/2/ocpi/partners/${body.id}/rotate`)).status).toBe(200)
  expect(await statusWith(provider.token, provider.at('credentials'))).toBe(200)
})
