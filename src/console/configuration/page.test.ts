import { beforeEach, expect, it } from 'vitest'
import { keepRecords, operatorsOfTest } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { anIntent } from '../../../test/support/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { addConfigurationPages } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const NEW = '/dashboard/new-configuration'
const LIST = '/dashboard/configurations'
const settled: (readonly string[])[] = []

const { place, otto, bob } = await operatorsOfTest(
  { settleConfigurations: async ({ chargePointIds }) => void settled.push(chargePointIds) },
  { extraPages: [addConfigurationPages] },
)
beforeEach(() => void settled.splice(0))

const page = async (browser: Browser, path: string): Promise<string> => (await browser.get(path)).text()
const form = (fields: readonly (readonly [string, string])[]) =>
  new URLSearchParams(fields.map(([a, b]): [string, string] => [a, b]))
const add = async (fields: readonly (readonly [string, string])[], path = NEW) => {
  const csrf = csrfOf(await page(otto, NEW), '/new-configuration')
  return otto.post(path, form([['csrf', csrf], ...fields]))
}
const variable = (component: string, name: string, value: string, placeText = '') =>
  [
    ['place', placeText],
    ['component', component],
    ['variable', name],
    ['attribute', 'Actual'],
    ['value', value],
  ] as const
const stored = (name: string) => place.reads.getRecord('configurations', { accountId: 'A', name })
const secretOf = (text: string | undefined) =>
  sealedBox(place.config.secretKey, 'desiredValues', (bytes) => Buffer.alloc(bytes)).open(text ?? '', 'A')

it('CONSOLE-N4: the days of the week have names, not the short forms of the API', async () => {
  const html = await page(otto, NEW)
  expect(html).toContain('<span title="mon">Monday</span>')
  expect(html).not.toContain('<code>mon</code>')
  expect(await page(otto, `${NEW}?ui_locales=de`)).toContain('<span title="mon">Montag</span>')
})

it('CONSOLE-N4: one is made of several rows, for charge points that are chosen, and counted before', async () => {
  const fields = [
    ['name', 'north'],
    ['ids', 'CP1\r\nCP2'],
    ...variable('SampledDataCtrlr', 'TxUpdatedInterval', '60'),
    ...variable('Connector', 'Available[a]', 'true', '1/2'),
    ...variable('', '', ''),
    ['key', 'MeterValueSampleInterval'],
    ['keyValue', '60'],
    ['rebootPolicy', 'window'],
    ['start', '02:00'],
    ['end', '05:00'],
    ['timeZone', 'Europe/Berlin'],
    ['days', 'sun'],
    ['priority', '3'],
  ] as const
  const tried = await add(fields, `${NEW}/try`)
  const html = await tried.text()
  expect([tried.status, html.includes('This matches 2 charge points now')]).toEqual([200, true])
  expect(html).toContain('value="TxUpdatedInterval"')
  expect(await stored('north')).toBeUndefined()
  expect(await place.reads.searchAudit({ accountId: 'A', limit: 5 })).toEqual([])
  const made = await add(fields)
  expect([made.status, made.headers.get('location')]).toEqual([303, `${LIST}/north`])
  expect(await stored('north')).toMatchObject({
    selector: { ids: ['CP1', 'CP2'] },
    priority: 3,
    variables: [
      { component: { name: 'SampledDataCtrlr' }, variable: { name: 'TxUpdatedInterval' }, value: '60' },
      { component: { name: 'Connector', evseId: 1, connectorId: 2 }, variable: { name: 'Available', instance: 'a' } },
    ],
    keys16: [{ key: 'MeterValueSampleInterval', value: '60' }],
    rebootPolicy: 'window',
    rebootWindow: { start: '02:00', end: '05:00', timeZone: 'Europe/Berlin', days: ['sun'] },
  })
  expect(settled).toEqual([['CP1', 'CP2']])
  expect((await place.reads.searchAudit({ accountId: 'A', limit: 1 }))[0]).toMatchObject({
    kind: 'new-configuration',
    subject: 'north',
  })
  expect((await add(fields)).status).toBe(400)
})

