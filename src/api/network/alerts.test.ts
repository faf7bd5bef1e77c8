import { afterEach, beforeEach, expect, it } from 'vitest'
import { START, startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { anAlert } from '../../../test/support/records.ts'
import { aSubscription } from '../../../test/support/storage-contract/records.ts'
import { acknowledge } from '../../application/alerts/rules.ts'
import { createTargetTests } from '../../application/alerts/target-tests.ts'
import type { Alert } from '../../domain/alerts/records.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import type { Core } from '../../domain/ports/core.ts'
import { addAlerts, addAlertTests } from './alerts.ts'

const RULE = { name: 'Depot offline', kind: 'offline', targets: [{ mail: 'ops@example.com' }] }

let api: TestApi
beforeEach(async () => {
  api = await startApi({ parts: { extraEndpoints: [addAlerts] } })
})
afterEach(() => api.close())

it('ALERT-R5: quiet hours that name no time zone have that of the installation', async () => {
  const zoned = await startApi({
    parts: { extraEndpoints: [addAlerts] },
    settings: { timeZone: 'Europe/Berlin' },
  })
  try {
    const quietHours = { from: '22:00', to: '06:00' }
    const made = await (await zoned.call('POST', '/2/alert-rules', { ...RULE, quietHours })).json<object>()
    expect(made).toMatchObject({ quietHours: { ...quietHours, timeZone: 'Europe/Berlin' } })
  } finally {
    await zoned.close()
  }
})

it('ALERT-A1: a rule is made, listed in pages, read, changed, replaced and deleted', async () => {
  const created = await api.call('POST', '/2/alert-rules', {
    ...RULE,
    selector: { ids: ['CP1'] },
    quietHours: { from: '22:00', to: '06:00' },
  })
  expect(created.status).toBe(201)
  const rule = await created.json<{ id: string; after: number; quietHours: object }>()
  expect(rule).toMatchObject({ ...RULE, after: 600, quietHours: { from: '22:00', to: '06:00', timeZone: 'UTC' } })
  const path = `/2/alert-rules/${rule.id}`
  expect(created.headers.get('location')).toBe(path)
  expect(await api.get(path)).toEqual(rule)
  await api.call('POST', '/2/alert-rules', { ...RULE, after: 0 })
  const first = await api.get('/2/alert-rules?limit=1')
  expect(first.data).toHaveLength(1)
  expect((await api.get(`/2/alert-rules?limit=1&cursor=${first.meta.nextCursor}`)).data).toHaveLength(1)
  const escalation = { after: 1800, targets: [{ mail: 'boss@example.com' }] }
  expect(await (await api.call('PATCH', path, { escalation })).json()).toMatchObject({ escalation, after: 600 })
  const change = { after: 60, selector: null, quietHours: null, escalation: null }
  const changed = await (await api.call('PATCH', path, change)).json<object>()
  expect(changed).toMatchObject({ after: 60, name: RULE.name })
  expect(Object.keys(changed)).not.toContain('selector')
  expect(Object.keys(changed)).not.toContain('quietHours')
  expect(Object.keys(changed)).not.toContain('escalation')
  const replaced = await api.call('PUT', path, { ...RULE, kind: 'disk', name: 'Disk' })
  expect(await replaced.json()).toMatchObject({ id: rule.id, kind: 'disk', name: 'Disk', after: 0 })
  expect((await api.call('DELETE', path)).status).toBe(204)
  expect([(await api.call('GET', path)).status, (await api.call('DELETE', path)).status]).toEqual([404, 404])
})

it.each([
  [{ ...RULE, kind: 'flood' }, '/kind'],
  [{ ...RULE, name: '' }, '/name'],
  [{ ...RULE, after: -1 }, '/after'],
  [{ ...RULE, after: 1.5 }, '/after'],
  [{ ...RULE, targets: [{ mail: 'a@b.example, c@d.example' }] }, '/targets/0/mail'],
  [{ ...RULE, targets: [{ mail: 'a@b.example\r\nBcc: c@d.example' }] }, '/targets/0/mail'],
  [{ ...RULE, targets: [{}] }, '/targets/0'],
  [{ ...RULE, targets: [{ mail: 'a@b.example', webhookId: 'x' }] }, '/targets/0'],
  [{ ...RULE, targets: [{ webhookId: 'wh_none' }] }, '/targets/0/webhookId'],
  [{ ...RULE, quietHours: { from: '25:00', to: '06:00' } }, '/quietHours/from'],
  [{ ...RULE, quietHours: { from: '06:00', to: '06:00' } }, '/quietHours/to'],
  [{ ...RULE, quietHours: { from: '22:00', to: '06:00', timeZone: 'Moon' } }, '/quietHours/timeZone'],
  [{ ...RULE, kind: 'disk', selector: { vendor: 'ACME' } }, '/selector'],
  [{ ...RULE, selector: { labels: { 'No Key': 'x' } } }, '/selector/labels/No Key'],
  [{ ...RULE, selector: { site: 'x' } }, '/selector/site'],
  [{ ...RULE, colour: 'red' }, '/colour'],
  [{ ...RULE, escalation: { after: -1, targets: [{ mail: 'a@b.example' }] } }, '/escalation/after'],
  [{ ...RULE, escalation: { after: 60, targets: [] } }, '/escalation/targets'],
  [{ ...RULE, escalation: { after: 60, targets: [{ webhookId: 'wh_none' }] } }, '/escalation/targets/0/webhookId'],
  [{ name: 'x', kind: 'disk' }, '/targets'],
])('ALERT-A1: %j is refused by the name of its fault', async (body, pointer) => {
  const answer = await api.call('POST', '/2/alert-rules', body)
  expect(answer.status).toBe(400)
  expect((await answer.json()).errors.map((fault) => fault.pointer)).toContain(pointer)
})

it('ALERT-A1: nobody sees or changes another account’s rules; a hundred are enough', async () => {
  const { id } = await (await api.call('POST', '/2/alert-rules', RULE)).json()
  const other = { authorization: `Bearer ${await api.newCredential('acc2')}` }
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(method, `/2/alert-rules/${id}`, undefined, other)).status).toBe(404)
  }
  expect((await api.call('PATCH', `/2/alert-rules/${id}`, { name: 'mine' }, other)).status).toBe(404)
  const rule = await api.reads.getRecord('alert_rules', { accountId: 'acc1', id })
  if (!rule) throw new Error('There is no rule.')
  const more = Array.from({ length: 99 }, (_, at) => ({ ...rule, id: `r${at}` }))
  await api.store.writes.putRecords('alert_rules', more)
  expect((await api.call('POST', '/2/alert-rules', RULE)).status).toBe(409)
})

