/** What docs/postgresql.md says of pg_dump: a copy that is made beside writes opens elsewhere and goes on. */
import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bareDatabase, emptyDatabase, type PostgresDatabase, rowsOf } from './databases.ts'
import { connect, type NodeProcess, type Socket, startNode } from './node.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const run = promisify(execFile)

describe.skipIf(!has('pg_dump') || !has('pg_restore'))('STORE-C6: pg_dump beside writes', () => {
  let database: PostgresDatabase
  let copy: PostgresDatabase
  const nodes: NodeProcess[] = []
  const start = async (url: string, name: string): Promise<NodeProcess> => {
    const node = await startNode(url, name)
    nodes.push(node)
    return node
  }
  beforeAll(async () => {
    database = await emptyDatabase()
    copy = await bareDatabase()
  })
  afterAll(async () => {
    for (const { process } of nodes) process.kill('SIGKILL')
    await database.drop()
    await copy.drop()
  })

  it('holds all that was answered before it began, whole, and charges go on in its copy', async () => {
    const node = await start(database.url, 'one')
    const station = await connect(node, 'CP1')
    await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    const begun = { connectorId: 1, idTag: 'CARD', meterStart: 1000, timestamp: new Date().toISOString() }
    const [, , started] = await station.call('StartTransaction', begun)
    const { transactionId } = started as { readonly transactionId: number }
    let isDumped = false
    let answered = 0
    const sample = (wattHours: number) => ({
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: String(wattHours) }] }],
    })
    const saying = async (socket: Socket): Promise<void> => {
      while (!isDumped) {
        await socket.call('MeterValues', sample(1000 + answered + 1))
        answered++
      }
    }
    const writing = saying(station)
    await expect.poll(() => answered).toBeGreaterThan(5)
    const before = answered
    const file = join(inject('postgresFolder'), 'whole.dump')
    await run('pg_dump', ['--format=custom', `--file=${file}`, database.url])
    isDumped = true
    await writing
    await node.kill('SIGTERM')
    station.end()
    await run('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${copy.url}`, file])
    rmSync(file)

    const rows = await rowsOf(copy.url, `SELECT 1 FROM commands WHERE request LIKE '%sampledValue%'`)
    expect(rows.length).toBeGreaterThanOrEqual(before)
    expect(rows.length).toBeLessThanOrEqual(answered)
    const other = await start(copy.url, 'two')
    const again = await connect(other, 'CP1')
    const stop = { transactionId, meterStop: 21_000, timestamp: new Date().toISOString() }
    expect(await again.call('StopTransaction', stop)).toMatchObject({ 0: 3 })
    const sessions = await other.get('/2/sessions?evseControllerId=CP1', node.credential)
    expect(sessions.body.data).toMatchObject([{ state: 'completed', energyKwh: 20 }])
    // The feed goes on behind what it had: its places rise, although this server counts its transactions anew.
    const places = await rowsOf<{ position: string; id: string }>(
      copy.url,
      'SELECT position, id FROM events ORDER BY id',
    )
    const positions = places.map(({ position }) => BigInt(position))
    expect(positions).toEqual(positions.toSorted((a, b) => (a < b ? -1 : 1)))
    again.end()
  })
})
