/** The balancer's configuration in the real HAProxy, where it is installed (apt-get install haproxy). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from './free-port.ts'
import { type House, openHouse, PRODUCTION, until } from './house.ts'
import { exposition } from './metrics-text.ts'
import { booted16, connectStation, type Station } from './station.ts'

const CONFIGURATION = 'deploy/haproxy.cfg'
const installed = spawnSync('haproxy', ['-v']).status === 0
if (!installed) console.warn('There is no haproxy on this machine: deploy/haproxy.cfg is read, but not tried.')

it('SERVER-E2: the balancer’s configuration keeps a WebSocket longer than the server needs to ping it, and an idle connection shorter than the server does', () => {
  const text = readFileSync(CONFIGURATION, 'utf8')
  const [, ping = ''] = /PING_INTERVAL \((\d+) s\)/.exec(text) ?? []
  expect(readFileSync('.env.example', 'utf8')).toContain(`# PILOTWIRE_OCPP_PING_INTERVAL=${ping}`)
  expect(text).toMatch(/^ +timeout tunnel 10m$/m)
  expect(text).toMatch(/^ +timeout http-keep-alive 60s$/m)
})

describe.skipIf(!installed)('SERVER-E2: three nodes behind HAProxy', () => {
  let nodes: House[]
  let balancer: ChildProcess | undefined
  let url: string
  let ocppUrl: string
  const connections = async (house: House): Promise<number> =>
    exposition(await (await fetch(`${house.url}/metrics`)).text())
      .get('pilotwire_ocpp_connections')
      ?.values.get('pilotwire_ocpp_connections') ?? 0

  beforeAll(async () => {
    const settings = { PILOTWIRE_TRUSTED_PROXIES: '127.0.0.0/8', PILOTWIRE_UNKNOWN_CHARGE_POINTS: 'accept' }
    nodes = await Promise.all([1, 2, 3].map(() => openHouse(settings)))
    ;({ url, balancer } = await balance(nodes))
    ocppUrl = `${url.replace('http', 'ws')}/ocpp`
    await until(async () => (await fetch(`${url}/readyz`)).status === 200)
  })
  afterAll(async () => {
    balancer?.kill('SIGKILL')
    for (const node of nodes) await node.close()
  })

  it('spreads charge points evenly; those of a node that ends come back on the others', async () => {
    const stations: Station[] = []
    for (let count = 1; count <= 6; count++) stations.push(await booted16(ocppUrl, `EV-${count}`))
    expect(await Promise.all(nodes.map(connections))).toEqual([2, 2, 2])
    const [first, ...others] = nodes
    if (!first) throw new Error('There is no node.')
    await first.close()
    nodes = others
    await until(() => stations.filter(({ socket }) => socket.readyState === WebSocket.CLOSED).length === 2)
    // At once, before the balancer has looked: the request is given to another node.
    for (const again of ['EV-7', 'EV-8']) stations.push(await booted16(ocppUrl, again))
    expect((await Promise.all(others.map(connections))).reduce((sum, count) => sum + count)).toBe(6)
    for (const station of stations) await station.close()
  })

  it('passes credentials, identities with a slash, and sub-protocol as they are', async () => {
    const production = await openHouse({ ...PRODUCTION, PILOTWIRE_TRUSTED_PROXIES: '127.0.0.0/8' })
    const before = await balance([production, production, production])
    onTestFinished(() => void before.balancer.kill('SIGKILL'))
    const password = 'a password of sixteen'
    await production.request('POST', '/2/evse-controllers', { id: 'A/1', password })
    const at = `${before.url.replace('http', 'ws')}/ocpp`
    // Without a password it would be 401, with another sub-protocol 400, with a decoded slash 404.
    const station = await connectStation(at, 'A/1', ['ocpp1.6'], { password })
    expect(station.protocol).toBe('ocpp1.6')
    await station.close()
    await expect(connectStation(at, 'A/1', ['ocpp1.6'], { password: 'another password' })).rejects.toThrow()
    await production.close()
  })

  it('hides the metrics', async () => {
    const { port } = new URL(url)
    const paths = ['/metrics', '/%6detrics', '/./metrics', '/%2e/metrics', '/x/../metrics', '/x/%2E%2e/metrics']
    for (const path of [...paths, '/metrics?x', '/\\\\metrics', '/%5cmetrics', '//metrics', '/metrics/']) {
      expect([path, [400, 403]]).toEqual([path, expect.arrayContaining([await statusOf(Number(port), path)])])
    }
    expect(await statusOf(Number(port), '/2/evse-controllers/metrics')).toBe(401)
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
  })
})

/** Of an address as it stands here: `fetch` would write it anew. */
function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

async function balance(nodes: readonly House[]): Promise<{ url: string; balancer: ChildProcess }> {
  const port = await freePort()
  const addresses = nodes.map((node, at) => [`NODE_${at + 1}`, `127.0.0.1:${node.port}`])
  const env = { PATH: process.env.PATH, BALANCER: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) }
  const balancer = spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
  return { url, balancer }
}
