/**
 * Databases that older versions left behind when they were killed, each with a completed charge, a running one of each
 * OCPP version, a tariff, a card, a webhook and a charge point that never came; made by `scripts/keep-database.mjs`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Json, type Partner, partner, until } from './house.ts'
import { bareDatabase, type PostgresDatabase, rowsOf, statement } from './postgres/databases.ts'
import { connectStation } from './station.ts'
import { startCli, type TestInstallation, testInstallation } from './support/server/cli/testing.ts'

/** Of nothing but the files beside this test. */
const SECRET_KEY = 'srF91whXIU3uGHEn3/Kd+xDprqKXM2HHcPrEqkB5UzU='

interface Kept {
  readonly file: string
  readonly credential: string
  readonly startedAt: number
  /** What only newer versions have. */
  readonly hasOrders: boolean
}

/** The server of 19 November 2026, migration 0006; its newest reading still waits in the journal. */
const FIRST: Kept = {
  file: 'sqlite-0006.db.gz',
  credential: 'pwk_j60rj5fyqjyy2235_vOULGWWv24ylHLQRsNbgCpzUiLFhVt1Jj8rKkfOQzUw1l6n2U',
  startedAt: 1_795_340_278_421,
  hasOrders: false,
}
/** The one of 22 November 2026, which is also the first whose PostgreSQL is kept. */
const SECOND: Kept = {
  file: 'sqlite-0020.db.gz',
  credential: 'pwk_s9vxtfbjwztxdxvm_9gbtiZF2ZXatIZxDrHxgfrRWtO96fatIGIWz8QtbHNQ392JKh',
  startedAt: 1_795_390_428_588,
  hasOrders: true,
}
const ON_POSTGRES: Kept = {
  file: 'postgres-0002.sql.gz',
  credential: 'pwk_41q9bvbk9mna8xy9_FinVlVcJiQQrIs9bapFlTCCyHIIcYZQ269vJG7BPVwI42B3v1',
  startedAt: 1_795_390_562_723,
  hasOrders: true,
}

const contentOf = ({ file }: Kept): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, 'older-database', file)))

const CLOCK = `--require=${join(import.meta.dirname, 'older-database', 'clock.cjs')}`

/** The times of its last hour, in milliseconds: those of its charges, not of its migrations. */
const moved = (text: string, { startedAt }: Kept, ms: number): string =>
  text.replaceAll(/\b1795[34]\d{8}\b/g, (at) => String(Number(at) > startedAt - 3600_000 ? Number(at) + ms : at))

