/**
 * A database that an older Pilotwire left behind when it was killed: `older-database/pilotwire.db.gz` was written by
 * the server of 19 November 2026, migration 0006, with a completed charge, a running one of each OCPP version whose
 * newest reading still waits in the journal, a tariff, a card, a webhook and a charge point that never came.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCli, type TestInstallation, testInstallation } from '../src/server/cli/testing.ts'
import { type Json, type Partner, partner, until } from './house.ts'
import { connectStation } from './station.ts'

/** Of nothing but the file beside this test. */
const SECRET_KEY = 'srF91whXIU3uGHEn3/Kd+xDprqKXM2HHcPrEqkB5UzU='
const CREDENTIAL = 'pwk_j60rj5fyqjyy2235_vOULGWWv24ylHLQRsNbgCpzUiLFhVt1Jj8rKkfOQzUw1l6n2U'
const STARTED_AT = 1_795_340_278_421

let installation: TestInstallation
let server: ReturnType<typeof startCli>
let url: string
let api: Partner

beforeEach(async () => {
  installation = testInstallation()
  const file = join(import.meta.dirname, 'older-database', 'pilotwire.db.gz')
  writeFileSync(installation.database, gunzipSync(readFileSync(file)), { mode: 0o600 })
  writeFileSync(`${installation.database}.key`, SECRET_KEY, { mode: 0o600 })
  server = startCli(
    ['serve', '--json'],
    { ...installation.environment, PILOTWIRE_RETENTION_DAYS: '0' },
    installation.folder,
  )
  const ready = JSON.parse(await server.firstLine) as { readonly url: string }
  url = ready.url
  api = partner(url, CREDENTIAL)
})

afterEach(async () => {
  server.process.kill('SIGKILL')
  await server.ended
  installation.remove()
})

it('SERVER-C3: opens with its credential, charges, messages, tariff, card and webhook', async () => {
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
})

it('SERVER-C3: its running charges go on and end with what their stations say', async () => {
  const old16 = await connectStation(`${url.replace('http', 'ws')}/ocpp`, 'OLD-16', 'ocpp1.6')
  const at = (seconds: number) => new Date(STARTED_AT + seconds * 1000).toISOString()
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
  await old16.close()
  await old201.close()
})