it('CONSOLE-N4: what is wrong is said at its field, and what was typed stays', async () => {
  const wrong = await add([['name', 'a name'], ['labels', `Site:x\n${HOSTILE}`], ...variable('C', HOSTILE, '1', 'x')])
  const html = await wrong.text()
  expect(wrong.status).toBe(400)
  expect(html).not.toContain(HOSTILE)
  for (const kept of ['value="a name"', 'Site:x', 'value="x"']) expect(html).toContain(kept)
  const faults: [readonly (readonly [string, string])[], string][] = [
    [[], 'a configuration sets something'],
    [variable('C', 'BasicAuthPassword', '1'), 'is a password'],
    [variable('C', 'V', '1', 'x'), 'EVSE and connector'],
    [[...variable('C', 'V', '1'), ['priority', 'high']], 'id="priority-fault"'],
    [[...variable('C', 'V', '1'), ['labels', 'Site:x']], 'id="labels-fault"'],
    [[...variable('C', 'V', '1'), ['rebootPolicy', 'window']], 'policy window'],
    [[...variable('C', 'V', '1'), ['rebootPolicy', 'now']], 'id="rebootPolicy-fault"'],
    [[...variable('C', 'Password', '***')], 'must be typed'],
  ]
  for (const [fields, sentence] of faults) {
    const answer = await add([['name', 'other'], ...fields])
    const text = await answer.text()
    expect([sentence, answer.status >= 400 && answer.status < 500, text.includes(sentence)]).toEqual([
      sentence,
      true,
      true,
    ])
  }
  expect(await stored('other')).toBeUndefined()
  expect((await add([['labels', 'nothing']], `${NEW}/try`)).status).toBe(400)
})

it('CONSOLE-N4: a secret is shown to nobody, and stays what it is when its stars are left', async () => {
  await add([
    ['name', 'wifi'],
    ...variable('One', 'Password', 'first'),
    ...variable('Two', 'Password', 'second'),
    ['key', 'WifiPassword'],
    ['keyValue', 'third'],
  ])
  const html = await page(otto, `${LIST}/wifi/edit`)
  for (const secret of ['first', 'second', 'third']) expect(html).not.toContain(`value="${secret}"`)
  const csrf = csrfOf(html, '/edit')
  const changed = await otto.post(
    `${LIST}/wifi/edit`,
    form([
      ['csrf', csrf],
      ...variable('One', 'Password', '***'),
      ...variable('Two', 'Password', 'other'),
      ['key', 'WifiPassword'],
      ['keyValue', '***'],
      ['vendor', 'ACME'],
    ]),
  )
  expect(changed.status).toBe(303)
  const after = await stored('wifi')
  expect(after?.variables.map(({ value }) => secretOf(value))).toEqual(['first', 'other'])
  expect(secretOf(after?.keys16[0]?.value)).toBe('third')
  expect(after?.selector).toEqual({ vendor: 'ACME' })
})

it('CONSOLE-N3: it shows how far each charge point is, with counts that are filters', async () => {
  const source = { configuration: 'north', rebootPolicy: 'never' } as const
  const intent = (chargePointId: string, state: Intent['state'], reason?: string): Intent =>
    anIntent('C.V', { chargePointId, state, source, reason })
  await keepRecords(place, 'CP1', [{ kind: 'intents', put: intent('CP1', 'rejected', HOSTILE) }])
  await keepRecords(place, 'CP2', [{ kind: 'intents', put: intent('CP2', 'verified') }])
  const html = await page(bob, `${LIST}/north`)
  expectTexts(html, 'rejected 1', 'read back 1')
  expectWithout(html, HOSTILE, '/edit"')
  const narrowed = await page(bob, `${LIST}/north?state=verified`)
  expect(narrowed).toContain('/charge-points/CP2/variables')
  expect(narrowed).not.toContain('/charge-points/CP1/variables')
  expect((await bob.get(`${LIST}/north?state=happy`)).status).toBe(400)
  expect(await page(bob, LIST)).toContain('href="/dashboard/configurations/north"')
  expect((await bob.get(`${LIST}/nobody`)).status).toBe(404)
})

it('CONSOLE-N4: it is deleted after a question, by who may act', async () => {
  const question = await page(otto, `${LIST}/north`)
  expect(question).toContain('<bdi>Delete north</bdi>')
  const csrf = csrfOf(question, '/delete')
  expect((await bob.post(`${LIST}/north/delete`, { csrf })).status).toBe(403)
  expect((await otto.post(`${LIST}/wifi/delete`, { csrf })).status).toBe(403)
  expect((await bob.post(`${NEW}/try`, { csrf })).status).toBe(403)
  expect((await otto.post(`${LIST}/north/delete`, { csrf })).headers.get('location')).toBe(LIST)
  expect(await stored('north')).toBeUndefined()
  const eve = await place.signedIn(place.eve)
  expect((await eve.get(`${LIST}/wifi`)).status).toBe(404)
})
