import { expect, it } from 'vitest'
import { keepRecords, operatorsOfTest } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { anIntent, aVariable } from '../../../test/support/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import type { Report, StoredVariable } from '../../domain/device-model/records.ts'
import type { Intent } from '../../domain/intents/records.ts'
import type { BlockOrder, ReportOrder } from '../../domain/ports/blocks.ts'
import { addVariablePages } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const PATH = '/dashboard/charge-points/CP1/variables'
const orders: BlockOrder[] = []
const reports: ReportOrder[] = []

const variable = (name: string, change: Partial<StoredVariable> = {}): StoredVariable =>
  aVariable(`Ctrlr.${name}`, change)
const intent = (key: string, change: Partial<Intent> = {}): Intent =>
  anIntent(key, { desired: '2', state: 'rejected', reason: 'it says no', updatedAt: Date.UTC(2026, 7, 1), ...change })
const report: Report = {
  chargePointId: 'CP1',
  id: 1,
  state: 'incomplete',
  reason: 'no page came',
  isWhole: true,
  isAutomatic: false,
  toAsk: [],
  seen: [],
  truncated: false,
  variableCount: 3,
  createdAt: 1,
  updatedAt: 1,
}

const { place, otto, bob } = await operatorsOfTest(
  {
    decideBlock: async (order) => {
      orders.push(order)
      return {}
    },
    orderReport: async (order) => {
      reports.push(order)
      return { id: 1 }
    },
  },
  { extraPages: [addVariablePages] },
)
const rows = [
  variable('Interval', {
    characteristics: {
      mutability: 'ReadWrite',
      dataType: 'integer',
      minLimit: 5,
      unit: 's',
      supportsMonitoring: true,
    },
  }),
  variable('Enabled', { value: 'true', characteristics: { mutability: 'ReadWrite', dataType: 'boolean' } }),
  variable('Serial', { value: HOSTILE, characteristics: { mutability: 'ReadOnly' } }),
  variable('AuthKey', { value: '***', characteristics: { mutability: 'WriteOnly' } }),
  variable('BasicAuthPassword', { value: '***', characteristics: { mutability: 'WriteOnly' } }),
  variable('Old', { gone: true }),
  variable('Ruled'),
  ...Array.from({ length: 60 }, (_, at) => variable(`Z${String(at).padStart(2, '0')}`)),
]
await place.writes.putRecords('variables', rows)
const source = { configuration: 'fleet', rebootPolicy: 'never' } as const
const intents = [
  intent('Ctrlr.Interval'),
  intent('Ctrlr.AuthKey', { desired: 'sealed text', isSecret: true }),
  intent('Ctrlr.Ruled', { source, state: 'pending', reason: HOSTILE }),
  intent('Heat', { source, kind: 'monitor', desired: { type: 'UpperThreshold', value: 70, severity: 3 } }),
  intent('Net', { source, kind: 'limit', desired: { amps: 16 } }),
  intent('Ctrlr.Enabled', { state: 'verified' }),
  intent('tar_1-1', { kind: 'tariff', desired: { currency: 'EUR', perKwh: 0.5 } }),
]
await keepRecords(place, 'CP1', [
  { kind: 'reports', put: report },
  ...intents.map((put) => ({ kind: 'intents', put }) as const),
])

const page = async (browser: Browser, path = PATH): Promise<string> => (await browser.get(path)).text()
const setPath = (name: string): string => `/dashboard/charge-points/CP1/variable?key=ctrlr.${name}`
const set = async (name: string, value: string) => {
  const csrf = csrfOf(await page(otto), '/reports')
  return otto.post(setPath(name), { csrf, value })
}

it('CONSOLE-N1: they are shown with value, mutability and time, in pages, and found by name, value and kind', async () => {
  const html = await page(bob)
  expectTexts(html, 'Ctrlr.Interval', '1 Aug 2026, 00:00:00 UTC', 'gone')
  expectWithout(html, HOSTILE, 'sealed text')
  // What is wanted stood there as JSON.
  expectTexts(html, 'above 70, Severity 3', 'amps: 16')
  expect(html).not.toContain('{&quot;')
  const next = /href="([^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(await page(bob, next)).toContain('Ctrlr.Z59')
  expect(await page(bob, `${PATH}?which=gone`)).toContain('Ctrlr.Old')
  expect(await page(bob, `${PATH}?which=gone`)).not.toContain('Ctrlr.Z00')
  expect(await page(bob, `${PATH}?which=settable`)).not.toContain('Ctrlr.Serial')
  expect(await page(bob, `${PATH}?q=INTERV`)).toContain('Ctrlr.Interval')
  expect(await page(bob, `${PATH}?component=nobody`)).toContain('No variable matches')
  const wrong = await bob.get(`${PATH}?which=all`)
  expect([wrong.status, (await wrong.text()).includes('role="alert"')]).toEqual([400, true])
  expect((await bob.get('/dashboard/charge-points/CPB/variables')).status).toBe(404)
  expect((await bob.get(`${PATH}?q=${encodeURIComponent(HOSTILE)}`)).status).toBe(200)
})

