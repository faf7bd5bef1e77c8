/**
 * Somebody opens more connections than the process may have files: who is connected notices nothing, and nothing ends.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { spawnHouse } from './house.ts'
import { booted16 } from './station.ts'

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

describe.skipIf(!hasPrlimit)('no free file handle', () => {
  it('OCPP-DR5: open connections are served, messages are stored, and afterwards all is as before', async () => {
    const house = await spawnHouse()
    const station = await booted16(house.ocppUrl, 'CP-1')
    execFileSync('prlimit', ['--pid', String(house.pid), '--nofile=64:64'])
    const { hostname, port } = new URL(house.url)
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname).on('error', () => undefined))
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
    const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: new Date().toISOString() }
    expect(await station.ask('StartTransaction', start)).toHaveProperty('transactionId')
    for (const socket of sockets) socket.destroy()
    expect(await house.sessions('CP-1')).toMatchObject([{ state: 'charging' }])
    expect(await house.terminate()).toBe(0)
    await house.close()
  })
})
