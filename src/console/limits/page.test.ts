import { expect, it } from 'vitest'
import { keepRecords, operatorsOfTest } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import type { StationView } from '../../domain/limit-groups/view.ts'
import { addLimitPages } from './page.tsx'

const HOSTILE = '"><script>alert(1)</script>'
const MINUTE_MS = 60_000
let views: readonly StationView[] = []

const { place, otto, bob } = await operatorsOfTest({ limitViews: async () => views }, { extraPages: [addLimitPages] })

const text = async (path: string, browser = otto): Promise<string> => (await browser.get(`/dashboard${path}`)).text()
const send = (path: string, from: string, fields: Readonly<Record<string, string>>, ending = path) =>
  text(from).then((page) => otto.post(`/dashboard${path}`, { csrf: csrfOf(page, ending), ...fields }))
const group = (name: string) => place.reads.getRecord('limit_groups', { accountId: place.otto.accountId, name })
const putGroup = async (name: string, desired: object): Promise<void> => {
  const now = place.now()
  const row = { accountId: place.otto.accountId, name, desired: { amps: 100, ...desired }, revision: 1 }
  await place.writes.putRecords('limit_groups', [{ ...row, createdAt: now, updatedAt: now }])
}
const charging = (drawn: number): readonly StationView[] => {
  const charge = { id: 's1', startedAt: place.now() - 600_000 }
  const seen = { isIgnoring: false, desiredRevision: 0, refusesFallback: false, leastAmps: 0 }
  const draw = { at: place.now(), amps: drawn, offeredAmps: 32 }
  const evses = [{ evseId: 1, charge, draw, ...seen }]
  return [{ chargePointId: 'CP1', isConnected: true, clockAheadMs: 0, clockAtLeastMs: 0, holdsLeases: true, evses }]
}

