import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { commandsOf } from './documents.ts'
import { openHouse } from './house.ts'
import { connectStation, startOf } from './station.ts'
import { BEGIN, END, meterOn } from './support/domain/signed-values/testing.ts'

const run = promisify(execFile)
const commands = commandsOf('docs/signed-meter-values.md', 'executed by test/signed-record.test.ts').map((text) =>
  text.replaceAll('\\\n', ' ').trim(),
)

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-'))
const house = await openHouse()
afterAll(async () => {
  await house.close()
  rmSync(folder, { recursive: true })
})

it('SIGNED-X1, SIGNED-X2, SIGNED-K3: the page that hands a driver the record of a charge shows commands that do what they say', async () => {
  const meter = meterOn('prime256v1')
  const answer = { configurationKey: [{ key: 'MeterPublicKey1', readonly: true, value: meter.publicKey }] }
  const station = await connectStation(house.ocppUrl, 'EV-001', 'ocpp1.6', { answer })
  await station.ask('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
  const timestamp = new Date().toISOString()
  const { transactionId } = await station.ask('StartTransaction', startOf({ meterStart: 100_250, timestamp }))
  const value = JSON.stringify({
    signedMeterData: Buffer.from(meter.record([BEGIN, END])).toString('base64'),
    publicKey: '',
  })
  const sampledValue = [{ value, format: 'SignedData', context: 'Transaction.End' }]
  const stop = { transactionId, meterStop: 110_500, timestamp, transactionData: [{ timestamp, sampledValue }] }
  await station.ask('StopTransaction', stop)
  const [session] = await house.sessions('EV-001')
  const execute = async (command = '') => {
    const line = command.replace('curl', 'curl -sS --fail-with-body').replaceAll('http://localhost:8080', house.url)
    const env = {
      PATH: process.env.PATH ?? '',
      PILOTWIRE_API_CREDENTIAL: house.credential,
      SESSION_ID: String(session?.id),
    }
    return (await run('sh', ['-c', line], { env, cwd: folder })).stdout
  }
  expect(commands).toHaveLength(3)
  const [key, record, file] = commands
  expect(JSON.parse(await execute(key))).toMatchObject({ status: 'success' })
  expect(JSON.parse(await execute(record))).toMatchObject({
    data: [{ verification: 'valid', energyKwh: 110.5 }],
    hasBegin: true,
    hasEnd: true,
    energyDiffers: false,
  })
  await execute(file)
  expect(readFileSync(join(folder, 'charge.xml'), 'utf8')).toContain('<signedData format="OCMF" encoding="plain"')
})
