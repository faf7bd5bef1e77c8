import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, expect, it } from 'vitest'
import { testInstallation } from '../../../test/support/server/cli/testing.ts'
import { commandRow } from '../../../test/support/server/cli/testing-rows.ts'
import { openStore } from '../../../test/support/storage/testing.ts'
import { logIdAt, logIdTime } from '../../domain/message-log/log-id.ts'
import { UsageError } from './cli-context.ts'
import { openSink } from './commands.ts'
import { readMoment } from './options.ts'

const ROWS = 2500

const installation = testInstallation()
await installation.json(['account', 'create', '--name', 'Depot North'])
await installation.json(['charge-point', 'add', 'EV-1'])
await installation.json(['charge-point', 'add', 'EV-2'])
const { core, close } = openStore(installation.database)
const first = logIdAt(Date.now() - 3_600_000)
const rows = Array.from({ length: ROWS }, (_, index) => {
  const chargePointId = index % 5 === 0 ? 'EV-2' : 'EV-1'
  const method = index % 10 === 0 ? 'MeterValues' : 'Heartbeat'
  return { chargePointId, command: commandRow(first + index, { chargePointId, method }) }
})
const unaccepted = commandRow(first + ROWS, {
  chargePointId: 'STRANGER',
  request: '{\r\n "big": 12345678901234567890 }',
  schemaErrors: '/big is not defined here',
})
await core.commit([...rows, { chargePointId: 'STRANGER', command: unaccepted }])
close()
afterAll(() => installation.remove())

const file = (name: string): string => join(installation.folder, name)

it('SERVER-B1: commands export: writes every row of every charge point as CSV, newest first, more than one chunk', async () => {
  const { code, out, notes } = await installation.cli(['commands', 'export', '--from', '2h', '-o', file('all.csv')])
  expect({ code, out, notes }).toEqual({ code: 0, out: '', notes: `${ROWS} rows in ${file('all.csv')}.` })
  const lines = readFileSync(file('all.csv'), 'utf8').split('\r\n')
  expect(lines[0]).toMatch(/^id,createdAt,evseControllerId,/)
  expect(lines).toHaveLength(ROWS + 2)
  const ofFirst = lines.filter((line) => line.includes(',EV-1,')).map((line) => line.split(',')[0] ?? '')
  expect(ofFirst).toHaveLength((ROWS * 4) / 5)
  expect(new Set(ofFirst).size).toBe(ofFirst.length)
  expect(ofFirst).toEqual([...ofFirst].sort().reverse())
})

it('SERVER-B1: commands export: writes NDJSON with the exact payload, also for a charge point that was never registered', async () => {
  const args = [
    'commands',
    'export',
    '--from',
    '2h',
    '--charge-point',
    'STRANGER',
    '--format',
    'ndjson',
    '-o',
    file('x'),
  ]
  expect((await installation.cli(args)).code).toBe(0)
  const text = readFileSync(file('x'), 'utf8')
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(text).toContain('12345678901234567890')
  expect(JSON.parse(text)).toMatchObject({ evseControllerId: 'STRANGER', status: 'success' })
})

it('SERVER-B1, SEARCH-C8: commands export: writes what the schema objects to, and only such messages when asked', async () => {
  const args = ['commands', 'export', '--from', '2h', '--charge-point', 'STRANGER', '--schema-errors']
  expect((await installation.cli([...args, '-o', file('faulty.csv')])).code).toBe(0)
  const lines = readFileSync(file('faulty.csv'), 'utf8').split('\r\n')
  expect(lines[0]).toMatch(/,schemaErrors$/)
  expect(lines[1]).toMatch(/,"\[""\/big is not defined here""\]"$/)
  await installation.cli([...args, '--format', 'ndjson', '-o', file('faulty.ndjson')])
  expect(JSON.parse(readFileSync(file('faulty.ndjson'), 'utf8')).schemaErrors).toEqual(['/big is not defined here'])
  const plain = ['commands', 'export', '--from', '2h', '--schema-errors', '--charge-point', 'EV-1']
  expect((await installation.cli([...plain, '-o', file('plain.csv')])).notes).toContain('0 rows')
})