describe.each([
  ['SQLite, migration 0006', FIRST],
  ['SQLite, migration 0020', SECOND],
  ['PostgreSQL, migration 0002', ON_POSTGRES],
] as const)('SERVER-C3: an older database on %s', (_, kept) => {
  let installation: TestInstallation
  let database: PostgresDatabase | undefined
  let server: ReturnType<typeof startCli>
  let url: string
  let api: Partner

  // Two days later its open charges would be closed (SESSION-A15). A node goes by the clock of its database: there the
  // database is moved.
  const anHourAgo = Date.now() - 3600_000
  const startedAt = kept === ON_POSTGRES ? anHourAgo : kept.startedAt

  const place = async (): Promise<string> => {
    if (kept.file.startsWith('sqlite')) {
      writeFileSync(installation.database, contentOf(kept), { mode: 0o600 })
      return `file:${installation.database}`
    }
    database = await bareDatabase()
    await statement(database.url, moved(contentOf(kept).toString('utf8'), kept, startedAt - kept.startedAt))
    return database.url
  }

  beforeEach(async () => {
    installation = testInstallation()
    const environment = {
      PILOTWIRE_DATABASE_URL: await place(),
      PILOTWIRE_SECRET_KEY: SECRET_KEY,
      PILOTWIRE_RETENTION_DAYS: '0',
      PILOTWIRE_OCPP_REPORTS: 'manual',
      ...(kept.file.startsWith('sqlite') && {
        NODE_OPTIONS: CLOCK,
        TEST_CLOCK_BEHIND_MS: String(anHourAgo - startedAt),
      }),
    }
    server = startCli(['serve', '--json'], { ...installation.environment, ...environment }, installation.folder)
    const ready = JSON.parse(await server.firstLine) as { readonly url: string }
    url = ready.url
    api = partner(url, kept.credential)
  })

  afterEach(async () => {
    server.process.kill('SIGKILL')
    await server.ended
    await database?.drop()
    installation.remove()
  })

  it('opens with its credential, charges, messages, tariff, card, webhook and what was ordered', async () => {
    expect(await api.sessions('OLD-16')).toEqual([
      expect.objectContaining({ state: 'charging', energyKwh: 0.5, cost: 0.2, currency: 'EUR' }),
      expect.objectContaining({ state: 'completed', energyKwh: 5, cost: 2, currency: 'EUR' }),
    ])
    expect(await api.sessions('OLD-201')).toEqual([expect.objectContaining({ state: 'charging', energyKwh: 0.8 })])
    const methods = (rows: readonly Json[]) => rows.map(({ method }) => method)
    expect(methods(await api.rows('OLD-16'))).toEqual([
      'MeterValues',
      'StartTransaction',
      'StopTransaction',
      'MeterValues',
      'StartTransaction',
      'StatusNotification',
      'BootNotification',
    ])
    expect(methods(await api.rows('OLD-201', { method: 'TransactionEvent' }))).toHaveLength(2)
    const { data: tariffs } = (await api.request('GET', '/2/tariffs')).body
    expect(tariffs).toEqual([expect.objectContaining({ currency: 'EUR', perKwh: 0.4 })])
    const { data: webhooks } = (await api.request('GET', '/2/webhooks')).body
    expect(webhooks).toEqual([expect.objectContaining({ url: 'http://localhost:9/hook', events: ['session.updated'] })])
    expect((await api.request('GET', '/2/id-tokens/CARD-1')).body).toMatchObject({ groupId: 'FLEET' })
    expect((await api.request('GET', '/2/evse-controllers/AWAY')).body).toMatchObject({ online: false })
    if (!kept.hasOrders) return
    const { data: rules } = (await api.request('GET', '/2/alert-rules')).body
    expect(rules).toEqual([expect.objectContaining({ name: 'Gone', kind: 'offline' })])
    const { body: configuration } = await api.request('GET', '/2/configurations/heartbeats')
    expect(configuration).toMatchObject({ selector: { ids: ['AWAY'] } })
  })

  it('its running charges go on and end with what their stations say', async () => {
    const old16 = await connectStation(`${url.replace('http', 'ws')}/ocpp`, 'OLD-16', 'ocpp1.6')
    const at = (seconds: number) => new Date(startedAt + seconds * 1000).toISOString()
    await old16.ask('StopTransaction', { transactionId: 2, meterStop: 9000, timestamp: at(60) })
    const old201 = await connectStation(`${url.replace('http', 'ws')}/ocpp`, 'OLD-201', 'ocpp2.0.1')
    await old201.ask('TransactionEvent', {
      eventType: 'Ended',
      timestamp: at(60),
      triggerReason: 'EVDeparted',
      seqNo: 2,
      transactionInfo: { transactionId: 'T-201', stoppedReason: 'EVDisconnected' },
      meterValue: [{ timestamp: at(60), sampledValue: [{ value: 4100, context: 'Transaction.End' }] }],
    })
    const newest = async (id: string) => (await api.sessions(id))[0]
    await until(async () => (await newest('OLD-201'))?.state === 'completed')
    expect(await newest('OLD-16')).toMatchObject({ state: 'completed', energyKwh: 3, cost: 1.2 })
    expect(await newest('OLD-201')).toMatchObject({ state: 'completed', energyKwh: 4 })
  })

  it.runIf(kept === ON_POSTGRES)('STORE-N17: a node of that version goes on with its own functions', async () => {
    const text = contentOf(kept).toString('utf8')
    const its = (name: string): string =>
      new RegExp(`FUNCTION public\\.(pilotwire_${name}_[0-9a-f]{10})`).exec(text)?.[1] ?? 'missing'
    const where = database?.url ?? ''
    await statement(
      where,
      `INSERT INTO nodes (slot, incarnation, last_group, last_id, seen_at, since, name, version, state)
        SELECT 63, 1, 0, 0, now_ms, now_ms, 'before', '0.1.0', 'live'
        FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock`,
    )
    const [taken] = await rowsOf<{ epoch: string; loaded: { chargePoint: { id: string } } }>(
      where,
      `SELECT epoch, loaded FROM ${its('take')}(63, 1, ARRAY['OLD-16'], 2)`,
    )
    expect(taken?.loaded.chargePoint.id).toBe('OLD-16')
    const found = await rowsOf<{ id: string }>(
      where,
      `SELECT transaction->>'session_id' AS id
       FROM ${its('look_up')}('[{"n":1,"kind":"number","cp":"OLD-16","key":"2"}]')`,
    )
    expect(found).toHaveLength(1)
    const [last] = await rowsOf<{ id: string }>(where, 'SELECT max(id) AS id FROM commands')
    const message = { id: Number(last?.id) + 63, cp: 'OLD-16', direction: 0, method: 1, protocol: 1, status: 1 }
    const commands = JSON.stringify([{ ...message, message_id: 'old', request: '{}', response: '{}' }])
    const nothing = Array.from({ length: 11 }, () => 'NULL').join(', ')
    await statement(
      where,
      `SELECT ${its('commit_group')}(63, 1, 1, ${message.id}, ARRAY['OLD-16'], ARRAY[${taken?.epoch}], '${commands}',
        ${nothing})`,
    )
    const [row] = await api.rows('OLD-16')
    expect(row).toMatchObject({ id: expect.any(String), response: {} })
    expect(await api.rows('OLD-16')).toHaveLength(8)
  })
})
