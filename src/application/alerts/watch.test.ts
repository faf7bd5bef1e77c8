import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MAIL_LOGIN, type Mailbox, openMailbox } from '../../../test/mailbox.ts'
import { anAlertRule, watchOver } from '../../../test/support/application/alerts/watch.ts'
import { manualClock } from '../../../test/support/clock.ts'
import { openStore, temporaryDatabase } from '../../../test/support/storage/testing.ts'
import { aChargePoint, aSubscription } from '../../../test/support/storage-contract/records.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { FileStore } from '../../storage/database.ts'
import { sendDue } from './mail-queue.ts'
import { createMailer, verifySmtp } from './mailer.ts'
import type { Watch } from './watch.ts'

const START = Date.UTC(2026, 7, 1, 12)
const MINUTE = 60_000

const relay = (port: number) => ({ host: '127.0.0.1', port, secure: false, ...MAIL_LOGIN, isLocal: true })

let database: ReturnType<typeof temporaryDatabase>
let store: FileStore
let smtp: Mailbox
const clock = manualClock(START)
const online = new Set<string>()
const logged: string[] = []
let watch: Watch
let woken = 0
let freeBytes = 2 ** 40

const watchOf = (opened: FileStore) =>
  watchOver(opened, clock, online, { wake: () => void woken++, freeBytes: async () => freeBytes })
const post = (port = smtp.port) =>
  sendDue({
    reads: store.reads,
    writes: store.writes,
    clock,
    language: 'en',
    timeZone: 'UTC',
    domain: 'x',
    page: 'http://x/alerts',
    mailer: createMailer(relay(port), false, 'P <p@x.example>'),
    log: { info: () => undefined, warn: (_, message) => logged.push(message), error: () => undefined },
  })
const rule = (change: Partial<AlertRule> = {}): AlertRule =>
  anAlertRule(START, { id: newUuid(clock.now(), randomBytes), ...change })
const raised = async () => store.reads.listRecords('alerts', { where: { state: 'raised' }, limit: 100 })
const notices = async () => store.reads.listRecords('alert_notices', { limit: 500 })
const subjects = () => smtp.mails.map((raw) => /Subject: (.*)/.exec(raw)?.[1]?.trim())
const sweepAfter = async (ms: number) => {
  clock.advance(ms)
  await watch.sweep()
}
const addStation = (id: string, change: object = {}) =>
  store.writes.createChargePoint(
    aChargePoint({ id, accountId: 'acc1', securityProfile: 0, createdAt: START, ...change }),
  )

const subscription = (id: string, events: readonly string[]) =>
  store.writes.createSubscription(
    aSubscription({ id, accountId: 'acc1', url: `https://${id}.example/`, events, createdAt: START }),
    9,
  )

beforeEach(async () => {
  database = temporaryDatabase()
  store = openStore(database.path)
  smtp = await openMailbox()
  online.clear()
  freeBytes = 2 ** 40
  logged.length = 0
  await store.writes.createAccount({ id: 'acc1', name: 'acc1', createdAt: START })
  watch = watchOf(store)
})
afterEach(async () => {
  store.close()
  database.remove()
  await smtp.close()
})

it('ALERT-R4, ALERT-M2: one message when it begins, bundled, and one when it ends', async () => {
  await addStation('EV-1', { name: 'Bay 1' })
  await addStation('EV-2')
  await addStation('EV-3', { disabled: true })
  await addStation('EV-4', { registrationStatus: 'Pending' })
  await store.writes.putRecords('alert_rules', [rule({ afterSeconds: 120 })])
  await sweepAfter(MINUTE)
  expect(await raised()).toEqual([])
  await sweepAfter(MINUTE)
  await sweepAfter(MINUTE)
  expect((await raised()).map(({ about }) => about).sort()).toEqual(['EV-1', 'EV-2'])
  await post()
  await post()
  expect(smtp.recipients).toEqual([['ops@example.com']])
  expect(smtp.mails[0]).toContain('Subject: [Pilotwire] Offline: 2 began, 0 over')
  expect(smtp.mails[0]).toContain('EV-1 (Bay 1) is offline')
  online.add('EV-1')
  await sweepAfter(MINUTE)
  await post()
  expect(smtp.mails).toHaveLength(1)
  await sweepAfter(5 * MINUTE)
  await post()
  expect(smtp.mails[1]).toContain('Subject: [Pilotwire] Over: EV-1 (Bay 1) is offline')
  expect(await notices()).toEqual([])
})

