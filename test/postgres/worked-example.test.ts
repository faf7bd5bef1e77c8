/** docs/postgresql.md as it is written: Patroni, pgBackRest and Pilotwire with the files of deploy/postgres. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { databaseAt } from '../../src/storage/open.ts'
import { rowsOf, statement } from './databases.ts'
import { connect, type NodeProcess, startNode } from './node.ts'
import { hasPatroni, type PatroniCluster, startPatroni } from './patroni.ts'
import { startServer } from './server.ts'

const PASSWORD = 'of-the-example'

describe.skipIf(!hasPatroni())('STORE-N15, STORE-C7: the worked example', { timeout: 400_000 }, () => {
  const nodes: NodeProcess[] = []
  let cluster: PatroniCluster | undefined
  let restored: number | undefined
  const folder = (): string => join(inject('postgresFolder'), 'patroni')
  afterAll(() => {
    vi.unstubAllEnvs()
    for (const { process } of nodes) process.kill('SIGKILL')
    cluster?.close()
    if (restored !== undefined) process.kill(restored, 'SIGQUIT')
  })

  it('goes over to the other machine with nothing answered lost, and comes back from its backup', async () => {
    cluster = await startPatroni(folder())
    const primary = await cluster.leader()
    await statement(primary.url, `CREATE ROLE pilotwire LOGIN PASSWORD '${PASSWORD}'; GRANT pg_monitor TO pilotwire`)
    await statement(primary.url, `CREATE DATABASE pilotwire OWNER pilotwire ENCODING 'UTF8' TEMPLATE template0`)
    await cluster.pgbackrest(['stanza-create'])
    const hosts = cluster.members.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://pilotwire:${PASSWORD}@${hosts}/pilotwire`
    const node = await startNode(url, 'one')
    nodes.push(node)
    expect((await databaseAt(url).check()).standby?.connected).toMatchObject([{ kind: 'synchronous' }])
    await cluster.pgbackrest(['--type=full', 'backup'])

    const station = await connect(node, 'CP1')
    let isClosed = false
    void station.closed.then(() => {
      isClosed = true
    })
    await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    const begun = { connectorId: 1, idTag: 'CARD', meterStart: 1000, timestamp: new Date().toISOString() }
    const [, , started] = await station.call('StartTransaction', begun)
    const { transactionId } = started as { readonly transactionId: number }
    const sample = (wattHours: number) => ({
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: String(wattHours) }] }],
    })
    let answered = 0
    let isOver = false
    const saying = (async () => {
      while (!isOver) {
        const [kind] = await station.call('MeterValues', sample(1001 + answered))
        if (kind === 3) answered++
      }
    })()
    await expect.poll(() => answered).toBeGreaterThan(5)
    await cluster.switchOver()
    const before = answered
    await expect.poll(() => answered).toBeGreaterThan(before + 5)
    isOver = true
    await saying
    expect(isClosed).toBe(false)
    const stored = `SELECT 1 FROM commands WHERE request LIKE '%sampledValue%'`
    const now = (await cluster.leader()).url.replace(/postgres$/, 'pilotwire')
    expect(await rowsOf(now, stored)).toHaveLength(answered)

    // Back from the backup, on another machine: the archive has what came after it.
    station.end()
    await node.kill('SIGTERM')
    await statement(now, 'SELECT pg_switch_wal()')
    await cluster.pgbackrest(['check'])
    const other = join(folder(), 'other')
    for (const [name, value] of Object.entries((await cluster.leader()).environment)) vi.stubEnv(name, value)
    await cluster.pgbackrest([`--pg1-path=${join(other, 'data')}`, 'restore'])
    writeFileSync(join(folder(), 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
    // As the guide says: it archives nothing into that repository, and waits for no standby, as it has none.
    const settings = { archive_mode: 'off', synchronous_standby_names: '', hba_file: join(folder(), 'pg_hba.conf') }
    const server = await startServer(other, undefined, settings)
    restored = server.pid
    const back = server.url.replace(/postgres$/, 'pilotwire')
    await expect.poll(() => rowsOf(back, 'SELECT pg_is_in_recovery() AS is')).toEqual([{ is: false }])
    expect(await rowsOf(back, stored)).toHaveLength(answered)
    const second = await startNode(back, 'two')
    nodes.push(second)
    const again = await connect(second, 'CP1')
    const stop = { transactionId, meterStop: 21_000, timestamp: new Date().toISOString() }
    expect(await again.call('StopTransaction', stop)).toMatchObject({ 0: 3 })
    again.end()
  })
})
