/** docs/connect-an-app.md, executed against the whole server; and what a token may see of a real charge. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { approve, obtainTokens } from './application.ts'
import { freePort } from './free-port.ts'
import { type Json, openHouse, partner } from './house.ts'

const PROGRAM = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/connect-an-app.md', 'utf8'))?.[1] ?? ''
const PASSWORD = 'a long sentence nobody else says'
const USER = { email: 'ada@example.com', password: PASSWORD }

const stations: ReturnType<typeof createChargePoint>[] = []

const port = await freePort()
const baseUrl = `http://localhost:${port}`
const house = await openHouse({ PILOTWIRE_PORT: String(port) })
await house.cli(['user', 'create', '--email', 'ada@example.com', '--password', PASSWORD])
for (const id of ['SHARED', 'PRIVATE']) {
  const station = createChargePoint({ protocol: 'ocpp1.6', url: house.ocppUrl, id })
  stations.push(station)
  await station.connect()
  await station.boot()
  await station.plug(1)
  const started = await house.request('POST', '/2/sessions', { evseControllerId: id, connectorId: 1 })
  expect(started.status).toBe(202)
}
afterAll(async () => {
  for (const station of stations) await station.powerOff()
  await house.close()
})

it('OIDC-B1, docs/connect-an-app.md: the program gets from nothing to the shared session', async () => {
  const options = ['--name', 'Doc', '--kind', 'public', '--redirect-uri', 'http://127.0.0.1/callback']
  const client = await house.cli(['client', 'create', ...options])
  const environment = { ...process.env, ISSUER: `${baseUrl}/1/oauth/service`, CLIENT_ID: String(client.clientId) }
  const program = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { env: environment })
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  const address = String((await lines.next()).value)
  const callback = await approve(baseUrl, address, { ...USER, chargePoints: ['SHARED'] })
  expect((await fetch(callback)).status).toBe(200)
  const { data } = JSON.parse(String((await lines.next()).value)) as { data: Json[] }
  expect(data.map(({ evseControllerId }) => evseControllerId)).toEqual(['SHARED'])
})

it('OIDC-C6, OIDC-C7, OIDC-U6, OIDC-I4: scopes and the shared charge points bound what a token sees, at once', async () => {
  const tokens = await obtain('sessions:read openid')
  const app = partner(baseUrl, tokens.access_token)
  const [shared, other] = [(await house.sessions('SHARED'))[0], (await house.sessions('PRIVATE'))[0]]
  expect((await app.request('GET', `/sessions/${shared?.id}`)).status).toBe(200)
  const hidden = await app.request('GET', `/sessions/${other?.id}`)
  const unknown = await app.request('GET', '/sessions/01890000-0000-7000-8000-000000000000')
  expect([hidden.status, hidden.body.detail]).toEqual([404, unknown.body.detail])
  const denied = await app.request('POST', '/2/evse-controllers/SHARED/commands/search', {
    from: '2020-01-01T00:00:00Z',
  })
  expect([denied.status, denied.body.code]).toEqual([403, 'insufficient_scope'])
  expect(denied.headers.get('www-authenticate')).toContain('scope="chargers:read"')
  const { body } = await app.request('GET', '/2/grants')
  const [grant] = body.data as { id: string }[]
  expect((await house.request('PATCH', `/2/grants/${grant?.id}`, { evseControllers: ['PRIVATE'] })).status).toBe(200)
  expect((await app.request('GET', `/sessions/${shared?.id}`)).status).toBe(404)
  expect((await app.request('GET', `/sessions/${other?.id}`)).status).toBe(200)
  expect((await partner(baseUrl, tokens.id_token).request('GET', '/2/sessions')).status).toBe(401)
  expect((await house.request('DELETE', `/2/grants/${grant?.id}`)).status).toBe(204)
  expect((await app.request('GET', `/sessions/${other?.id}`)).status).toBe(401)
})

it('OIDC-C6, SEARCH-V5: the v2 search takes chargers:read for a shared charge point, v1 takes no token', async () => {
  const app = partner(baseUrl, (await obtain('chargers:read')).access_token)
  const search = (path: string) => app.request('POST', path, { from: '2020-01-01T00:00:00Z' })
  expect((await search('/2/evse-controllers/SHARED/commands/search')).status).toBe(200)
  expect((await search('/2/evse-controllers/PRIVATE/commands/search')).status).toBe(404)
  expect((await search('/1/evse-controllers/SHARED/commands/search')).status).toBe(403)
})

it('OIDC-O1, OIDC-L6: user disable ends tokens beside the running server; keys rotate is seen', async () => {
  await house.cli(['user', 'create', '--email', 'gone@example.com', '--password', PASSWORD])
  const before = await (await fetch(`${baseUrl}/1/oauth/service/.well-known/jwks.json`)).json()
  await house.cli(['keys', 'rotate'])
  const after = await (await fetch(`${baseUrl}/1/oauth/service/.well-known/jwks.json`)).json()
  expect((after as { keys: unknown[] }).keys.length).toBe((before as { keys: unknown[] }).keys.length + 1)
  const app = partner(baseUrl, (await obtain('sessions:read')).access_token)
  expect((await app.request('GET', '/2/sessions')).status).toBe(200)
  await house.cli(['user', 'disable', 'ada@example.com'])
  expect((await app.request('GET', '/2/sessions')).status).toBe(401)
})

const obtain = (scope: string) => obtainTokens(house, baseUrl, scope, { ...USER, chargePoints: ['SHARED'] })
