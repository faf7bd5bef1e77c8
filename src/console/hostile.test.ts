import { expect, it } from 'vitest'
import { operatorsOfTest, SALT } from '../../test/support/console/testing.ts'
import { anAlert } from '../../test/support/records.ts'
import { aCommand, anIdToken, aSession, aSubscription } from '../../test/support/storage-contract/records.ts'
import { logIdAt, logIdToUuid } from '../domain/message-log/log-id.ts'
import { alertPages } from './alerts/page.tsx'

/** What a station may say: markup, another direction of writing, control characters, and much of it. */
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\u05d0\u0007${'x'.repeat(440)}`
const SESSION = '01900000-0000-7000-8000-00000000000a'

const { place, ada } = await operatorsOfTest({}, { extraPages: [alertPages(async () => [])] })
const { writes, core } = place
const at = place.now()
const id = logIdAt(at)
const message = logIdToUuid(id, SALT)
await writes.updateChargePoint('A', 'CP1', { name: HOSTILE, labels: { site: HOSTILE.slice(0, 255) } })
const [done] = await core.commit([
  {
    chargePointId: 'CP1',
    status: { protocol: 'ocpp1.6', vendor: HOSTILE, model: HOSTILE, serialNumber: HOSTILE, firmwareVersion: HOSTILE },
    connectors: [
      ...[1, 2].map((connectorId) => ({ connectorId, status: connectorId === 1 ? 'Faulted' : HOSTILE })),
    ].map((one) => ({ ...one, errorCode: HOSTILE, vendorErrorCode: HOSTILE, info: HOSTILE, updatedAt: at })),
    command: aCommand(0, {
      id,
      method: HOSTILE,
      messageId: HOSTILE,
      transactionId: HOSTILE.slice(0, 36),
      schemaErrors: HOSTILE,
      request: JSON.stringify({ status: HOSTILE, info: HOSTILE }),
      response: JSON.stringify({ status: HOSTILE }),
    }),
    sessions: [
      aSession({
        id: SESSION,
        connectorId: 1,
        state: 'completed',
        energyMilliWh: 1,
        createdAt: at,
        idToken: HOSTILE.slice(0, 36),
        externalReference: HOSTILE.slice(0, 255),
      }),
    ],
  },
])
if (done && !done.ok) throw done.error
await writes.createIdToken(anIdToken({ id: HOSTILE.slice(0, 20), createdAt: at, groupId: HOSTILE.slice(0, 36) }))
await writes.createSubscription(aSubscription({ id: 'wh', accountId: 'A', description: HOSTILE }), 20)
await writes.changeUser('A', place.bob.id, { name: HOSTILE })
await writes.audit({ at, kind: HOSTILE, accountId: 'A', actor: HOSTILE, subject: HOSTILE, ip: HOSTILE })
const facts = { stationId: 'CP1', stationName: HOSTILE, errorCode: HOSTILE }
await writes.putRecords('alerts', [anAlert('a1', { ruleName: HOSTILE, since: at, raisedAt: at, facts })])

it.each([
  '',
  '/charge-points',
  '/charge-points/CP1',
  '/charge-points/CP1/edit',
  '/charge-points/CP1/command?method=Reset',
  '/charging-sessions',
  `/charging-sessions/${SESSION}`,
  `/charging-sessions/${SESSION}?ask=settle`,
  '/id-tokens',
  `/id-tokens/${encodeURIComponent(HOSTILE.slice(0, 20))}`,
  '/alerts',
  '/tariffs',
  '/users',
  '/users/bob',
  '/audit',
  '/webhooks',
  '/webhooks/wh',
  '/webhooks/wh/edit',
  '/applications',
  '/sign-ins',
])('CONSOLE-C13: %s is inert, and of one piece', async (path) => {
  const answer = await ada.get(`/dashboard${path}`)
  const html = await answer.text()
  expect([path, answer.status]).toEqual([path, 200])
  for (const markup of ['<script>', '<img', 'onerror="']) expect(html).not.toContain(markup)
  expect(html.match(/<title>[^<]*/)?.[0]).not.toContain('\u202e')
  expect(html).toMatch(/<\/html>$/)
  expect(html.length).toBeLessThan(200_000)
})

it('CONSOLE-C13: a message alone, its JSON, and files for spreadsheets', async () => {
  const path = `/dashboard/charge-points/CP1/messages/${message}`
  const html = await (await ada.get(path)).text()
  expect(html).not.toContain('<script>')
  expect(html).toContain('\\u202e')
  expect(await (await ada.get(`${path}/json`)).json()).toMatchObject({ request: { info: HOSTILE } })
  for (const file of ['charge-points.csv', 'charging-sessions.csv', 'charge-points/CP1/messages.csv']) {
    const csv = await ada.get(`/dashboard/${file}`)
    expect([file, csv.status, csv.headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff'])
    expect(await csv.text()).toContain('""><script>')
  }
})
