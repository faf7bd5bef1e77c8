import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { anAlert } from '../../../test/support/records.ts'
import { aSubscription } from '../../../test/support/storage-contract/records.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import type { Alert } from '../../domain/alerts/records.ts'
import { wordsIn } from '../kit/parts.tsx'
import { alertPages } from './page.tsx'
import { formOfRule, lasting, readRule } from './rule-form.ts'

const RULES = '/dashboard/alerts'
const HOSTILE = `<script>alert(1)</script>\u202e${'x'.repeat(500)}`

const tested: string[] = []
const pages = alertPages(async ({ name, targets }) => {
  tested.push(name)
  return targets.map((target) => ({ target, ok: false, detail: '550 <no such mailbox>' }))
})
const { place, ada, otto, bob } = await operatorsOfTest({}, { extraPages: [pages] })

const textOf = (browser: Browser, path: string): Promise<string> => browser.page(path)
const rules = () => place.reads.listRecords('alert_rules', { where: { accountId: 'A' }, limit: 100 })
const alertOf = (id: string, change: Partial<Alert> = {}): Alert => {
  const now = { since: place.now(), raisedAt: place.now() }
  return anAlert(id, {
    ruleId: 'gone',
    ruleName: 'Night',
    ...now,
    facts: { stationId: 'CP1', errorCode: HOSTILE },
    ...change,
  })
}
const formOf = async (path: string): Promise<Record<string, string>> => {
  const html = await textOf(ada, path)
  return { csrf: csrfOf(html, path), once: fieldsOf(html, 'once')[0] ?? '' }
}

it('ALERT-A7: an account without rules is offered some; each is made once, by administrators, for their own mail', async () => {
  const html = await textOf(ada, RULES)
  expect([...html.matchAll(/data-suggested="(\w+)"/g)].map(([, kind]) => kind)).toEqual([
    ...['offline', 'faulted', 'sessionWithoutEnergy', 'webhookFailing', 'disk'],
  ])
  expect(html).toMatch(/<details class="card" open[^>]*>\s*<summary>\s*Suggested rules/)
  for (const browser of [otto, bob]) expect(await textOf(browser, RULES)).not.toContain('data-suggested')
  const path = `${RULES}/suggested/offline`
  const form = { csrf: csrfOf(html, path), once: fieldsOf(html, 'once')[0] ?? '' }
  for (const browser of [otto, bob]) expect((await browser.post(path, form)).status).toBe(403)
  for (const kind of ['clock', 'flood', '%00', '\u{1f4a5}'.repeat(60)]) {
    expect((await ada.post(`${RULES}/suggested/${encodeURIComponent(kind)}`, { csrf: form.csrf })).status).toBe(404)
  }
  const twice = await Promise.all([ada.post(path, form), ada.post(path, form)])
  expect(twice.map(({ status }) => status)).toEqual([303, 303])
  const made = await rules()
  const targets = [{ mail: 'ada@example.com' }]
  expect(made).toMatchObject([{ name: 'Offline, 15 min', kind: 'offline', afterSeconds: 900, targets }])
  const after = await textOf(ada, RULES)
  expect(after).toMatch(/<details class="card">\s*<summary>\s*Suggested rules/)
  expect(after).not.toContain('data-suggested="offline"')
  expect(after).toContain('data-suggested="faulted"')
  await place.writes.removeRecords('alert_rules', made)
})

