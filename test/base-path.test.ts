/**
 * A base URL with a path: everything answers where it is announced, and at the root for proxies that cut the path off.
 */
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { houseOfFile, type Json, partner } from './house.ts'

const BASE_URL = 'http://localhost:8080/charging'

const house = await houseOfFile({ PILOTWIRE_BASE_URL: BASE_URL })
const below = `${house.url}/charging`

/** What the base URL announces, asked of the server that the test runs. */
const here = (announced: unknown): string => String(announced).replace('http://localhost:8080', house.url)
const read = async (address: string): Promise<Json> => (await (await fetch(address)).json()) as Json

it.each(['/healthz', '/openapi.json', '/docs', '/dashboard', '/dashboard/login'])(
  'API-A1: %s answers below it',
  async (path) => expect((await fetch(below + path)).status).toBe(200),
)

it('API-A1: the readable reference leads to the description where it is, with and without the path', async () => {
  for (const root of [below, house.url]) {
    const page = `${root}/docs`
    const [, link = ''] = /<a href="([^"]*openapi\.json)"/.exec(await (await fetch(page)).text()) ?? []
    const address = new URL(link, page).href
    expect([address, (await fetch(address)).status]).toEqual([`${root}/openapi.json`, 200])
  }
})

it('OIDC-D6, OIDC-U6: every address of both metadata documents is there', async () => {
  const discovery = await read(`${below}/1/oauth/service/.well-known/openid-configuration`)
  expect(discovery.issuer).toBe(`${BASE_URL}/1/oauth/service`)
  expect(await read(`${house.url}/.well-known/oauth-authorization-server/charging/1/oauth/service`)).toEqual(discovery)
  for (const name of ['jwks_uri', 'token_endpoint', 'userinfo_endpoint', 'authorization_endpoint']) {
    expect([name, (await fetch(here(discovery[name]), { redirect: 'manual' })).status]).not.toContain(404)
  }
  const refused = await fetch(`${below}/2/sessions`)
  expect(refused.status).toBe(401)
  const [, address] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  expect((await read(here(address))).resource).toBe(BASE_URL)
})

it('API-A1, SEARCH-V6: both searches answer below it and at the root, and v1 names its successor once', async () => {
  await house.request('POST', '/2/evse-controllers', { id: 'CP1' })
  for (const root of [below, house.url]) {
    const { request } = partner(root, house.credential)
    const path = 'evse-controllers/CP1/commands/search'
    expect((await request('POST', `/2/${path}`, { from: '2026-01-01T00:00:00Z' })).status).toBe(200)
    const v1 = await request('POST', `/1/${path}`, {})
    expect(v1.status).toBe(200)
    expect(v1.headers.get('link')).toContain(`<${BASE_URL}/2/${path}>`)
  }
})

it('API-A1: what was made is found at its Location', async () => {
  const made = await partner(below, house.credential).request('POST', '/2/evse-controllers', { id: 'CP2' })
  expect(made.headers.get('location')).toBe('/charging/2/evse-controllers/CP2')
  expect((await house.request('GET', String(made.headers.get('location')))).status).toBe(200)
})

it('API-A4: an unknown address below it is a 404 problem, a wrong method a 405', async () => {
  const unknown = await fetch(`${below}/2/nothing`)
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  expect((await fetch(`${below}/2/sessions`, { method: 'PUT' })).status).toBe(405)
  expect((await fetch(`${house.url}/chargingx/healthz`)).status).toBe(404)
})

it.each(['/charging/ocpp/CP3', '/ocpp/CP4'])('OCPP-T1: charge points connect at %s', async (path) => {
  const socket = new WebSocket(house.url.replace('http', 'ws') + path, ['ocpp1.6'])
  const opened = await new Promise<boolean>((resolve) => {
    socket.once('open', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.terminate()
  expect(opened).toBe(true)
})

it('API-A1, API-A2: the readable reference names the addresses of this server', async () => {
  const page = await (await fetch(`${below}/docs`)).text()
  expect(page).toContain(`${BASE_URL}/2/sessions`)
  expect(page).toContain('data-base="/charging"')
  expect(page).toContain('/.well-known/oauth-protected-resource/charging</code>')
  expect(page).not.toMatch(/pilotwire\.invalid|base-path/)
})
