import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { command, startApi } from '../../test/support/api/testing.ts'
import { logIdAt, logIdToUuid, uuidToV1Id } from '../domain/message-log/log-id.ts'

const guide = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8')
const programs = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-guide-'))
const FILE = join(folder, 'commands.csv')

const api = await startApi({ settings: { rateV1: 60, rateV2: 300 } })
const at = (time: string) => logIdAt(Date.parse(time))
const july = Array.from({ length: 1201 }, (_, n) => command(at('2026-07-31T23:00:00Z') + n))
await api.addRows([
  ...july,
  command(at('2026-07-31T23:59:59.999Z'), { method: 'MeterValues' }),
  command(at('2026-08-01T00:00:00Z'), {
    method: 'StartTransaction',
    connectorId: 1,
    schemaErrors: '/idTag is required; /x is not defined here',
  }),
  command(at('2026-08-01T01:00:00Z'), { method: 'StopTransaction', request: '{"meterStop":1234}' }),
  command(at('2026-08-01T02:00:00Z'), { method: 'Reset', connectorId: 2, status: 'timeout' }),
  command(at('2026-08-01T03:00:00Z'), { method: 'Reset', connectorId: 3, status: 'timeout' }),
])
afterAll(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

/** Runs a program of the guide and says what it printed. */
async function run(program: string): Promise<string[]> {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, `const { BASE_URL, CREDENTIAL, CHARGE_POINT, FILE } = process.env\n${program}`)
  const env = { ...process.env, BASE_URL: api.url, CREDENTIAL: api.credential, CHARGE_POINT: 'CP1', FILE }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
  return stdout.split('\n').slice(0, -1)
}

const [first = '', filters = '', faulty = '', poller = '', bulk = '', csv = ''] = programs
const definition = first.slice(0, first.indexOf('const { data'))

it('every program of the guide is run here', () => {
  expect(programs).toHaveLength(6)
})

it('the first request', async () => {
  expect(await run(first)).toEqual(['StopTransaction 1234 { value: 1, isExact: true }'])
})

it('SEARCH-Q2: filters', async () => {
  expect(await run(definition + filters)).toEqual(['1 exchanges without success'])
})

it('SEARCH-C8: what the schema objects to', async () => {
  expect(await run(definition + faulty)).toEqual(['StartTransaction /idTag is required; /x is not defined here'])
})

it('SEARCH-Q3, SEARCH-Q8: the poller finds each row once', async () => {
  expect(await run(definition + poller)).toEqual(['2 new rows', '0 new rows'])
})

it('SEARCH-Q3: the bulk job finds every row of July, up to its last millisecond', async () => {
  expect(await run(definition + bulk)).toEqual(['1202 rows in July'])
})

it('SEARCH-C1: the export is a whole file', async () => {
  await run(csv)
  expect(readFileSync(FILE, 'utf8').split('\r\n')).toHaveLength(1 + 1206 + 1)
})

it('SEARCH-V3: the v1 id consists of the digits that the guide names', () => {
  const uuid = logIdToUuid(logIdAt(Date.UTC(2026, 7, 1)), 7n)
  const digits = uuid.replaceAll('-', '')
  expect(guide).toContain('digits 1-12, 14-16 and 24-32')
  expect(uuidToV1Id(uuid)).toBe(digits.slice(0, 12) + digits.slice(13, 16) + digits.slice(23, 32))
})
