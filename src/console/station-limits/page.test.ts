import { afterAll, expect, it } from 'vitest'
import { command } from '../../../test/support/api/testing.ts'
import { compositeOf16 } from '../../../test/support/charging.ts'
import { keepRecords, openOperatorPlace } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import type { Place } from '../../../test/support/oidc/testing.ts'
import { anIntent, aStationList } from '../../../test/support/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import type { ChargingDemand } from '../../domain/charging/records.ts'
import { storedProfile } from '../../domain/charging/rows.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import type { Reservation } from '../../domain/reservations/records.ts'
import { addStationLimitPages } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const PATH = '/dashboard/charge-points/CP1'
const orders: BlockOrder['input'][] = []
let answer = '{"status":"Rejected"}'

const place: Place = await openOperatorPlace(
  {
    sendCommand: async (order) => command(1, { direction: 'out', method: order.method, response: answer }),
    decideBlock: async ({ chargePointId, input }) => {
      orders.push(input)
      if (input.kind === 'chargingDemanded') {
        for (const { caps, asked, owner, evseId } of input.demands) {
          const kept = { caps: caps ?? {}, asked, revision: 1, state: 'refused' as const, reason: HOSTILE }
          const row: ChargingDemand = { chargePointId, owner, evseId, ...kept, createdAt: 1, updatedAt: 1 }
          await keepRecords(place, chargePointId, [caps ? put(row) : { kind: 'charging_demands', remove: row }])
        }
      }
      if (input.kind === 'intentsRequested') {
        for (const { kind, key, desired } of input.wants) {
          const put = anIntent(key, { chargePointId, accountId: place.otto.accountId, kind, desired })
          await keepRecords(place, chargePointId, [{ kind: 'intents', put }])
        }
      }
      if (input.kind === 'reservationOrdered')
        await keepRecords(place, chargePointId, [
          { kind: 'reservations', put: reservation(input.reservationId, { id: input.id, asked: input.order }) },
        ])
      return {}
    },
  },
  { extraPages: [addStationLimitPages] },
)
const otto = await place.signedIn(place.otto)
const bob = await place.signedIn(place.bob)
const connector = { connectorId: 1, status: 'Available', updatedAt: 1 }
await place.core.commit([
  { chargePointId: 'CP1', status: { id: 'CP1', protocol: 'ocpp1.6', connectors: [connector] } as never },
])
afterAll(() => place.close())

const put = (row: ChargingDemand) => ({ kind: 'charging_demands', put: row }) as const
const reservation = (reservationId: number, change: Partial<Reservation> = {}): Reservation => ({
  chargePointId: 'CP1',
  reservationId,
  accountId: 'A',
  id: `r${reservationId}`,
  state: 'active',
  asked: { connectorId: 1, idToken: 'CARD-7', idTokenType: 'ISO14443', expiresAt: place.now() + 60_000 },
  isCancelling: false,
  nextAttemptAt: 0,
  changes: [],
  expiresAt: place.now() + 60_000,
  createdAt: 1,
  updatedAt: 1,
  ...change,
})
const page = async (browser = otto): Promise<string> => (await browser.get(`${PATH}/limits`)).text()
const send = async (step: string, fields: Readonly<Record<string, string>>) =>
  otto.post(`${PATH}/${step}`, { csrf: csrfOf(await page(), '/limits'), ...fields })
const expectFault = async (step: string, fields: Readonly<Record<string, string>>, id: string): Promise<void> => {
  const refused = await send(step, fields)
  const html = await refused.text()
  expect([fields, refused.status >= 400, html.includes(`id="${id}"`)]).toEqual([fields, true, true])
  expect(html).not.toContain(HOSTILE)
}

