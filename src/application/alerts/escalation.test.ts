import { beforeEach, expect, it } from 'vitest'
import { anAlertRule, watchOver } from '../../../test/support/application/alerts/watch.ts'
import { manualClock } from '../../../test/support/clock.ts'
import { storeOfTest } from '../../../test/support/storage/testing.ts'
import { aChargePoint, aSubscription } from '../../../test/support/storage-contract/records.ts'
import type { AlertNotice, AlertRule } from '../../domain/alerts/records.ts'
import type { FileStore } from '../../storage/database.ts'
import { mailText } from './mail-text.ts'
import type { Watch } from './watch.ts'

const START = Date.UTC(2026, 7, 1, 12)
const MINUTE = 60_000

let store: FileStore
let clock: ReturnType<typeof manualClock>
let watch: Watch
const online = new Set<string>()

const watchOf = (opened: FileStore): Watch => watchOver(opened, clock, online)
const putRule = (change: Partial<AlertRule> = {}) => {
  const escalation = { afterSeconds: 600, targets: [{ mail: 'boss@example.com' }] }
  return store.writes.putRecords('alert_rules', [anAlertRule(START, { id: 'r1', escalation, ...change })])
}
const raised = async () => store.reads.listRecords('alerts', { where: { state: 'raised' }, limit: 9 })
const notices = async (): Promise<readonly AlertNotice[]> => store.reads.listRecords('alert_notices', { limit: 99 })
const reported = async () => (await notices()).map(({ mail, what, alert }) => [mail, what, alert.about].join(' '))
const sweepAfter = async (ms: number) => {
  clock.advance(ms)
  await watch.sweep()
}
beforeEach(async () => {
  store = storeOfTest()
  clock = manualClock(START)
  online.clear()
  await store.writes.createAccount({ id: 'acc1', name: 'acc1', createdAt: START })
  for (const id of ['EV-1', 'EV-2']) {
    await store.writes.createChargePoint(aChargePoint({ id, accountId: 'acc1', securityProfile: 0, createdAt: START }))
  }
  online.add('EV-2')
  watch = watchOf(store)
})

it('tells the others once, also over a restart, and once that it is over', async () => {
  await putRule()
  await watch.sweep()
  await sweepAfter(10 * MINUTE - 1)
  expect(await reported()).toEqual(['ops@example.com begins EV-1'])
  await sweepAfter(1)
  watch = watchOf(store)
  await watch.sweep()
  await sweepAfter(10 * MINUTE)
  expect(await raised()).toMatchObject([{ escalatedAt: START + 10 * MINUTE }])
  online.add('EV-1')
  await sweepAfter(MINUTE)
  await sweepAfter(MINUTE)
  expect((await reported()).sort()).toEqual([
    'boss@example.com ends EV-1',
    'boss@example.com escalates EV-1',
    'ops@example.com begins EV-1',
    'ops@example.com ends EV-1',
  ])
  const escalation = (await notices()).filter(({ what }) => what === 'escalates')
  const { subject, text } = mailText(escalation, { language: 'en', timeZone: 'UTC' }, 'http://x/alerts')
  expect(subject).toBe('[Pilotwire] Not acknowledged: EV-1 is offline')
  expect(text).toMatch(/^Not acknowledged:\n- EV-1 is offline, since /)
  const all = mailText(await notices(), { language: 'de', timeZone: 'UTC' }, 'http://x/alerts')
  expect(all.subject).toBe('[Pilotwire] Offline: 1 begonnen, 1 nicht übernommen, 2 vorbei')
})

it('disturbs nobody where somebody has, or where it is over by then', async () => {
  online.delete('EV-2')
  await putRule()
  await watch.sweep()
  const first = (await raised()).find(({ about }) => about === 'EV-1')
  const care = { accountId: 'acc1', alertId: first?.id ?? '', at: clock.now(), by: 'otto@example.com' }
  await store.writes.putRecords('alert_acknowledgements', [care])
  online.add('EV-2')
  await sweepAfter(10 * MINUTE)
  await sweepAfter(10 * MINUTE)
  expect((await reported()).filter((line) => line.startsWith('boss'))).toEqual([])
})

it('quiet hours in which it was raised do not count', async () => {
  await putRule({ quietHours: { from: '11:00', to: '13:00', timeZone: 'UTC' } })
  await watch.sweep()
  await sweepAfter(69 * MINUTE)
  expect((await raised())[0]?.escalatedAt).toBeUndefined()
  await sweepAfter(MINUTE)
  expect(await raised()).toMatchObject([{ escalatedAt: START + 70 * MINUTE }])
})

it('ALERT-R9: an alert that was raised while the clock was ahead was not escalated for years', async () => {
  clock.set(START + 3 * 365 * 86_400_000)
  await putRule()
  await watch.sweep()
  expect(await raised()).toMatchObject([{ raisedAt: clock.now() }])
  clock.set(START)
  await sweepAfter(MINUTE)
  expect(await raised()).toMatchObject([{ escalatedAt: START + MINUTE }])
})

it('a webhook of the escalation is sent an event of its own, without having chosen it', async () => {
  const webhook = aSubscription({ id: 'boss', accountId: 'acc1', events: ['session.updated'] })
  await store.writes.createSubscription(webhook, 9)
  await putRule({ escalation: { afterSeconds: 0, targets: [{ webhookId: 'boss' }] } })
  await watch.sweep()
  await watch.sweep()
  online.add('EV-1')
  await sweepAfter(MINUTE)
  await sweepAfter(MINUTE)
  const sent = await store.reads.listDeliveries({ subscriptionId: 'boss', limit: 9 })
  expect(sent.map(({ type }) => type).reverse()).toEqual(['alert.escalated', 'alert.cleared'])
})
