import { expect, it } from 'vitest'
import { keepRecords, operatorsOfTest } from '../../../test/support/console/testing.ts'
import { anIntent } from '../../../test/support/records.ts'
import { aCommand } from '../../../test/support/storage-contract/records.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { HistoryEntry } from '../../domain/timeline/records.ts'
import { addTimelinePage } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const PATH = '/dashboard/charge-points/CP1/timeline'

const { place, bob } = await operatorsOfTest({}, { extraPages: [addTimelinePage] })
const at = (minutesAgo: number) => place.now() - minutesAgo * 60_000
const statuses = Array.from(
  { length: 60 },
  (_, index): HistoryEntry => ({
    chargePointId: 'CP1',
    id: logIdAt(at(100 + index)),
    part: 0,
    kind: 'status',
    at: at(100 + index),
    count: 1,
    lastAt: undefined,
    details: { connectorId: 1, status: `Status${index}` },
  }),
)
const refused: HistoryEntry = {
  chargePointId: 'CP1',
  id: logIdAt(at(50)),
  part: 0,
  kind: 'refused',
  at: at(50),
  count: 3,
  lastAt: at(49),
  details: { reason: 'wrongPassword', detail: HOSTILE },
}
const asked = { kind: 'configurationKey', state: 'rejected', reason: 'it said no', updatedAt: at(30) } as const
const intent = anIntent(HOSTILE, asked)
await keepRecords(place, 'CP1', [
  ...[...statuses, refused].map((put) => ({ kind: 'connection_history', put }) as const),
  { kind: 'intents', put: intent },
])
const command: Command = aCommand(0, {
  id: logIdAt(at(20)),
  method: 'Reset',
  messageId: 'm',
  direction: 'out',
  response: '{}',
})
await place.core.commit([{ chargePointId: 'CP1', command }])

const page = (query = ''): Promise<string> => bob.page(PATH + query)

function entries(html: string): readonly string[] {
  const [, main = ''] = html.split('<main')
  return [...main.matchAll(/<li>(.*?)<\/li>/gs)].map(([, entry = '']) => entry)
}

function olderOf(html: string): string | undefined {
  return /href="[^"]*timeline(\?[^"]*before=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
}

// CONSOLE-N12: the timeline of a charge point
it('shows commands, what is wanted and history together, newest first, in pages', async () => {
  expect(await (await bob.get('/dashboard/charge-points/CP1')).text()).toContain(`href="${PATH}"`)
  const html = await page()
  expect(html).not.toContain('<script>alert')
  const [command, requested, refused, ...statuses] = entries(html)
  expect(command).toMatch(/href="\/dashboard\/charge-points\/CP1\/messages\/[\w-]{36}"/)
  expect(requested).toContain('it said no')
  expect(refused).toContain('3 times')
  expect(statuses).toHaveLength(47)
  const rest = await page(olderOf(html))
  expect(entries(rest)).toHaveLength(13)
  expect(rest).toContain('Status59')
  expect(olderOf(rest)).toBeUndefined()
})

it('is narrowed to one kind, on later pages as well', async () => {
  expect(entries(await page('?kind=refused'))).toHaveLength(1)
  expect(entries(await page('?kind=session'))).toEqual([])
  const html = await page('?kind=status')
  expect(entries(html)).toHaveLength(50)
  expect(entries(await page(olderOf(html)))).toHaveLength(10)
})

it('begins with the newest where the address was made up', async () => {
  const made = (positions: unknown) => `?before=${Buffer.from(JSON.stringify(positions)).toString('base64url')}`
  const all = entries(await page())
  for (const query of [
    '?kind=toString',
    '?before=x',
    made({}),
    made(['1', '', '', '', '', '']),
    made(['', '', '', '', '']),
  ]) {
    expect(entries(await page(query))).toEqual(all)
  }
  expect(entries(await page(made(['', '', '', '=foreign', '', ''])))).toEqual([])
})

it('is nobody else’s', async () => {
  expect((await bob.get('/dashboard/charge-points/CPB/timeline')).status).toBe(404)
})
