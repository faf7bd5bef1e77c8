/**
 * Somebody opens more connections than the process may have files: who is connected notices nothing, and nothing ends.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { spawnHouse, until } from './house.ts'
import { booted16 } from './station.ts'

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

describe.skipIf(!hasPrlimit)('no free file handle', () => {
  it('OCPP-DR5: open connections are served, messages are stored, and afterwards all is as before', async () => {
    const house = await spawnHouse()
    const station = await booted16(house.ocppUrl, 'CP-1')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const headers = { authorization: `Bearer ${house.credential}`, 'content-type': 'application/json' }
    const search = async (): Promise<number | undefined> => {
      const asked = request(`${house.url}/2/evse-controllers/CP-1/commands/search`, { agent, method: 'POST', headers })
      const [response] = (await once(asked.end('{"from":"2026-01-01T00:00:00Z"}'), 'response')) as [IncomingMessage]
      await once(response.resume(), 'end')
      return response.statusCode
    }
    await once(
      request(`${house.url}/healthz`, { agent })
        .on('response', (from) => from.resume())
        .end(),
      'close',
    )
    const allow = (files: number) => execFileSync('prlimit', ['--pid', String(house.pid), `--nofile=${files}:1024`])
    allow(64)
    const { hostname, port } = new URL(house.url)
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname).on('error', () => undefined))
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
    const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: new Date().toISOString() }
    expect(await station.ask('StartTransaction', start)).toHaveProperty('transactionId')
    // The first search starts a thread, which does not come up now: nothing ends by it.
    expect(await search()).toBe(503)
    for (const socket of sockets) socket.destroy()
    // A connection that comes before the handles are back is closed, as those before it were.
    await until(async () => (await house.sessions('CP-1').catch(() => [])).length > 0, 30_000)
    expect(await house.sessions('CP-1')).toMatchObject([{ state: 'charging' }])
    allow(1024)
    expect(await search()).toBe(200)
    agent.destroy()
    expect(await house.terminate()).toBe(0)
    await house.close()
  })
})