it('CONSOLE-G7: a limit is set and taken back; what is wrong stands beside its field', async () => {
  expect(await page()).toContain('Nothing limits this charge point.')
  const limit = { name: 'cable', evseId: ' 1', amount: '13,5', unit: 'A', minutes: '' }
  for (const [change, field] of [
    [{ name: '' }, 'name-fault'],
    [{ name: 'x'.repeat(201) }, 'name-fault'],
    [{ amount: '' }, 'amount-fault'],
    [{ amount: HOSTILE }, 'amount-fault'],
    [{ evseId: '-1' }, 'evseId-fault'],
    [{ minutes: '-5' }, 'minutes-fault'],
    [{ minutes: '🦊' }, 'minutes-fault'],
  ] as const) {
    await expectFault('limits', { ...limit, ...change }, field)
  }
  expect(orders).toEqual([])
  const done = await send('limits', limit)
  expect([done.status, done.headers.get('location')]).toEqual([303, `${PATH}/limits`])
  expect(orders).toMatchObject([
    { kind: 'chargingDemanded', demands: [{ owner: 'limit:cable', evseId: 1, asked: { amps: 13.5 } }] },
  ])
  const shown = await page(bob)
  for (const part of ['>cable<', '13.5 A', 'refused', 'not yet']) expect(shown).toContain(part)
  // Wanted, and as it was refused no car is held to it.
  expect(shown.split('13.5 A')).toHaveLength(2)
  expectWithout(shown, HOSTILE, 'limits/remove')
  const offered = await page()
  for (const said of ['It no longer limits this charge point.', 'Remove limit cable']) expect(offered).toContain(said)
  const csrf = csrfOf(offered, '/limits/remove')
  expect((await bob.post(`${PATH}/limits/remove`, { csrf, name: 'cable' })).status).toBe(403)
  expect((await send('limits/remove', { name: 'none' })).status).toBe(404)
  expect((await send('limits/remove', { name: 'cable' })).status).toBe(303)
  expect(await page()).toContain('Nothing limits this charge point.')
  expect((await otto.get('/dashboard/charge-points/EVE/limits')).status).toBe(404)
})

it('CONSOLE-G7: profiles, the schedule that follows from them, and the station’s own are shown', async () => {
  const schedules = [
    {
      unit: 'A' as const,
      startAt: place.now() - 1000,
      periods: [
        { startSeconds: 0, limit: 20 },
        { startSeconds: 7200, limit: 8 },
      ],
    },
  ]
  const profile = { id: 5, stackLevel: 1, purpose: 'TxDefaultProfile' as const, kind: 'Absolute' as const, schedules }
  const of = { chargePointId: 'CP1', evseId: 1, state: 'accepted', updatedAt: 1 } as const
  const facts = { ...of, source: 'desired', owner: 'pilotwire', attempts: 0, acceptedAt: 1 } as const
  const row = storedProfile(profile, facts)
  await keepRecords(place, 'CP1', [
    { kind: 'charging_profiles', put: row },
    { kind: 'charging_profiles', put: { ...row, source: 'reported', id: 9, evseId: 2, owner: HOSTILE } },
    put({ ...of, owner: 'group:garage', caps: {}, revision: 1, createdAt: 1 }),
  ])
  const html = await page()
  expectTexts(html, 'caps now', 'what may be drawn over the next 24 hours, 20.0 A at most')
  expect(html).toMatch(/limit group <a href="\/dashboard\/limits\/garage"/)
  expect(html).not.toContain(HOSTILE)
  expect(await (await send('limits/ask', { place: '1' })).text()).toContain('It answered Rejected.')
  answer = JSON.stringify({ ...compositeOf16('A', 32), scheduleStart: new Date(place.now()).toISOString() })
  const reported = await (await send('limits/ask', { place: '1' })).text()
  expect(reported).toMatch(/The charge point says[\s\S]*ignores it[\s\S]*32\.0 A/)
  expect((await send('limits/ask', { place: '77' })).status).toBe(404)
  orders.length = 0
  expect((await send('limits/clear', {})).status).toBe(303)
  expect(orders).toEqual([{ kind: 'profilesWithdrawn', foreign: true }])
})