it('SERVER-B1: commands export: from is inclusive, to is exclusive, method filters', async () => {
  const middle = new Date(logIdTime(first) + 1).toISOString()
  const from = new Date(logIdTime(first)).toISOString()
  const args = ['commands', 'export', '--from', from, '--to', middle, '--method', 'MeterValues', '-o', file('m.csv')]
  const { notes } = await installation.cli(args)
  // 4096 ids share a millisecond: all rows lie before `middle`.
  expect(notes).toContain(`${ROWS / 10} rows`)
  expect((await installation.cli(['commands', 'export', '--from', middle, '-o', file('n.csv')])).notes).toContain(
    '0 rows',
  )
})

it.each([
  [['--from', 'yesterday'], /--from "yesterday" is no time/],
  [['--from', '1h', '--to', '2h'], /earlier than --to/],
  [['--from', '1h', '--format', 'xml'], /csv, ndjson/],
  [[], /--from/],
])('SERVER-B1: commands export: %j is a usage error', async (args, sentence) => {
  const { code, notes } = await installation.cli(['commands', 'export', ...args])
  expect(code).toBe(2)
  expect(notes).toMatch(sentence)
})

it('never overwrites a file', async () => {
  await installation.cli(['commands', 'export', '--from', '1m', '-o', file('once.csv')])
  expect(await installation.cli(['commands', 'export', '--from', '1m', '-o', file('once.csv')])).toMatchObject({
    code: 2,
  })
})

it('SERVER-B1, SEARCH-C5: commands export: what was broken off never looks complete', async () => {
  const sink = await openSink(file('broken.csv'))
  await sink.write(Buffer.from('half'))
  expect(existsSync(file('broken.csv'))).toBe(false)
  await sink.abandon()
  expect(readdirSync(installation.folder).filter((name) => name.startsWith('broken'))).toEqual([])
})

it('SERVER-B1: commands export: waits for a slow reader of stdout', async () => {
  const seen: string[] = []
  const slow = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, done) {
      seen.push(chunk.toString())
      setImmediate(done)
    },
  })
  const sink = await openSink(undefined, slow)
  for (const text of ['a', 'b', 'c']) {
    await sink.write(Buffer.from(text))
    expect(slow.writableLength).toBe(0)
  }
  expect(seen).toEqual(['a', 'b', 'c'])
})

const now = Date.UTC(2026, 10, 21, 12)
it.each([
  ['24h', now - 86_400_000],
  ['30m', now - 1_800_000],
  ['7d', now - 7 * 86_400_000],
  ['2026-08-01', Date.UTC(2026, 7, 1)],
  ['2026-08-01T02:00:00+02:00', Date.UTC(2026, 7, 1)],
])('times as people type them: %s', (text, moment) => expect(readMoment('--from', text, now)).toBe(moment))

it.each(['', '24', 'h', '-1h', '2026-02-30', '2026-08-01T00:00:00', '9999999d'])(
  'times as people type them: %j is refused',
  (text) => expect(() => readMoment('--from', text, now)).toThrow(UsageError),
)

// Last, because from here on there is a second account.
it('which charge points are exported a mistyped id is noticed, and --account is no ornament', async () => {
  const args = ['commands', 'export', '--from', '2h', '-o', file('typo.csv'), '--charge-point']
  const { code, notes } = await installation.cli([...args, 'EV-l'])
  expect([code, notes]).toEqual([0, expect.stringMatching(/EV-l is not registered.*\n0 rows/)])
  await installation.json(['account', 'create', '--name', 'Depot South'])
  const elsewhere = await installation.cli([...args, 'EV-1', '--account', 'Depot South'])
  expect(elsewhere).toMatchObject({ code: 2, notes: expect.stringContaining('no charge point EV-1 in this account') })
  const nowhere = await installation.cli([
    'commands',
    'export',
    '--from',
    '2h',
    '--charge-point',
    'EV-1',
    '-o',
    file('no/x'),
  ])
  expect(nowhere).toMatchObject({ code: 2, notes: expect.stringContaining('does not exist: make it first') })
})
