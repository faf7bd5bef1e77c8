import { afterAll, expect, it } from 'vitest'
import { testInstallation } from '../../../test/support/server/cli/testing.ts'
import { commandRow } from '../../../test/support/server/cli/testing-rows.ts'
import { openStore } from '../../../test/support/storage/testing.ts'
import { aSession } from '../../../test/support/storage-contract/records.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { Session } from '../../domain/ports/sessions.ts'

const AT = Date.UTC(2026, 7, 1, 12)

const installation = testInstallation()
const { id: accountId } = await installation.json(['account', 'create', '--name', 'Depot North'])
await installation.json(['charge-point', 'add', 'EV-1'])
const session: Session = aSession({
  id: 's1',
  accountId: String(accountId),
  chargePointId: 'EV-1',
  state: 'completed',
  energyMilliWh: 2_000_000,
  startedAt: AT,
  stoppedAt: AT + 60_000,
  createdAt: AT,
  version: 2,
  transactionId: '7',
})
const { core, close } = openStore(installation.database)
const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: new Date(AT).toISOString() }
const stop = { transactionId: 7, meterStop: 2000, timestamp: new Date(AT + 60_000).toISOString() }
await core.commit([
  {
    chargePointId: 'EV-1',
    command: commandRow(logIdAt(AT), {
      method: 'StartTransaction',
      request: JSON.stringify(start),
      response: '{"transactionId":7,"idTagInfo":{"status":"Accepted"}}',
    }),
    sessions: [session, { ...session, id: 's2', energyMilliWh: 9_000_000 }],
  },
  {
    chargePointId: 'EV-1',
    command: commandRow(logIdAt(AT + 60_000), { method: 'StopTransaction', request: JSON.stringify(stop) }),
  },
])
close()
afterAll(() => installation.remove())

const rebuild = (...args: string[]) => installation.cli(['sessions', 'rebuild', ...args])

// HOOK-B3: sessions rebuild
it('says what was looked at where nothing differs', async () => {
  expect(await rebuild('s1')).toEqual({
    code: 0,
    out: '',
    notes: '2 messages replayed, compared with the session (its events are no longer kept): differences 0.',
  })
  expect(await rebuild('s1', '--json')).toMatchObject({ code: 0, out: '[]' })
})

it('prints each difference and ends with 1', async () => {
  const { code, out, notes } = await rebuild('s2')
  expect([code, out.split('\n').map((line) => line.split(/ +/))]).toEqual([
    1,
    [
      ['event', 'member', 'stored', 'rebuilt'],
      ['session', 'energyKwh', '9', '2'],
    ],
  ])
  expect(notes).toContain('differences 1.')
  const { out: json } = await rebuild('s2', '--json')
  expect(JSON.parse(json)).toEqual([{ event: 'session', member: 'energyKwh', stored: 9, rebuilt: 2 }])
})

it('knows no other sessions', async () => {
  expect(await rebuild('nobody')).toMatchObject({ code: 1, notes: expect.stringContaining('no session nobody') })
  expect(await rebuild()).toMatchObject({ code: 2 })
})
