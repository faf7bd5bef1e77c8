import { afterAll, expect, it } from 'vitest'
import { emptyDatabase, rowsOf, statement } from './databases.ts'
import { connect, startNode } from './node.ts'

const SAMPLES = 6

const database = await emptyDatabase()
const node = await startNode(database.url, 'one')
afterAll(async () => {
  node.process.kill('SIGKILL')
  await database.drop()
})

const sample = (n: number, transactionId: number) => ({
  connectorId: 1,
  transactionId,
  meterValue: [
    {
      timestamp: new Date(Date.UTC(2026, 10, 22, 12, n)).toISOString(),
      sampledValue: [
        { value: String(1000 + 150 * n), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
        { value: '7360', measurand: 'Power.Active.Import', unit: 'W' },
      ],
    },
  ],
})

it('STORE-N19: of a running charge each sample writes what it changes to the write-ahead log, not its whole document', async () => {
  const station = await connect(node, 'CP1')
  await station.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const timestamp = new Date(Date.UTC(2026, 10, 22, 12)).toISOString()
  const started = await station.call('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 1000, timestamp })
  const { transactionId } = started[2] as { readonly transactionId: number }
  const documents: string[] = []
  for (let n = 1; n <= SAMPLES; n++) {
    await station.call('MeterValues', sample(n, transactionId))
    const [row] = await rowsOf<{ document: string }>(database.url, 'SELECT document FROM transactions')
    documents.push(row?.document ?? '')
  }
  station.end()
  await statement(
    database.url,
    `CREATE TABLE versions (LIKE transactions INCLUDING ALL) WITH (fillfactor = 20);
     INSERT INTO versions SELECT * FROM transactions`,
  )
  const written: number[] = []
  for (const document of documents) {
    const [plan] = await rowsOf<{ 'QUERY PLAN': readonly [{ Plan: { 'WAL Bytes': number } }] }>(
      database.url,
      `EXPLAIN (ANALYZE, WAL, FORMAT JSON) UPDATE versions SET document = '${document}'`,
    )
    written.push(plan?.['QUERY PLAN'][0].Plan['WAL Bytes'] ?? 0)
  }
  // The first one after a checkpoint writes its page; a step of the length, the document.
  const shortest = Math.min(...documents.map((document) => document.trimEnd().length))
  expect(written.toSorted((a, b) => a - b)[1]).toBeLessThan(shortest / 2)
})