it('ALERT-R7: what was raised and what is to be sent are there after a restart, and nothing is raised twice', async () => {
  await addStation('EV-1')
  await store.writes.putRecords('alert_rules', [rule()])
  await watch.sweep()
  store.close()
  store = openStore(database.path)
  watch = watchOf(store)
  await sweepAfter(MINUTE)
  expect([(await raised()).length, (await notices()).length]).toEqual([1, 1])
  await post()
  expect(smtp.mails).toHaveLength(1)
})

it('ALERT-M1: refused mail waits and is sent later; one mailbox that refuses holds up no other', async () => {
  freeBytes = 1
  const targets = [{ mail: 'refused@example.com' }, { mail: 'ops@example.com' }]
  await store.writes.putRecords('alert_rules', [rule({ kind: 'disk', targets })])
  await watch.sweep()
  await post()
  expect(smtp.recipients).toEqual([['ops@example.com']])
  expect(await notices()).toMatchObject([{ mail: 'refused@example.com', attempts: 1, dueAt: clock.now() + 30_000 }])
  smtp.refuse = 'later'
  await store.writes.putRecords('alert_rules', [rule({ kind: 'disk' })])
  await watch.sweep()
  await post()
  expect(smtp.mails).toHaveLength(1)
  smtp.refuse = ''
  clock.advance(MINUTE)
  await post()
  expect(smtp.mails).toHaveLength(2)
  expect((await notices()).map(({ attempts }) => attempts)).toEqual([2])
})

it('ALERT-M1: a server that cannot be reached is asked once, and all that is due waits', async () => {
  freeBytes = 1
  const targets = Array.from({ length: 20 }, (_, at) => ({ mail: `m${at}@example.com` }))
  await store.writes.putRecords('alert_rules', [rule({ kind: 'disk', targets })])
  await watch.sweep()
  await post(9)
  expect(logged).toHaveLength(1)
  expect((await notices()).every(({ attempts }) => attempts === 1)).toBe(true)
  await expect(verifySmtp(relay(9), false)).rejects.toThrow()
  await expect(verifySmtp({ ...relay(smtp.port), password: 'wrong' }, false)).rejects.toThrow()
  await verifySmtp(relay(smtp.port), false)
})

it('ALERT-M1: mail that was refused while the clock was three years ahead waited for three years', async () => {
  freeBytes = 1
  clock.set(START + 3 * 365 * 86_400_000)
  await store.writes.putRecords('alert_rules', [rule({ kind: 'disk' })])
  await watch.sweep()
  await post(9)
  expect(smtp.mails).toEqual([])
  clock.set(START)
  await post()
  expect(subjects()).toHaveLength(1)
  expect(await notices()).toEqual([])
})

it('ALERT-M7: the first mail leaves at once, what follows within five minutes is one mail, also over a restart', async () => {
  for (let at = 0; at < 4; at++) await addStation(`EV-${at}`, { labels: { site: 'North' } })
  for (let at = 1; at < 4; at++) online.add(`EV-${at}`)
  const targets = [{ mail: 'ops@example.com' }, { mail: 'refused@example.com' }]
  await store.writes.putRecords('alert_rules', [rule({ targets })])
  await sweepAfter(0)
  await post()
  expect(subjects()).toEqual(['[Pilotwire] EV-0 is offline'])
  for (let at = 1; at < 4; at++) {
    online.delete(`EV-${at}`)
    await sweepAfter(MINUTE)
    await post()
  }
  store.close()
  store = openStore(database.path)
  watch = watchOf(store)
  await sweepAfter(MINUTE + 59_999)
  await post()
  expect(subjects()).toHaveLength(1)
  // Who got nothing yet is not held up by that.
  const waiting = (await notices()).filter(({ mail }) => mail === 'refused@example.com')
  expect(waiting.every(({ attempts }) => attempts > 0)).toBe(true)
  await store.writes.putRecords('alert_rules', [rule({ name: 'Another' })])
  await sweepAfter(0)
  await post()
  expect(subjects().slice(1)).toEqual(['[Pilotwire] Offline at North: 4 began, 0 over'])
  await sweepAfter(1)
  await post()
  expect(subjects().slice(2)).toEqual(['[Pilotwire] Offline at North: 3 began, 0 over'])
  expect(smtp.mails[2]).toContain('3 =C3=97 Offline at North')
  expect((await notices()).every(({ mail }) => mail === 'refused@example.com')).toBe(true)
})

