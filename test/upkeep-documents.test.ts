/**
 * docs/read-a-log.md and docs/roll-out-firmware.md, their commands executed in their order against the whole server.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { commandsOf } from './documents.ts'
import { type Json, openHouse, until } from './house.ts'
import { booted16 } from './station.ts'

const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-docs-'))
const house = await openHouse()
const station = await booted16(house.ocppUrl, 'EV-001', { answer: { fileName: 'diag.log' } })
afterAll(async () => {
  await station.close()
  await house.close()
  rmSync(folder, { recursive: true })
})

async function execute(command: string | undefined, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = {
    ...process.env,
    BASE: house.url,
    CREDENTIAL: house.credential,
    CHARGE_POINT: 'EV-001',
    IMAGE: 'firmware-2.0.bin',
    ...variables,
  }
  return (await run('bash', ['-ec', command ?? 'false'], { env, cwd: folder })).stdout
}

const json = async (...order: Parameters<typeof execute>): Promise<Json> => JSON.parse(await execute(...order)) as Json

it('FIRMWARE-D1, docs/read-a-log.md: from the order to the file', async () => {
  const [order, look, read, ...more] = commandsOf('docs/read-a-log.md')
  expect(more).toEqual([])
  const made = await json(order)
  expect(made).toMatchObject({ state: 'requested', type: 'diagnostics' })
  const { location } = await station.asked('GetDiagnostics')
  await fetch(house.url + new URL(String(location)).pathname, { method: 'PUT', body: 'all is well' })
  const variables = { ID: String(made.id) }
  expect(await json(look, variables)).toMatchObject({ state: 'uploaded' })
  await execute(read, variables)
  expect(readFileSync(join(folder, 'station.log'), 'utf8')).toBe('all is well')
})

it('FIRMWARE-C1, docs/roll-out-firmware.md: from the image to the end', async () => {
  writeFileSync(join(folder, 'firmware-2.0.bin'), 'an image')
  const [bring, prepare, start, look, hold, ...more] = commandsOf('docs/roll-out-firmware.md')
  expect(more).toEqual([])
  const image = await json(bring)
  expect(image).toMatchObject({ version: '2.0', models: ['One'], bytes: 8 })
  const campaign = await json(prepare, { FIRMWARE: String(image.id) })
  expect(campaign).toMatchObject({ state: 'draft', waves: ['1', '5%', '100%'], maxFailureRate: 0.05 })
  const variables = { ID: String(campaign.id) }
  expect(await json(start, variables)).toMatchObject({ state: 'running' })
  const { location } = await station.asked('UpdateFirmware')
  const fetched = await fetch(house.url + new URL(String(location)).pathname)
  expect(await fetched.text()).toBe('an image')
  await until(async () => JSON.stringify(await json(look, variables)).includes('"running":1'))
  expect(await execute(hold, variables)).toContain('"state":"cancelled"')
})