it('ALERT-A5: somebody takes care of it; the first one stays, and what is over needs nobody', async () => {
  const over = anAlert('a2', { accountId: 'acc1', state: 'cleared', clearedAt: START })
  await api.store.writes.putRecords('alerts', [anAlert('a1', { accountId: 'acc1' }), over])
  const first = await api.call('POST', '/2/alerts/a1/acknowledge')
  const care = { id: 'a1', acknowledgedAt: new Date(START).toISOString() }
  expect(await first.json()).toMatchObject({ ...care, acknowledgedBy: expect.stringMatching(/^pwk_/) as string })
  api.clock.advance(5000)
  expect(await (await api.call('POST', '/2/alerts/a1/acknowledge')).json()).toMatchObject(care)
  expect((await api.get('/2/alerts')).data).toMatchObject([care, { id: 'a2' }])
  const statuses = ['a2', 'a3'].map(async (id) => (await api.call('POST', `/2/alerts/${id}/acknowledge`)).status)
  expect(await Promise.all(statuses)).toEqual([409, 404])
  const other = { authorization: `Bearer ${await api.newCredential('acc2')}` }
  expect((await api.call('POST', '/2/alerts/a1/acknowledge', undefined, other)).status).toBe(404)
})

it('ALERT-K8: whoever takes care of a failed certificate ends it, and only that', async () => {
  const decided: BlockOrder[] = []
  const alert = anAlert('k1', {
    accountId: 'acc1',
    kind: 'certificateFailed',
    about: 'EV-1',
    facts: { stationId: 'EV-1' },
  })
  await api.store.writes.putRecords('alerts', [alert, { ...alert, id: 'k2', kind: 'offline' }])
  const place = {
    reads: api.reads,
    writes: api.store.writes,
    now: () => START,
    core: { decideBlock: async (order: BlockOrder) => decided.push(order) && {} } as Partial<Core> as Core,
  }
  for (const id of ['k1', 'k1', 'k2']) {
    expect(await acknowledge(place, 'acc1', id, 'ada')).toMatchObject({ acknowledged: { by: 'ada' } })
  }
  const input = { kind: 'certificateFailureNoticed' }
  expect(decided).toEqual([{ accountId: 'acc1', chargePointId: 'EV-1', input }])
})