it('ALERT-M7: 500 stations that go within four minutes are two mails, and the second keeps quiet hours', async () => {
  for (let at = 0; at < 500; at++) {
    await addStation(`EV-${at}`)
    online.add(`EV-${at}`)
  }
  const quietHours = { from: '12:05', to: '12:30', timeZone: 'UTC' }
  await store.writes.putRecords('alert_rules', [rule({ quietHours })])
  clock.set(START)
  for (let at = 0; at < 500; at++) {
    online.delete(`EV-${at}`)
    if (at % 100 < 99) continue
    await watch.sweep()
    await post()
    clock.advance(MINUTE)
  }
  expect(subjects()).toEqual(['[Pilotwire] Offline: 100 began, 0 over'])
  clock.set(START + 30 * MINUTE - 1)
  await post()
  expect(subjects()).toHaveLength(1)
  clock.set(START + 30 * MINUTE)
  await post()
  expect(subjects().slice(1)).toEqual(['[Pilotwire] Offline: 400 began, 0 over'])
  expect(await notices()).toEqual([])
})

it('ALERT-R6: each begin and end is one event; a webhook that is a target gets it without having chosen it', async () => {
  await addStation('EV-1')
  await subscription('target', ['session.updated'])
  await subscription('other', ['session.updated'])
  await subscription('chooser', ['alert.cleared'])
  await store.writes.putRecords('alert_rules', [rule({ targets: [{ webhookId: 'target' }] })])
  const before = woken
  await watch.sweep()
  online.add('EV-1')
  await sweepAfter(MINUTE)
  await sweepAfter(MINUTE)
  const types = async (id: string) =>
    (await store.reads.listDeliveries({ subscriptionId: id, limit: 9 })).map(({ type }) => type).reverse()
  expect(await types('target')).toEqual(['alert.raised', 'alert.cleared'])
  expect(await types('other')).toEqual([])
  expect(await types('chooser')).toEqual(['alert.cleared'])
  expect(woken - before).toBe(2)
  const feed = await store.reads.listEvents({ accountId: 'acc1', type: 'alert.raised', limit: 9 })
  expect(feed).toMatchObject([{ subject: 'EV-1', chargePointId: 'EV-1' }])
})

it('ALERT-A3: the alerts of a rule that was deleted, or is about something else, are over without a mail', async () => {
  await addStation('EV-1')
  const [first, second] = [rule(), rule()]
  await store.writes.putRecords('alert_rules', [first, second])
  await watch.sweep()
  await post()
  await store.writes.removeRecords('alert_rules', [first])
  await store.writes.putRecords('alert_rules', [{ ...second, kind: 'disk' }])
  await sweepAfter(MINUTE)
  expect(await raised()).toEqual([])
  expect(await notices()).toEqual([])
})

it('ALERT-R8: a network of 600 stations that is gone is told in one mail', async () => {
  for (let at = 0; at < 600; at++) await addStation(`EV-${at}`)
  await store.writes.putRecords('alert_rules', [rule()])
  const before = woken
  await watch.sweep()
  expect(woken).toBe(before)
  await post()
  expect(subjects()).toEqual(['[Pilotwire] Offline: 600 began, 0 over'])
  expect(smtp.mails[0]).toContain('600 =C3=97 Offline')
  expect(await notices()).toEqual([])
})
