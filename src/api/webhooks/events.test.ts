import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { command, START, session } from '../../../test/support/api/testing.ts'
import { asToken, URL_1, webhookHouse } from '../../../test/support/api/webhooks/house.ts'
import { namesOf } from '../../domain/event-declaration.ts'
import { envelopeAround } from '../../domain/events/emission.ts'
import { intentChanged } from '../../domain/events/intent-events.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'

const DAY = 86_400_000

const house = webhookHouse()

it('HOOK-S7: the feed gives stored envelopes oldest first, by pages and from a position', async () => {
  const events = []
  for (let index = 0; index < 3; index++) events.push(await house.record())
  await house.record({ accountId: 'acc2', chargePointId: 'CP-OTHER' })
  const first = await house.api.get('/2/events?limit=2')
  expect(first).toEqual({
    data: events.slice(0, 2).map((event) => JSON.parse(envelopeAround(event)) as object),
    meta: { nextCursor: events[1]?.id },
  })
  const rest = await house.api.get(`/2/events?limit=2&after=${first.meta.nextCursor}`)
  expect(rest.data.map(({ id }) => id)).toEqual([events[2]?.id])
  expect((await house.api.get(`/2/events?after=${events[2]?.id}`)).data).toEqual([])
  house.api.clock.advance(DAY)
  await house.record()
  const recent = encodeURIComponent(new Date(START + DAY).toISOString())
  expect((await house.api.get(`/2/events?from=${recent}`)).data).toHaveLength(1)
})

it('HOOK-S7, HOOK-S3: a grant sees the events of what it shares', async () => {
  await house.record()
  await house.record({ chargePointId: 'CP2' })
  const answer = await house.api.call('GET', '/2/events', undefined, asToken)
  expect((await answer.json()).data).toHaveLength(1)
})

it('HOOK-E3, HOOK-E4: without chargers:read an application hears of sessions only; others are asked for by their type', async () => {
  const { data, ...keys } = intentChanged.madeUp({
    id: 'test_1',
    accountId: 'acc1',
    chargePointId: 'CP1',
    now: START,
  })
  const about = { ...keys, data: JSON.stringify(data) }
  await house.record(about)
  await house.record()
  const feed = async (query = '') => (await house.api.call('GET', `/2/events${query}`, undefined, asToken)).json()
  expect((await feed()).data).toHaveLength(1)
  expect(await feed('?type=intent.changed')).toMatchObject({ status: 403, code: 'insufficient_scope' })
  const refused = await house.create({ url: URL_1, events: ['intent.changed'] }, asToken)
  expect([refused.status, (await refused.json()).code]).toEqual([403, 'insufficient_scope'])
  house.token = { ...house.token, scopes: [...house.token.scopes, 'chargers:read'] }
  expect((await feed()).data).toHaveLength(1)
  expect((await feed('?type=intent.changed')).data).toHaveLength(1)
  expect((await house.create({ url: URL_1, events: ['intent.changed'] }, asToken)).status).toBe(201)
})

it('HOOK-S7, HOOK-F6: an old event that a failed delivery still keeps is no position: what came after it is gone', async () => {
  await house.created({ url: URL_1 })
  const old = await house.record()
  house.api.clock.advance(31 * DAY)
  const recent = await house.record()
  expect((await house.api.call('GET', `/2/events?after=${old.id}`)).status).toBe(410)
  expect((await house.api.get('/2/events')).data.map(({ id }) => id)).toEqual([recent.id])
})

it('HOOK-S7: a position older than retention is 410, nonsense 400', async () => {
  const old = newUuid(START - 31 * DAY, randomBytes)
  expect(await (await house.api.call('GET', `/2/events?after=${old}`)).json()).toMatchObject({
    code: 'position_expired',
  })
  for (const after of ['x', newUuid(START, randomBytes)]) {
    expect((await house.api.call('GET', `/2/events?after=${after}`)).status).toBe(400)
  }
})

it('HOOK-S7: who walks this list as all the others, by cursor, is told the name of the position', async () => {
  const first = await house.record()
  const answer = await house.api.call('GET', `/2/events?cursor=${first.id}`)
  const message = 'does not exist here: send meta.nextCursor as after'
  expect(await answer.json()).toMatchObject({ status: 400, errors: [{ pointer: '?cursor', message }] })
})

it('HOOK-E3: the feed may be of one type; a type that does not exist is refused by name', async () => {
  const event = await house.record()
  await house.record({ type: 'door.opened' })
  const found = await house.api.get('/2/events?type=session.updated')
  expect(found.data.map(({ id }) => id)).toEqual([event.id])
  for (const type of ['door.opened', '', 'session.updated,door.opened', 'SESSION.UPDATED']) {
    const answer = await house.api.call('GET', `/2/events?type=${type}`)
    expect(await answer.json()).toMatchObject({
      status: 400,
      errors: [
        {
          pointer: '?type',
          code: 'invalid_value',
          message: `there is no event type "${type}"; must be one of ${namesOf(EVENTS).join(', ')}`,
        },
      ],
    })
  }
})

it('HOOK-B1: a waiting request gets the event that comes', async () => {
  const waiting = house.api.get('/2/events?wait=10')
  await house.record()
  expect((await waiting).data).toHaveLength(1)
})

it('HOOK-B2: the timeline names events, settlements and the commands behind them', async () => {
  await house.api.addSession(session('s1', { state: 'completed' }))
  await house.api.addRows([{ ...command(4096), method: 'StopTransaction', transactionId: '1' }])
  await house.record()
  await house.api.store.core.commit([
    {
      chargePointId: 'CP1',
      settlements: [{ sessionId: 's1', number: 1, energyMilliWh: 1_000_000, at: START + 5, by: 'credential c1' }],
    },
  ])
  const timeline = await house.api.get<{ data: object[] }>('/2/sessions/s1/timeline')
  expect(timeline.data).toMatchObject([
    { type: 'event', kind: 'transition', causes: [{ method: 'StopTransaction', direction: 'in' }] },
    { type: 'settlement', number: 1, energyKwh: 1, by: 'credential c1' },
  ])
})

it('HOOK-E3: a clock that stood still or was put back held a request that waits for events: it ends all the same', async () => {
  const waiting = house.api.get('/2/events?wait=1')
  house.api.clock.set(house.api.clock.now() - DAY)
  expect((await waiting).data).toEqual([])
})

it('SESSION-S2: the timeline tells what the session itself does not: why it ended and what was odd', async () => {
  await house.api.addSession(session('s1', { state: 'completed', endReason: 'interrupted', flags: ['inferred'] }))
  await house.api.addSession(session('s2', { state: 'suspended', suspendedBy: 'ev' }))
  const meta = async (id: string) => (await house.api.get<{ meta: object }>(`/2/sessions/${id}/timeline`)).meta
  expect(await meta('s1')).toEqual({ endReason: 'interrupted', flags: ['inferred'] })
  expect(await meta('s2')).toEqual({ suspendedBy: 'ev', flags: [] })
  expect(Object.keys(await house.api.get('/sessions/s1'))).not.toContain('flags')
})

it('metrics show what is due, in flight, held and how old', async () => {
  await house.created()
  await house.record()
  house.api.clock.advance(5000)
  const text = await (await fetch(`${house.api.url}/metrics`)).text()
  for (const line of [
    'deliveries_due 1',
    'deliveries_in_flight 0',
    'attempts_succeeded_total 3',
    'oldest_due_seconds 5',
  ]) {
    expect(text).toContain(`pilotwire_webhook_${line}`)
  }
})