it('ALERT-A2: what is on and what is over, in pages', async () => {
  const alert = (at: number, change: Partial<Alert> = {}): Alert => {
    const facts = { stationId: `EV-${at}`, errorCode: '\ud800<b>' }
    return anAlert(`a${at}`, { accountId: 'acc1', since: START, raisedAt: START, facts, ...change })
  }
  const over = alert(3, { state: 'cleared', clearedAt: START + 1 })
  await api.store.writes.putRecords('alerts', [alert(1), alert(2), over, alert(4, { accountId: 'acc2' })])
  const first = await api.get('/2/alerts?state=raised&limit=1')
  expect(first.data).toMatchObject([{ id: 'a1', evseControllerId: 'EV-1', state: 'raised' }])
  const second = await api.get(`/2/alerts?state=raised&limit=1&cursor=${first.meta.nextCursor}`)
  expect([second.data.map(({ id }) => id), second.meta]).toEqual([['a2'], {}])
  expect((await api.get('/2/alerts?state=cleared')).data).toMatchObject([{ id: 'a3' }])
  expect((await api.get('/2/alerts')).data.map(({ id }) => id)).toEqual(['a1', 'a2', 'a3'])
  expect((await api.call('GET', '/2/alerts?state=pending')).status).toBe(400)
})

it('ALERT-A4: testing the targets of a rule: each target says what became of it; a server that is down is asked once; ten a minute', async () => {
  const mails: string[] = []
  const mailer = {
    async send({ to }: { readonly to: string }) {
      mails.push(to)
      if (to.startsWith('bad@')) throw Object.assign(new Error('550 no\r\nsuch mailbox'), { code: 'EENVELOPE' })
      if (to.startsWith('down@')) throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })
    },
  }
  const api = await startApi({
    parts: {
      extraEndpoints: [
        addAlerts,
        (parts) =>
          addAlertTests(
            parts,
            createTargetTests({
              reads: parts.reads,
              webhookOrders: parts.webhookOrders,
              limits: parts.limits,
              now: parts.now,
              random: parts.random,
              post: { mailer, language: 'en', page: 'http://x/alerts', domain: 'x' },
            }),
          ),
      ],
    },
  })
  try {
    const hook = aSubscription({ id: 'wh1', accountId: 'acc1' })
    await api.store.writes.createSubscription(hook, 20)
    const targets = [
      { mail: 'ops@example.com' },
      { mail: 'bad@example.com' },
      { mail: 'down@example.com' },
      { mail: 'next@example.com' },
      { webhookId: hook.id },
    ]
    const { id } = await (await api.call('POST', '/2/alert-rules', { ...RULE, targets })).json()
    const path = `/2/alert-rules/${id}/test`
    const tested = await api.call('POST', path)
    expect(await tested.json()).toMatchObject({
      data: [
        { mail: 'ops@example.com', ok: true },
        { mail: 'bad@example.com', ok: false, detail: '550 no such mailbox' },
        { mail: 'down@example.com', ok: false, detail: 'no answer' },
        { mail: 'next@example.com', ok: false, detail: 'no answer' },
        { webhookId: hook.id, ok: true, deliveryId: expect.any(String) as string },
      ],
    })
    expect(mails).toEqual(['ops@example.com', 'bad@example.com', 'down@example.com'])
    for (let at = 0; at < 9; at++) await api.call('POST', path)
    expect((await api.call('POST', path)).status).toBe(429)
    expect((await api.call('POST', '/2/alert-rules/none/test')).status).toBe(404)
  } finally {
    await api.close()
  }
})
