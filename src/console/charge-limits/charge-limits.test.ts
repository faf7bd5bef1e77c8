import { afterAll, expect, it } from 'vitest'
import { session } from '../../../test/support/api/testing.ts'
import { openOperatorPlace } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import type { Place } from '../../../test/support/oidc/testing.ts'
import type { StartSessionOrder } from '../../domain/ports/core.ts'
import { faultsAt } from '../kit/form.tsx'
import { LIMIT_FIELDS } from './charge-limits.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const starts: StartSessionOrder[] = []

const place: Place = await openOperatorPlace({
  startSession: async (order) => {
    starts.push(order)
    return session('s1', { accountId: place.otto.accountId })
  },
})
const otto = await place.signedIn(place.otto)
const bob = await place.signedIn(place.bob)
const { accountId } = place.otto
const registered = { accountId, id: 'CARD-1', type: 'ISO14443', status: 'Accepted' as const, createdAt: 1 }
await place.writes.createIdToken(registered)
afterAll(() => place.close())

const text = async (path: string, browser = otto): Promise<string> => (await browser.get(`/dashboard${path}`)).text()
const card = () => place.reads.findIdToken(place.otto.accountId, 'CARD-1')

it('CONSOLE-G8: whoever starts a charge may limit it, and what is no limit is refused', async () => {
  const csrf = csrfOf(await text('/charge-points/CP1/edit'), '/edit')
  const start = (fields: Readonly<Record<string, string>>) =>
    otto.post('/dashboard/charge-points/CP1/start', { csrf, connectorId: '1', ...fields })
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { energyKwh: '0' },
    { cost: '-1' },
    { minutes: HOSTILE },
    { minutes: '99999999' },
  ]
  for (const fields of wrong) {
    const refused = await start(fields)
    expect([fields, refused.status, (await refused.text()).includes(HOSTILE)]).toEqual([fields, 400, false])
  }
  expect(starts).toEqual([])
  expect((await start({ energyKwh: '10,5', cost: '20', minutes: '90', idToken: '' })).status).toBe(303)
  expect((await start({ energyKwh: '', cost: '', minutes: '' })).status).toBe(303)
  const limits = { energyMilliWh: 10_500_000, costMicros: 20_000_000, durationMs: 5_400_000 }
  expect(starts.map((order) => order.limits)).toEqual([limits, undefined])
})

it('CONSOLE-G8: the page of a session shows its limits, what stopped it and what is left of its budget', async () => {
  const { accountId } = place.otto
  const at = place.now() - 60_000
  await place.writes.updateIdToken(accountId, 'CARD-1', { budget: { costMicros: 20_000_000, per: 'total' } })
  const limits = { energyMilliWh: 10_000_000, durationMs: 7_200_000, budgetOf: 'card-1' }
  const limitReached = { kind: 'energy' as const, limit: 10_000_000, reached: 10_040_000 }
  const of = { accountId, idToken: 'card-1', per: 'total', periodFrom: 0, currency: 'EUR', changedAt: at } as const
  await place.core.commit([
    {
      chargePointId: 'CP1',
      sessions: [session('s2', { accountId, startedAt: at, limits, limitReached })],
      records: [{ kind: 'budget_sums', put: { ...of, energyMilliWh: 1, costMicros: 12_500_000 } }],
    },
  ])
  const page = await text('/charging-sessions/s2', bob)
  expect(page).toContain('10.000 kWh · 2 h 00 min')
  expect(page).toContain('energy: 10.040 kWh of 10.000 kWh')
  expect(page).toContain('12.50 EUR used, 7.50 EUR left (in all)')
})

it('OCPP21-C3, OCPP21-C5: the page of a session shows what its station enforces and reckons', async () => {
  const facts = {
    accountId,
    state: 'suspended' as const,
    suspendedBy: 'evse' as const,
    startedAt: place.now() - 60_000,
  }
  const atStation = {
    limits: { energyMilliWh: 10_000_000, stateOfCharge: 80 },
    reached: { kind: 'energy' as const, at: place.now() },
    tariffId: 'T<7>',
    cost: { currency: 'EUR', grossMicros: 11_900_000, at: place.now(), isFinal: true },
  }
  const cost = { micros: 10_000_000, currency: 'EUR' }
  const failed = { ...atStation, cost: { ...atStation.cost, failure: HOSTILE } }
  const sessions = [session('s3', { ...facts, cost, atStation }), session('s4', { ...facts, atStation: failed })]
  await place.core.commit([{ chargePointId: 'CP1', sessions }])
  const page = await text('/charging-sessions/s3', bob)
  expect(page).toContain('10.000 kWh · 80 %')
  expect(page).toContain('energy, since ')
  expect(page).toContain('T&lt;7&gt;')
  expect(page).toContain('11.90 EUR gross · gross, and the rate of tax is not known')
  const other = await text('/charging-sessions/s4', bob)
  expect(other).toContain('the charge point could not calculate it')
  expect(other).not.toContain(HOSTILE)
})

it('CONSOLE-G9: a card’s page shows used and left of its budget; limits, budget and priority are set and taken away', async () => {
  const shown = await text('/id-tokens/CARD-1', bob)
  expect(shown).toContain('12.50 EUR used, 7.50 EUR left')
  expect(shown).not.toContain('name="most"')
  const send = async (fields: Readonly<Record<string, string>>) => {
    const csrf = csrfOf(await text('/id-tokens/CARD-1'), '/limits')
    return otto.post('/dashboard/id-tokens/CARD-1/limits', { csrf, ...fields })
  }
  const asked = {
    energyKwh: '30',
    cost: '',
    minutes: '',
    most: '100',
    unit: 'energyKwh',
    per: 'month',
    priority: '5',
  }
  for (const [change, field] of [
    [{ most: '0' }, 'most'],
    [{ most: HOSTILE }, 'most'],
    [{ per: 'year' }, 'per'],
    [{ energyKwh: '-1' }, 'energyKwh'],
    [{ minutes: 'x' }, 'minutes'],
    [{ priority: '1.5' }, 'priority'],
  ] as const) {
    const refused = await send({ ...asked, ...change })
    const html = await refused.text()
    expect([change, refused.status, html.includes(`id="${field}-fault"`)]).toEqual([change, 400, true])
    expect(html).not.toContain(HOSTILE)
  }
  expect((await send(asked)).status).toBe(303)
  expect(await card()).toMatchObject({
    sessionLimits: { energyMilliWh: 30_000_000 },
    priority: 5,
    budget: { energyMilliWh: 100_000_000, per: 'month' },
  })
  const csrf = csrfOf(await text('/id-tokens/CARD-1'), '/limits')
  expect((await bob.post('/dashboard/id-tokens/CARD-1/limits', { csrf, ...asked })).status).toBe(403)
  expect((await send({ energyKwh: '', most: '', priority: '' })).status).toBe(303)
  expect(await card()).toEqual(expect.not.objectContaining({ budget: expect.anything() }))
  expect(await text('/id-tokens/CARD-1')).toContain('It has no budget.')
  expect((await otto.post('/dashboard/id-tokens/NONE/limits', { csrf, ...asked })).status).toBe(404)
})

it('CONSOLE-G9: a fault is about the field that has it', () => {
  const pointers = ['/sessionLimits/durationSeconds', '/budget/cost', '/budget/per', '/priority', '/energyKwh']
  const faults = pointers.map((pointer) => ({ pointer, message: 'is wrong' }))
  expect(Object.keys(faultsAt(faults, LIMIT_FIELDS))).toEqual(['minutes', 'most', 'per', 'priority', 'energyKwh'])
})