it('CONSOLE-N1: a report is asked for by who may act, and its state is shown', async () => {
  expect(await page(bob)).toContain('no page came')
  expect(await page(bob)).not.toContain('CP1/reports"')
  const csrf = csrfOf(await page(otto), '/reports')
  const path = '/dashboard/charge-points/CP1/reports'
  expect((await otto.post(path, { csrf })).headers.get('location')).toBe(PATH)
  expect(reports).toEqual([{ accountId: 'A', chargePointId: 'CP1', ask: { base: 'FullInventory' } }])
  expect((await bob.post(path, { csrf })).status).toBe(403)
  expect((await otto.post(path, {})).status).toBe(403)
  expect((await otto.post('/dashboard/charge-points/CPB/reports', { csrf })).status).toBe(403)
  expect(reports).toHaveLength(1)
})

it('CONSOLE-N2, DEVICE-A1: its page shows what it said of the variable, also whether it can be monitored', async () => {
  const text = (await page(otto, setPath('interval'))).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(text).toContain('Can be monitored yes')
  expect(text).not.toContain('Never changes')
})

it('CONSOLE-N2: one is set as its model allows, or refused with the reason and what was typed', async () => {
  orders.length = 0
  const wrong = await set('interval', '2')
  const html = await wrong.text()
  expect([wrong.status, html.includes('value="2"'), html.includes('at least 5')]).toEqual([400, true, true])
  expect((await set('serial', 'x')).status).toBe(400)
  expect((await set('basicauthpassword', 'x')).status).toBe(400)
  expect((await set('old', 'x')).status).toBe(400)
  expect((await set('nothing', 'x')).status).toBe(404)
  const ruled = await set('ruled', '9')
  expect([ruled.status, (await ruled.text()).includes('configuration fleet')]).toEqual([409, true])
  expect(orders).toHaveLength(0)
  expect((await set('interval', '60')).status).toBe(303)
  expect(orders[0]).toMatchObject({
    chargePointId: 'CP1',
    input: { kind: 'intentsRequested', wants: [{ kind: 'variable', key: 'Ctrlr.Interval', desired: '60' }] },
  })
  const [audited] = await place.reads.searchAudit({ accountId: 'A', limit: 1 })
  expect(audited).toMatchObject({ actor: 'otto@example.com', kind: 'charge-points/variable', subject: 'CP1' })
  expect(await page(otto, setPath('enabled'))).toMatch(/<option value="true" selected/)
  expect(await page(otto, setPath('basicauthpassword'))).not.toContain('<form class="card"')
  expect((await bob.get(setPath('interval'))).status).toBe(403)
})

it('CONSOLE-N2: a secret is sealed before it is wanted', async () => {
  orders.length = 0
  expect((await set('authkey', 'opensesame')).status).toBe(303)
  expect(JSON.stringify(orders)).not.toContain('opensesame')
  expect(orders[0]?.input).toMatchObject({ wants: [{ isSecret: true }] })
})

it('CONSOLE-N2: what is wanted is withdrawn, but not what a configuration wants', async () => {
  orders.length = 0
  const html = await page(otto)
  expectTexts(html, 'it says no', 'href="/dashboard/configurations/fleet"')
  const path = '/dashboard/charge-points/CP1/intents/withdraw'
  const csrf = csrfOf(html, '/withdraw')
  expect(fieldsOf(html, 'key')).toEqual(['Ctrlr.AuthKey', 'Ctrlr.Interval'])
  expect((await otto.post(path, { csrf, kind: 'variable', key: 'Ctrlr.Ruled' })).status).toBe(409)
  // OCPP21-C4: it follows the tariff.
  expect((await otto.post(path, { csrf, kind: 'tariff', key: 'tar_1-1' })).status).toBe(409)
  expect((await otto.post(path, { csrf, kind: 'nothing', key: 'x' })).status).toBe(404)
  expect((await otto.post(path, { csrf, kind: 'variable', key: 'Ctrlr.Interval' })).status).toBe(303)
  expect(orders.map(({ input }) => input)).toEqual([
    { kind: 'intentsWithdrawn', intents: [{ kind: 'variable', key: 'Ctrlr.Interval' }] },
  ])
  expect((await bob.post(path, { csrf, kind: 'variable', key: 'Ctrlr.Interval' })).status).toBe(403)
})