it('CONSOLE-G1: groups are listed below what feeds them; each shows its phases, its EVSEs and the reason of each share', async () => {
  expect(await text('/limits')).toContain('There are no limit groups yet.')
  await putGroup('site', { amps: 63 })
  await putGroup('garage', { selector: {}, parent: 'site', fallbackAmps: 8 })
  expect((await text('/limits')).match(/limits\/\w+"/g)).toEqual(['limits/site"', 'limits/garage"'])
  views = []
  const silent = await text('/limits/garage')
  expectTexts(silent, 'It is silent: it counts with all that it may still hold.', 'not proved')
  views = charging(15.5)
  const { accountId } = place.otto
  const until = place.now() + 600_000
  const external = { kind: 'external' as const, given: { amps: 40, source: HOSTILE, until }, at: place.now() }
  const load = { kind: 'load' as const, given: { amps: [20, 10, 0], until, excludesCharging: true }, at: place.now() }
  await place.writes.putRecords('limit_group_inputs', [
    { accountId, name: 'garage', ...external },
    { accountId, name: 'garage', ...load },
  ])
  const page = await text('/limits/garage')
  expectTexts(page, 'aria-label="L1: 35.5 A of 40 A"', 'building 20 A', 'aria-label="L3: 15.5 A of 40 A"')
  expectTexts(page, 'draws 15.5 A, may draw', '40 A of each phase until')
  expect(page).not.toContain(HOSTILE)
  for (const part of ['head', 'phases', 'shares', 'course']) expect(page).toContain(`data-live="${part}"`)
  expect(await text('/limits/site')).toContain('It feeds:')
  await place.writes.putRecords('limit_group_inputs', [
    { accountId, name: 'garage', ...load, given: { ...load.given, until: 1 } },
  ])
  expect(await text('/limits/garage')).toContain('The meter of the building is silent.')
  views = []
  for (let at = 0; at < 100; at++) {
    const id = `ROW-${at}`
    await place.writes.createChargePoint(aChargePoint({ id, accountId, securityProfile: 0, createdAt: 1 }))
  }
  expect(await text('/limits/garage?phase=2')).toMatch(
    /href="\/dashboard\/limits\/garage\?phase=2&amp;all=yes">2 more</,
  )
  expect(await text('/limits/garage?all=yes')).toContain('ROW-99 / 1')
  await putGroup('garage', { selector: { ids: ['CP1', 'CP2'] }, parent: 'site', fallbackAmps: 8 })
  const german = await bob.get('/dashboard/limits/garage', { 'accept-language': 'de' })
  expect(await german.text()).toContain('darf')
  for (const path of ['/limits/none', '/limits/none/test', '/limits/none/history.csv']) {
    expect((await otto.get(`/dashboard${path}`)).status).toBe(404)
  }
})

it('CONSOLE-G2: the course is a picture with words, the same as a table and as a file; an address that was made up shows the day', async () => {
  const { accountId } = place.otto
  const at = Math.floor(place.now() / MINUTE_MS) * MINUTE_MS - 2 * MINUTE_MS
  const amps = { limitAmps: [100, 100, 100], allowedAmps: [96, 96, 96], drawAmps: [42, 40, 41] }
  await place.writes.putRecords('limit_minutes', [
    { accountId, name: 'garage', at, ...amps, loadAmps: [7, 7, 7], draws: [['CP1', 1, 30, '12']] },
  ])
  const page = await text('/limits/garage?span=hour&phase=2')
  expect(page).toContain('<title>Current on L2 over time, building and EVSEs on top of each other: 47.0 A at most')
  expect(page).toContain('<desc>1 steps')
  expect(page).toMatch(/CP1 \/ 1<\/th>/)
  expect(page).toMatch(/>30\.0</)
  for (const made of ['?phase=9&span=year&to=yesterday', '?to=9999-01-01T00:00:00Z', '?phase=%00']) {
    expect(await text(`/limits/garage${made}`)).toContain('Current on L1')
  }
  const before = new Date(at - 30 * 86_400_000).toISOString()
  expect(await text(`/limits/garage?to=${before}`)).toContain('There are no figures for this time.')
  const file = await otto.get('/dashboard/limits/garage/history.csv')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="garage.csv"')
  expect((await file.text()).split('\r\n')[1]).toContain('100,100,100,96,96,96,42,40,41,7,7,7')
})

it('CONSOLE-G3: one is made, changed and deleted by forms, and what is wrong stands beside its field', async () => {
  const form = { name: 'row-1', limit: '32,5', unit: 'A', own: 'chosen', ids: 'CP1', labels: '', strategy: 'equal' }
  const wrong = [
    [{ name: 'a/b' }, 'name-fault'],
    [{ name: 'garage' }, 'exists already'],
    [{ limit: 'much' }, 'limit-fault'],
    [{ limit: '' }, 'limit-fault'],
    [{ minAmps: '3' }, 'minAmps-fault'],
    [{ labels: 'none' }, 'labels-fault'],
    [{ parent: 'nobody' }, 'parent'],
    [{}, 'belongs to the limit group garage already'],
  ] as const
  for (const [change, said] of wrong) {
    const answer = await send('/new-limit-group', '/new-limit-group', { ...form, ...change })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const page = await answer.text()
    expectTexts(page, said, '>\nCP1</textarea>')
  }
  const longest = `${HOSTILE}🦊${'x'.repeat(255)}`
  const hostile = await send('/new-limit-group', '/new-limit-group', { ...form, name: longest, limit: longest })
  expect(await hostile.text()).not.toContain(HOSTILE)
  const counted = await send('/new-limit-group/try', '/new-limit-group', form, '/new-limit-group')
  expect(await counted.text()).toContain('This matches 1 charge points now.')
  expect(await group('row-1')).toBeUndefined()
  const made = await send('/new-limit-group', '/new-limit-group', { ...form, own: 'none', parent: 'garage' })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/dashboard/limits/row-1/test'])
  expect((await group('row-1'))?.desired).toEqual({ amps: 32.5, parent: 'garage', strategy: 'equal' })
  const edit = '/limits/row-1/edit'
  expect(await text(edit)).toContain('value="32.5"')
  expect((await send(edit, edit, { ...form, own: 'none', limit: '11000', unit: 'W' })).status).toBe(303)
  expect((await group('row-1'))?.desired).toEqual({ watts: 11_000, strategy: 'equal' })
  const remove = '/limits/row-1/delete'
  const csrf = csrfOf(await text('/limits/row-1'), remove)
  expect((await bob.post(`/dashboard${remove}`, { csrf })).status).toBe(403)
  expect((await otto.post('/dashboard/limits/garage/delete', { csrf })).status).toBe(403)
  expect((await otto.post(`/dashboard${remove}`, { csrf })).status).toBe(303)
  expect(await group('row-1')).toBeUndefined()
  const inUse = await send('/limits/site/delete', '/limits/site', {})
  expect([inUse.status, (await group('site'))?.name]).toEqual([409, 'site'])
})

it('CONSOLE-G6: the load of the building is said and an order from outside made and ended by hand', async () => {
  const inputs = '/limits/garage/inputs'
  const read = (kind: 'load' | 'external') =>
    place.reads.getRecord('limit_group_inputs', { accountId: place.otto.accountId, name: 'garage', kind })
  for (const [amps, minutes] of [
    ['30', '5'],
    ['a b c', '5'],
    ['1 2 3', '-1'],
    ['1 2 3', '1e99'],
    ['', ''],
  ] as const) {
    const answer = await send('/limits/garage/load', inputs, { amps, minutes })
    expect([answer.status >= 400, (await answer.text()).includes('-fault')]).toEqual([true, true])
  }
  expect(
    (await send('/limits/garage/load', inputs, { amps: '30 28,5 31', minutes: '5', counts: 'others' })).status,
  ).toBe(303)
  expect((await read('load'))?.given).toMatchObject({ amps: [30, 28.5, 31], excludesCharging: true })
  const order = { amount: '24', unit: 'A', source: HOSTILE, minutes: '30', failSafe: '16' }
  for (const change of [
    { amount: '' },
    { source: '' },
    { source: 'x'.repeat(101) },
    { failSafe: '-1' },
    { minutes: '0' },
  ]) {
    const answer = await send('/limits/garage/external-limit', inputs, { ...order, ...change })
    expect([change, answer.status >= 400]).toEqual([change, true])
  }
  expect((await send('/limits/garage/external-limit', inputs, order)).status).toBe(303)
  expect((await read('external'))?.given).toMatchObject({ amps: 24, failSafe: { amps: 16 }, source: HOSTILE })
  expect(await text(inputs)).not.toContain(HOSTILE)
  expect((await bob.get(`/dashboard${inputs}`)).status).toBe(403)
  expect((await send('/limits/garage/external-limit/end', inputs, {})).status).toBe(303)
  expect(await read('external')).toBeUndefined()
})

it('CONSOLE-G5: who has taken a limit, who is away and who proved it stands on a page of its own', async () => {
  views = []
  expect(await text('/limits/garage/test')).toContain('is offline; its limit is sent when it connects')
  const { accountId } = place.otto
  const held = { accepted: { revision: 1, amps: 8, afterAmps: 8 }, sent: [] }
  const ledger = { fallback: held, lease: { sent: [] } }
  await place.writes.putRecords('limit_shares', [
    { accountId, chargePointId: 'CP1', evseId: 1, name: 'garage', state: { ledger }, updatedAt: 1 },
  ])
  const proof = { verdict: 'proved' as const, at: place.now(), attempts: 0 }
  await keepRecords(place, 'CP1', [
    {
      kind: 'charging_stations',
      put: {
        chargePointId: 'CP1',
        isKnown: true,
        clearsForeign: false,
        nextRequestId: 1,
        isUnsupported: false,
        attempts: 0,
        proofs: { 1: proof },
        resumedAt: {},
        needs: {},
        updatedAt: 1,
      },
    },
  ])
  const page = await text('/limits/garage/test', bob)
  expectTexts(page, '1 of 2 EVSEs hold their limit. 1 have proven it.', '>8 A<', 'data-live="taken"')
})

const steps = { step: 'connection', name: 'yard', limit: '40', unit: 'A', phases: '3', own: 'chosen', ids: 'CP2' }
const next = (change: Readonly<Record<string, string>>, query = '') =>
  text('/share-connection').then((page) =>
    otto.post(`/dashboard/share-connection/next${query}`, { csrf: csrfOf(page, '/next'), ...steps, ...change }),
  )

it('CONSOLE-G4: four steps lead to a preview, what is wrong leads back to its step, and only the last button stores', async () => {
  await putGroup('garage', { selector: { ids: ['CP1'] }, parent: 'site', fallbackAmps: 8 })
  expect(await text('/share-connection')).toContain('Step 1 of 4: The connection')
  expect(await (await next({ ids: '' })).text()).toContain('Step 2 of 4: The charge points')
  const none = await next({ step: 'stations', ids: 'CP-NONE' })
  expect([none.status, (await none.text()).includes('choose at least one')]).toEqual([400, true])
  const sharing = await (await next({ step: 'stations' })).text()
  expect(sharing).toContain('Step 3 of 4: How to share')
  for (const value of ['yard', '40', 'CP2']) expect(sharing).toContain(`value="${value}"`)
  expect(await (await next({ step: 'sharing' }, '?back=yes')).text()).toContain('Step 2 of 4')
  const wrong = await next({ step: 'sharing', limit: 'x', minAmps: '1' })
  expect([wrong.status, (await wrong.text()).includes('Step 1 of 4')]).toEqual([400, true])
  const tooMuch = await (await next({ step: 'sharing', fallbackAmps: '41' })).text()
  expect(tooMuch).toContain('fallbackAmps-fault')
  views = []
  const preview = await (await next({ step: 'sharing' })).text()
  expect(preview).toContain('Step 4 of 4: Preview')
  expect(preview).toMatch(/CP2 \/ 1[\s\S]*<b>32 A<\/b>/)
  expect(await (await next({ step: 'preview' }, '?back=yes')).text()).toContain('Step 3 of 4')
  expect(await group('yard')).toBeUndefined()
  const csrf = csrfOf(preview, '/share-connection')
  expect((await bob.post('/dashboard/share-connection', { csrf, ...steps })).status).toBe(403)
  const refused = await otto.post('/dashboard/share-connection', { csrf, ...steps, limit: '-1' })
  expect([refused.status, (await refused.text()).includes('Step 1 of 4')]).toEqual([400, true])
  const done = await otto.post('/dashboard/share-connection', { csrf, ...steps })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/limits/yard/test'])
  expect((await group('yard'))?.desired).toMatchObject({ amps: 40, phases: 3, selector: { ids: ['CP2'] } })
  const again = await otto.post('/dashboard/share-connection', { csrf, ...steps })
  expect([again.status, (await again.text()).includes('exists already')]).toEqual([400, true])
})
