import { beforeEach, expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { addReport } from '../../application/reports/orders.ts'
import type { SessionReport } from '../../domain/reports/records.ts'
import { addReportPages } from './page.tsx'

const REPORTS = '/dashboard/reports'
/** As long as a name may be. */
const HOSTILE = `../<script>alert(1)</script>"&?#%2f😀\u0661${'x'.repeat(200)}`.slice(0, 200)

const { place, ada, otto, bob, eve } = await operatorsOfTest(
  {},
  { timeZone: 'Europe/Berlin', extraPages: [addReportPages] },
)

const reports = () => place.reads.listRecords('session_reports', { where: { accountId: 'A' }, limit: 200 })
beforeEach(async () => {
  await place.writes.removeRecords('session_reports', await reports())
})

const aReport = (name: string): SessionReport => ({
  accountId: 'A',
  name,
  groupBy: 'label:team',
  schedule: 'weekly',
  format: 'csv',
  targets: [{ mail: 'a@example.com' }],
  createdAt: 1,
  updatedAt: 1,
  dueAt: place.now() + 1000,
})
const textOf = (browser: Browser, path: string): Promise<string> => browser.page(path)
const formOf = async (path: string): Promise<Record<string, string>> => {
  const html = await textOf(ada, path)
  return { csrf: csrfOf(html, path.split('?')[0] ?? ''), once: fieldsOf(html, 'once')[0] ?? '' }
}
const named = (page: string, name: string): string => `${REPORTS}/${page}?${new URLSearchParams({ name })}`

it('REPORT-A4: order, change and delete one whatever its name is, and everybody who sees the console sees it', async () => {
  expect(await textOf(bob, REPORTS)).toContain('There are no reports yet')
  for (const name of [HOSTILE, '..', 'new']) {
    const made = { ...(await formOf(`${REPORTS}/new`)), name, groupBy: 'label', labelKey: 'team' }
    const whole = { ...made, schedule: 'weekly', mails: 'a@example.com\n b@example.com ' }
    const twice = await Promise.all([ada.post(`${REPORTS}/new`, whole), ada.post(`${REPORTS}/new`, whole)])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    const [report] = await reports()
    const targets = [{ mail: 'a@example.com' }, { mail: 'b@example.com' }]
    expect(await reports()).toMatchObject([{ name, groupBy: 'label:team', schedule: 'weekly', targets }])
    // A week ends where the account's Monday begins.
    const local = { timeZone: 'Europe/Berlin', weekday: 'short', hour: '2-digit', hourCycle: 'h23' } as const
    expect(new Date(report?.dueAt ?? 0).toLocaleString('en', local)).toMatch(/Mon.*00/)
    for (const browser of [ada, otto, bob]) {
      const html = await textOf(browser, REPORTS)
      expect(html).toContain('a@example.com, b@example.com')
      expect(html).not.toContain('<script>')
      expect(html.includes('/reports/change')).toBe(browser === ada)
    }
    const html = await textOf(ada, named('change', name))
    expect(html).not.toContain('<script>')
    for (const kept of ['value="team"', 'a@example.com\nb@example.com']) expect(html).toContain(kept)
    const change = { ...(await formOf(named('change', name))), name, groupBy: 'idToken', schedule: 'monthly' }
    expect((await ada.post(`${REPORTS}/change`, { ...change, mails: 'c@example.com' })).status).toBe(303)
    expect(await reports()).toMatchObject([{ name, groupBy: 'idToken', targets: [{ mail: 'c@example.com' }] }])
    const question = await textOf(ada, named('change', name))
    expect(question).not.toContain('<script>')
    const sent = { csrf: csrfOf(question, `${REPORTS}/delete`), name }
    expect((await ada.post(`${REPORTS}/delete`, sent)).status).toBe(303)
    const [newest] = await place.reads.searchAudit({ accountId: 'A', limit: 1 })
    expect(newest).toMatchObject({ kind: 'reports/delete', subject: name, outcome: 'done' })
    expect((await ada.post(`${REPORTS}/delete`, sent)).status).toBe(404)
    expect(await reports()).toEqual([])
  }
})

it('REPORT-A4: a new one does not replace another, and of a hundred none is made beside them', async () => {
  await place.writes.putRecords('session_reports', [aReport('Depot sum')])
  const made = { groupBy: 'site', schedule: 'monthly', mails: 'x@example.com' }
  const taken = await ada.post(`${REPORTS}/new`, { ...(await formOf(`${REPORTS}/new`)), ...made, name: 'Depot sum' })
  expect([taken.status, await taken.text()]).toEqual([400, expect.stringContaining('a report with this name')])
  expect(await reports()).toEqual([aReport('Depot sum')])
  const many = Array.from({ length: 99 }, (_, at) => aReport(`R${at}`))
  await place.writes.putRecords('session_reports', many)
  const more = await ada.post(`${REPORTS}/new`, { ...(await formOf(`${REPORTS}/new`)), ...made, name: 'More' })
  expect([more.status, await more.text()]).toEqual([409, expect.stringContaining('at most 100 reports')])
  expect(await reports()).toHaveLength(100)
})

it('REPORT-A5: what each address was sent last, and what the mail server refused, stands on its page', async () => {
  const { accountId, name } = aReport('Depot sum')
  const targets = ['a@example.com', 'b@example.com'].map((mail) => ({ mail }))
  await place.writes.putRecords('session_reports', [{ ...aReport(name), targets, format: 'pdf' }])
  const empty = await textOf(ada, named('change', name))
  expect(empty).toContain('None was sent yet.')
  expect(empty).toContain('<option value="pdf" selected')
  const [periodFrom, periodBelow] = [Date.parse('2026-07-31T22:00:00Z'), Date.parse('2026-08-31T22:00:00Z')]
  const sent = { accountId, name, periodFrom, periodBelow, sentAt: place.now() - 7_200_000 }
  await place.writes.putRecords('sent_reports', [
    { ...sent, mail: 'a@example.com' },
    { ...sent, mail: 'former@example.com' },
  ])
  const waiting = { accountId, name, groupBy: 'site', format: 'pdf', periodFrom, periodBelow } as const
  const refused = { attempts: 3, failure: '550 <b>no mailbox', dueAt: 1, createdAt: 1 }
  await place.writes.putRecords('report_mails', [{ id: 'm', mail: 'b@example.com', ...waiting, ...refused }])
  const html = await textOf(ada, named('change', name))
  for (const text of ['1 Aug 2026 – 31 Aug 2026', '2 h 00 min ago', 'not accepted, attempt 3', '550 &lt;b&gt;no']) {
    expect(html).toContain(text)
  }
  expect(html).not.toContain('former@example.com')
  await place.writes.removeRecords('report_mails', [{ id: 'm' }])
})

it('REPORT-A4: two who order one of a name at the same moment replaced each other: the second is refused', async () => {
  const first = aReport('Both')
  const order = { groupBy: 'site', schedule: 'monthly', targets: [{ mail: 'second@example.com' }] } as const
  const countRecords: typeof place.reads.countRecords = async (...query) => {
    const found = await place.reads.countRecords(...query)
    // Between what the second saw and what it writes.
    await place.writes.putRecords('session_reports', [first])
    return found
  }
  const parts = { ...place, reads: { ...place.reads, countRecords }, settings: {} }
  expect(await addReport(parts, 'A', first.name, order)).toBeUndefined()
  expect(await reports()).toEqual([first])
})

it('REPORT-A4, ADMIN-A2: who may not order them, and other accounts, are refused', async () => {
  await place.writes.putRecords('session_reports', [aReport('Depot sum')])
  const fields = {
    ...(await formOf(named('change', 'Depot sum'))),
    name: 'Depot sum',
    groupBy: 'site',
    schedule: 'weekly',
  }
  for (const browser of [otto, bob]) {
    for (const path of [`${REPORTS}/new`, named('change', 'Depot sum')]) {
      expect((await browser.get(path)).status).toBe(403)
    }
    for (const page of ['new', 'change', 'delete']) {
      expect((await browser.post(`${REPORTS}/${page}`, fields)).status).toBe(403)
    }
  }
  expect(await textOf(eve, REPORTS)).not.toContain('Depot sum')
  expect((await ada.get(named('change', 'None'))).status).toBe(404)
  expect((await ada.get(named('change', '\u0000'))).status).toBe(404)
  expect((await ada.post(`${REPORTS}/delete`, { ...fields, csrf: 'x' })).status).toBe(403)
  expect(await reports()).toEqual([aReport('Depot sum')])
})