it('ALERT-A6: rules are made once, changed and deleted by administrators', async () => {
  const made = { ...(await formOf(`${RULES}/new`)), name: 'Depot', kind: 'offline', after: '1', ids: 'CP1\nCP2' }
  const fields = { ...made, labels: 'site:north', mails: 'ops@example.com\nto@example.com', quietFrom: '22:00' }
  const whole = { ...fields, quietTo: '06:00', timeZone: 'Europe/Berlin' }
  const twice = await Promise.all([ada.post(`${RULES}/new`, whole), ada.post(`${RULES}/new`, whole)])
  expect(twice.map(({ status }) => status)).toEqual([303, 303])
  const [rule] = await rules()
  expect(await rules()).toMatchObject([
    {
      name: 'Depot',
      kind: 'offline',
      afterSeconds: 60,
      selector: { ids: ['CP1', 'CP2'], labels: { site: 'north' } },
      targets: [{ mail: 'ops@example.com' }, { mail: 'to@example.com' }],
      quietHours: { from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' },
    },
  ])
  for (const browser of [ada, otto, bob]) {
    expect(await textOf(browser, RULES)).toContain('CP1, CP2 · site: north')
  }
  const path = `${RULES}/rules/${rule?.id}`
  const html = await textOf(ada, path)
  for (const text of ['value="Depot"', 'ops@example.com\nto@example.com', 'value="22:00"']) expect(html).toContain(text)
  const change = { csrf: csrfOf(html, path), name: 'Depot 2', kind: 'disk', after: '' }
  expect((await ada.post(path, change)).status).toBe(303)
  expect(await rules()).toMatchObject([{ id: rule?.id, name: 'Depot 2', kind: 'disk', targets: [] }])
  expect(Object.keys((await rules())[0] ?? {})).not.toContain('selector')
  expect((await ada.post(`${path}/delete`, { csrf: change.csrf })).status).toBe(303)
  expect((await ada.post(`${path}/delete`, { csrf: change.csrf })).status).toBe(404)
  expect(await rules()).toEqual([])
})

it('ALERT-A6, ADMIN-A2: a selector where none belongs, another account’s webhook, and who may not are refused', async () => {
  const fields = await formOf(`${RULES}/new`)
  const disk = await ada.post(`${RULES}/new`, { ...fields, name: 'x', kind: 'disk', vendor: 'ACME' })
  expect([disk.status, (await disk.text()).includes('does not belong to the kind disk')]).toEqual([400, true])
  const hook = await ada.post(`${RULES}/new`, { ...fields, name: 'x', kind: 'disk', webhooks: 'wh_none' })
  expect([hook.status, (await hook.text()).includes('there is no such one')]).toEqual([400, true])
  for (const browser of [otto, bob]) {
    expect((await browser.get(`${RULES}/new`)).status).toBe(403)
    expect((await browser.post(`${RULES}/new`, { ...fields, name: 'x', kind: 'disk' })).status).toBe(403)
    const [newest] = await place.reads.searchAudit({ accountId: 'A', limit: 1 })
    expect(newest).toMatchObject({ kind: 'alerts/new', outcome: 'forbidden' })
  }
  expect((await ada.post(`${RULES}/new`, { ...fields, csrf: 'x', name: 'x', kind: 'disk' })).status).toBe(403)
  expect(await rules()).toEqual([])
})

it('ALERT-A5, ALERT-A6: what is on says since when and leads to it; the first operator takes care', async () => {
  const webhook = { webhookId: 'wh1', url: 'https://hooks.example.com/secret' }
  const over = { state: 'cleared', clearedAt: place.now() } as const
  await place.writes.putRecords('alerts', [
    alertOf('a1'),
    alertOf('a2', { kind: 'webhookFailing', about: 'wh1', facts: webhook }),
    alertOf('a3', { ...over, ruleName: 'Yesterday' }),
    alertOf('a4', { accountId: 'B', ruleName: 'Foreign' }),
  ])
  const html = await textOf(otto, RULES)
  expect(html).toContain('href="/dashboard/charge-points/CP1"')
  for (const text of ['<script>alert', 'hooks.example.com', 'Foreign', '\u202e']) expect(html).not.toContain(text)
  expect(html).toContain('Yesterday')
  expect(await textOf(ada, RULES)).toContain('hooks.example.com')
  const path = `${RULES}/a1/acknowledge`
  const csrf = csrfOf(html, path)
  expect(await textOf(bob, RULES)).not.toContain('/acknowledge')
  expect((await bob.post(path, { csrf })).status).toBe(403)
  expect((await otto.post(path, { csrf })).status).toBe(303)
  expect((await ada.post(path, { csrf: csrfOf(await textOf(ada, RULES), `${RULES}/a2/acknowledge`) })).status).toBe(303)
  expect(await place.reads.getRecord('alert_acknowledgements', { accountId: 'A', alertId: 'a1' })).toMatchObject({
    by: 'otto@example.com',
  })
  expect(await textOf(bob, RULES)).toContain('otto@example.com')
  expect((await otto.post(`${RULES}/a3/acknowledge`, { csrf })).status).toBe(409)
  expect((await otto.post(`${RULES}/a4/acknowledge`, { csrf })).status).toBe(404)
})

it('ALERT-A4: targets are tested, and the page says what became of each', async () => {
  const fields = { ...(await formOf(`${RULES}/new`)), name: HOSTILE.slice(0, 25), kind: 'disk', mails: 'a@b.example' }
  expect((await ada.post(`${RULES}/new`, fields)).status).toBe(303)
  const [rule] = await rules()
  const path = `${RULES}/rules/${rule?.id}`
  const page = await textOf(ada, path)
  const form = { csrf: csrfOf(page, `${path}/test`), once: fieldsOf(page, 'once')[0] ?? '' }
  const [answer] = await Promise.all([ada.post(`${path}/test`, form), ada.post(`${path}/test`, form)])
  const html = await answer.text()
  expect([answer.status, tested.length]).toEqual([200, 1])
  expect(html).toContain('550 &lt;no such mailbox&gt;')
  expect(html).not.toContain('<script>alert')
  expect((await otto.post(`${path}/test`, form)).status).toBe(403)
})

it('ALERT-A6: a webhook of the account can be ticked by its address', async () => {
  await place.writes.createSubscription(aSubscription({ id: 'wh9', accountId: 'A' }), 20)
  const fields = { ...(await formOf(`${RULES}/new`)), name: 'Hook', kind: 'disk', webhooks: 'wh9' }
  expect((await ada.post(`${RULES}/new`, fields)).status).toBe(303)
  expect((await rules()).find(({ name }) => name === 'Hook')?.targets).toEqual([{ webhookId: 'wh9' }])
})

it.each([
  ['after=1.505', 'after'],
  ['after=-1', 'after'],
  ['after=43201', 'after'],
  ['after=1e3', 'after'],
  ['site=north&labels=site:south', 'labels'],
  [`site=${'n'.repeat(256)}`, 'site'],
  ['quietFrom=22:00', 'quietTo'],
  ['quietFrom=22:00&quietTo=22:00', 'quietTo'],
  ['labels=x', 'labels'],
  [`labels=${'a:b%0A'.repeat(3)}A:b`, 'labels'],
  ['mails=a@b.example%2C c@d.example', 'mails'],
])('ALERT-A6: %s is told at the field %s', (query, field) => {
  const read = readRule(new URLSearchParams(`name=x&kind=offline&${query}`), wordsIn('alerts', { language: 'en' }))
  expect('faults' in read && Object.keys(read.faults)).toEqual([field])
})

it('ALERT-A8: every stored number of seconds stands in the form as minutes that mean it again, in both languages', () => {
  const requested = { accountId: 'A', id: 'r', name: 'x', targets: [], createdAt: 0, updatedAt: 0 }
  for (const language of ['en', 'de'] as const) {
    for (const afterSeconds of [0, 1, 7, 59, 60, 90, 100, 119, 900, 3601, 2_591_999, 2_592_000]) {
      const form = formOfRule({ ...requested, kind: 'offline', afterSeconds }, language)
      expect(readRule(form, wordsIn('alerts', { language }))).toMatchObject({ requested: { after: afterSeconds } })
    }
  }
  const shown = [0, 60, 90, 900].map((seconds) => lasting({ language: 'de' }, seconds))
  expect(shown).toEqual(['sofort', '1 min', '90 s', '15 min'])
})

it('ALERT-A8: the form speaks of minutes and offers the sites of the account, one of which becomes the label site', async () => {
  const hostile = '"><script>alert(2)</script>\u{1f4a5}'
  expect(await textOf(ada, `${RULES}/new`)).not.toContain('name="site"')
  await place.writes.putRecords('site_places', [
    ...['North: East', '7', hostile].map((site) => ({
      accountId: 'A',
      site,
      coordinates: { latitude: 52, longitude: 9 },
      createdAt: 1,
      updatedAt: 1,
    })),
    {
      accountId: 'B',
      site: 'Foreign',
      coordinates: { latitude: 52, longitude: 9 },
      createdAt: 1,
      updatedAt: 1,
    },
  ])
  const html = await textOf(ada, `${RULES}/new`)
  expect(html).toMatch(/<option value="" selected[^>]*>all sites/)
  expectTexts(html, '<option value="North: East">North: East</option>', 'Offline (10 min)')
  for (const text of ['<script>alert', 'Foreign']) expect(html).not.toContain(text)
  const fields = { ...(await formOf(`${RULES}/new`)), name: 'Sites', kind: 'offline', after: '1,5' }
  const wrong = await ada.post(`${RULES}/new`, { ...fields, site: 'North: East', labels: 'site:7', after: 'soon' })
  const reported = await wrong.text()
  expect(wrong.status).toBe(400)
  expect(reported).toMatch(/<option value="North: East" selected/)
  expectTexts(reported, 'must be a number of minutes from 0 to 43200', 'name another site than the one chosen above')
  const sent = { ...fields, site: 'North: East', labels: 'owner:ops' }
  expect((await ada.post(`${RULES}/new`, sent)).status).toBe(303)
  const made = (await rules()).find(({ name }) => name === 'Sites')
  expect(made).toMatchObject({ afterSeconds: 90, selector: { labels: { site: 'North: East', owner: 'ops' } } })
  const list = await textOf(otto, RULES)
  for (const text of ['90 s', 'site: North: East']) expect(list).toContain(text)
  await place.writes.removeRecords('site_places', [{ accountId: 'A', site: 'North: East' }])
  const page = await textOf(ada, `${RULES}/rules/${made?.id}`)
  expect(page).toMatch(/<option value="North: East" selected/)
  expect(page).toMatch(/<textarea id="of-labels"[^>]*>\s*owner:ops<\/textarea>/)
  expect(page).toMatch(/name="after" value="1.5"/)
})

it('ALERT-R9: who is told when nobody acknowledges it is written, shown and refused beside its field', async () => {
  const fields = { ...(await formOf(`${RULES}/new`)), name: 'Escalates', kind: 'offline' }
  const half = await ada.post(`${RULES}/new`, { ...fields, escalateMails: 'boss@example.com' })
  expect([half.status, await half.text()]).toEqual([400, expect.stringContaining('must be a number of minutes')])
  const wrong = await ada.post(`${RULES}/new`, { ...fields, escalateAfter: '30', escalateMails: 'a@b.example\n<b>' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('line 2: must be an e-mail')])
  const sent = { ...fields, escalateAfter: '30', escalateMails: 'boss@example.com' }
  expect((await ada.post(`${RULES}/new`, sent)).status).toBe(303)
  const made = (await rules()).find(({ name }) => name === 'Escalates')
  const targets = [{ mail: 'boss@example.com' }]
  expect(made).toMatchObject({ targets: [], escalation: { afterSeconds: 1800, targets } })
  expect(await textOf(otto, RULES)).toContain('if not acknowledged (30 min): boss@example.com')
  const page = await textOf(ada, `${RULES}/rules/${made?.id}`)
  expect(page).toMatch(/name="escalateAfter" value="30"/)
  expect(page).toMatch(/<textarea id="of-escalateMails"[^>]*>\s*boss@example.com<\/textarea>/)
  if (!made) throw new Error('There is no rule.')
  expect(readRule(formOfRule(made, 'en'), wordsIn('alerts', { language: 'en' }))).toMatchObject({
    requested: { escalation: { after: 1800, targets } },
  })
})
