import { beforeEach, expect, it } from 'vitest'
import { textsOf } from '../../../test/support/application/reports/pdf.ts'
import { type openStore, storeOfTest } from '../../../test/support/storage/testing.ts'
import { aSession } from '../../../test/support/storage-contract/records.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Mail } from '../alerts/mailer.ts'
import { putReport } from './orders.ts'
import { makeDue, type ReportContext, sendDue } from './start-reports.ts'

const BERLIN = 'Europe/Berlin'
let store: ReturnType<typeof openStore>
let now: number
let sent: Mail[]
let refusal: Error | undefined
let parts: ReportContext

beforeEach(async () => {
  store = storeOfTest()
  now = Date.parse('2026-10-15T12:00:00Z')
  sent = []
  refusal = undefined
  const mailer = {
    async send(mail: Mail) {
      if (refusal) throw refusal
      sent.push(mail)
    },
  }
  const { reads, writes } = store
  const clock = { now: () => now, monotonic: () => now, after: () => () => undefined }
  const log = { info() {}, warn() {}, error() {} }
  parts = { reads, writes, clock, log, timeZone: BERLIN, post: { mailer, language: 'en', domain: 'example.com' } }
  await writes.createAccount({ id: 'A', name: 'A', createdAt: now })
  for (const [id, site] of [
    ['CP1', 'North'],
    ['CP2', '=South'],
  ] as const) {
    const made = { id, accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted', createdAt: now } as const
    await writes.createChargePoint({ ...made, labels: { site } })
  }
})

const put = (change: Partial<Parameters<typeof putReport>[3]> = {}) =>
  putReport({ ...parts, now: () => now, settings: { timeZone: BERLIN } } as never, 'A', 'Fleet / month', {
    groupBy: 'site',
    schedule: 'monthly',
    targets: [{ mail: 'a@example.com' }, { mail: 'b@example.com' }],
    ...change,
  })

let sessions = 0
async function charge(startedAt: string | undefined, change: Partial<Session> = {}): Promise<void> {
  const at = startedAt === undefined ? undefined : Date.parse(startedAt)
  const session: Session = aSession({
    id: `S${String(++sessions).padStart(6, '0')}`,
    state: 'completed',
    energyMilliWh: 10_000_499,
    createdAt: now,
    startedAt: at,
    stoppedAt: at === undefined ? undefined : at + 90_999,
    cost: { micros: 1_005_000, currency: 'EUR' },
    ...change,
  })
  await store.core.commit([{ chargePointId: session.chargePointId, sessions: [session] }])
}

async function sweep(): Promise<void> {
  await makeDue(parts)
  await sendDue(parts)
}

const november = Date.parse('2026-10-31T23:00:00Z')

it('REPORT-A3: a report has the sums of the charges that began in the month, by the clocks of the account, and is safe to open', async () => {
  await put()
  await charge('2026-09-30T22:00:00Z')
  await charge('2026-09-30T21:59:59Z')
  await charge('2026-10-31T22:59:59Z', { chargePointId: 'CP2', cost: { micros: 5_000_000, currency: 'CHF' } })
  await charge('2026-10-31T23:00:00Z')
  await charge('2026-10-20T00:00:00Z', { state: 'charging', stoppedAt: undefined, cost: undefined })
  await charge(undefined, { state: 'failed' })
  await charge('2026-10-20T00:00:00Z', { chargePointId: 'GONE', cost: undefined })
  now = november - 1
  await sweep()
  expect(sent).toEqual([])
  now = november
  await sweep()
  expect(sent.map(({ to }) => to).sort()).toEqual(['a@example.com', 'b@example.com'])
  const [mail] = sent
  expect(mail?.subject).toBe('[Pilotwire] Fleet / month, 2026-10-01 – 2026-10-31')
  expect(mail?.text).toContain('Sessions: 4\nEnergy: 40.000 kWh\nCost: 5.00 CHF + 1.00 EUR\n')
  expect(mail?.text).toContain('1 of them are not over')
  const running = Math.floor((november - Date.parse('2026-10-20T00:00:00Z')) / 1000)
  expect(mail?.attachments?.map(({ filename }) => filename)).toEqual(['Fleet-month-2026-10-01.csv'])
  expect(String(mail?.attachments?.[0]?.content).split('\r\n')).toEqual([
    'site,sessions,notOver,energyKwh,durationSeconds,cost,currency',
    "'=South,1,0,10,90,5,CHF",
    `North,2,1,20,${90 + running},1,EUR`,
    ',1,0,10,90,,',
    '',
  ])
})

it('REPORT-A3: a report by card counts every one of more sessions than a page has, in any case', async () => {
  await put({ groupBy: 'idToken', targets: [{ mail: 'a@example.com' }] })
  for (let n = 0; n < 1203; n++) await charge('2026-10-20T00:00:00Z', { idToken: n % 2 ? 'Card' : 'CARD' })
  now = november
  await sweep()
  expect(sent[0]?.attachments?.[0]?.content).toMatch(/\r\nCARD,1203,0,12030,108270,/i)
})

it('REPORT-A3: a report is sent again where it was refused, with the same message id, until it is taken', async () => {
  await put({ targets: [{ mail: 'a@example.com' }] })
  now = november
  refusal = Object.assign(new Error('Greylisted'), { code: 'EENVELOPE' })
  await sweep()
  refusal = undefined
  await sweep()
  expect(await store.reads.listRecords('report_mails', { limit: 9 })).toMatchObject([{ failure: 'Greylisted' }])
  expect(sent).toEqual([])
  now += 30_000
  await sweep()
  await sweep()
  expect(sent).toHaveLength(1)
  const mail = 'a@example.com'
  const said = await store.reads.listRecords('sent_reports', { where: { accountId: 'A' }, limit: 9 })
  expect(said).toEqual([expect.objectContaining({ name: 'Fleet / month', mail, periodBelow: november, sentAt: now })])
  expect(sent[0]?.messageId).toMatch(/^<report-[0-9a-f]{32}@example\.com>$/)
})

it('REPORT-A6: a report as a PDF: has the same sums, beside the CSV file; a name in another script says so', async () => {
  await put({ format: 'pdf', groupBy: 'idToken', targets: [{ mail: 'a@example.com' }] })
  await charge('2026-10-20T00:00:00Z', { idToken: 'Köln', cost: { micros: 1_234_500_000, currency: 'EUR' } })
  await charge('2026-10-20T00:00:00Z', { idToken: 'Łódź' })
  now = november
  await sweep()
  const [pdf, csv] = sent[0]?.attachments ?? []
  expect([pdf?.filename, csv?.filename]).toEqual(['Fleet-month-2026-10-01.pdf', 'Fleet-month-2026-10-01.csv'])
  const [page = ''] = textsOf(pdf?.content as Buffer)
  expect(page.split('\n')).toEqual([
    'Fleet / month',
    'Charges that began from 2026-10-01 to 2026-10-31.',
    expect.stringContaining('The CSV file has them whole.'),
    ...['Card', 'Sessions', 'Energy', 'Duration', 'Cost'],
    ...['Köln', '1', '10.000 kWh', '0:01 h', '1,234.50 EUR'],
    ...['?ódz', '1', '10.000 kWh', '0:01 h', '1.00 EUR'],
    ...['Total', '2', '20.000 kWh', '0:03 h', '1,235.50 EUR'],
    '1 / 1',
  ])
  expect(csv?.content).toContain('Łódź')
})

it('REPORT-A2: each period once: whatever comes between, and on how many nodes', async () => {
  await put({ targets: [{ mail: 'a@example.com' }] })
  now = november
  await Promise.all([makeDue(parts), makeDue(parts), makeDue(parts)])
  await makeDue(parts)
  await sendDue(parts)
  await sweep()
  expect(sent).toHaveLength(1)
})

it('REPORT-A2: each period once: those that ended while the server was away are one report, which leaves out none', async () => {
  await put({ schedule: 'weekly', targets: [{ mail: 'a@example.com' }] })
  now += 21 * 86_400_000
  await sweep()
  expect(sent.map(({ subject }) => subject)).toEqual(['[Pilotwire] Fleet / month, 2026-10-12 – 2026-11-01'])
})

const YEARS = 3 * 365 * 86_400_000
it.each(['weekly', 'monthly'] as const)('a clock years ahead for 40 s sent 157 mails: %s', async (schedule) => {
  await put({ schedule, targets: [{ mail: 'a@example.com' }] })
  const before = now
  now += YEARS
  await sweep()
  now += 30_000
  await sweep()
  expect(sent).toHaveLength(1)
  now = before + 40_000
  await sweep()
  expect(await put({ schedule, targets: [{ mail: 'a@example.com' }] })).toMatchObject({
    before: { dueAt: schedule === 'monthly' ? november : Date.parse('2026-10-18T22:00:00Z') },
  })
  now += 32 * 86_400_000
  await sweep()
  await sweep()
  expect(sent).toHaveLength(2)
  expect(sent[1]?.subject).toContain(schedule === 'monthly' ? '2026-10-01 – 2026-10-31' : '2026-10-12 – 2026-11-15')
})

it('REPORT-A2: each period once: a mail that was refused while the clock was ahead waited for years: it is sent at the next look', async () => {
  await put({ targets: [{ mail: 'a@example.com' }] })
  now = november
  await makeDue(parts)
  refusal = Object.assign(new Error('Greylisted'), { code: 'EENVELOPE' })
  now += YEARS
  await sendDue(parts)
  refusal = undefined
  now = november + 60_000
  await sendDue(parts)
  expect(sent).toHaveLength(1)
})

it('REPORT-A2: each period once: without a mail server they wait for one', async () => {
  await put({ targets: [{ mail: 'a@example.com' }] })
  now = november
  const { post, ...without } = parts
  await makeDue(without)
  await sendDue(without)
  now += 6 * 86_400_000
  await sendDue({ ...without, post })
  expect(sent).toHaveLength(1)
})

it('REPORT-A1: another grouping keeps the period, another schedule begins anew', async () => {
  expect(await put()).toMatchObject({ before: undefined, after: { dueAt: november } })
  expect(await put({ groupBy: 'idToken' })).toMatchObject({ after: { dueAt: november, groupBy: 'idToken' } })
  expect(await put({ schedule: 'weekly' })).toMatchObject({ after: { dueAt: Date.parse('2026-10-18T22:00:00Z') } })
})