it('CONSOLE-G7: a place is reserved and given back, and the local list says how far it is', async () => {
  orders.length = 0
  const asked = { place: ' 1', kept: '30', idToken: 'CARD-7' }
  for (const [change, field] of [
    [{ idToken: '' }, 'idToken-fault'],
    [{ idToken: 'x'.repeat(21) }, 'idToken-fault'],
    [{ kept: '' }, 'kept-fault'],
    [{ kept: '-1' }, 'kept-fault'],
    [{ place: '' }, 'place-fault'],
  ] as const) {
    await expectFault('reservations', { ...asked, ...change }, field)
  }
  expect((await send('reservations', asked)).status).toBe(303)
  expect(orders).toMatchObject([{ kind: 'reservationOrdered', order: { connectorId: 1, idToken: 'CARD-7' } }])
  const { accountId } = place.otto
  await keepRecords(place, 'CP1', [
    { kind: 'reservations', put: reservation(2, { state: 'rejected', reason: HOSTILE }) },
    {
      kind: 'station_lists',
      put: aStationList({ accountId, list: 'staff', version: 4, state: 'rejected', reason: HOSTILE }),
    },
  ])
  const html = await page()
  for (const part of ['kept', 'CARD-7', 'staff', '<dd>4</dd>']) expect(html).toContain(part)
  expect(html).not.toContain(HOSTILE)
  const [, id = ''] = /reservations\/([^/]+)\/cancel/.exec(html) ?? []
  expect((await send(`reservations/${id}/cancel`, {})).status).toBe(303)
  expect(orders.at(-1)).toMatchObject({ kind: 'reservationCancelled' })
  expect((await send('reservations/none/cancel', {})).status).toBe(404)
  expect((await bob.post(`${PATH}/reservations/${id}/cancel`, {})).status).toBe(403)
})

it('CONSOLE-G10: a message is put on the display and cleared; a charge point of OCPP 1.6 has no form for it', async () => {
  expect(await page()).not.toContain('/display-messages"')
  const old = await send('display-messages', { message: 'notice', content: 'Hello', format: 'UTF8' })
  expect([old.status, (await old.text()).includes('speaks OCPP 1.6')]).toEqual([422, true])
  await place.core.commit([{ chargePointId: 'CP1', status: { id: 'CP1', protocol: 'ocpp2.0.1' } as never }])
  const asked = { message: 'notice', content: 'Grüß Gott', language: 'de', format: 'UTF8', priority: 'InFront' }
  for (const [change, field] of [
    [{ message: '' }, 'message-fault'],
    [{ content: '' }, 'content-fault'],
    [{ content: '🦊'.repeat(513) }, 'content-fault'],
    [{ format: 'ASCII' }, 'content-fault'],
    [{ language: HOSTILE }, 'language-fault'],
    [{ priority: 'Loud' }, 'priority-fault'],
    [{ shownMinutes: '-1' }, 'shownMinutes-fault'],
    [{ shownMinutes: 'x' }, 'shownMinutes-fault'],
  ] as const) {
    await expectFault('display-messages', { ...asked, ...change }, field)
  }
  orders.length = 0
  expect((await send('display-messages', { ...asked, content: `Hi ${HOSTILE}`, state: 'Idle' })).status).toBe(303)
  expect(orders).toMatchObject([{ kind: 'intentsRequested', wants: [{ kind: 'displayMessage', key: 'notice' }] }])
  const html = await page(bob)
  for (const part of ['notice', 'while it is free · before the others', 'waiting to be sent'])
    expect(html).toContain(part)
  expectWithout(html, HOSTILE, 'display-messages/remove')
  expect((await send('display-messages/remove', { name: 'none' })).status).toBe(404)
  expect((await send('display-messages/remove', { name: 'NOTICE' })).status).toBe(303)
  expect(orders.at(-1)).toEqual({ kind: 'intentsWithdrawn', intents: [{ kind: 'displayMessage', key: 'notice' }] })
})
