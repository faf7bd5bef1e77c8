import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import { expectTexts } from '../../../test/support/texts.ts'

const removed: string[] = []

const { place, ada } = await operatorsOfTest({
  removeChargePoint: async (_, chargePointId) => {
    removed.push(chargePointId)
    return { chargePointId }
  },
})

const NEW = '/dashboard/new-charge-point'
const page = async (path: string): Promise<string> => (await ada.get(path)).text()
const onceOf = (html: string): string => /name="once" value="([^"]*)"/.exec(html)?.[1] ?? ''
const add = async (fields: Record<string, string>) => {
  const html = await page(NEW)
  const csrf = csrfOf(html, '/new-charge-point')
  return ada.post(NEW, { csrf, once: onceOf(html), securityProfile: '1', ...fields })
}
const stored = (id: string) => place.reads.findChargePoint(id)

it('CONSOLE-A13: charge points: one is added with labels, and its password shown this once', async () => {
  const made = await add({ id: 'EV 1', name: 'Bay 1', labels: 'site:North\r\nbay:1' })
  const html = await made.text()
  expect(made.status).toBe(200)
  expect(html).toMatch(/readonly="" value="[0-9a-f]{40}"|value="[0-9a-f]{40}"/)
  expect(await stored('EV 1')).toMatchObject({
    name: 'Bay 1',
    labels: { site: 'North', bay: '1' },
    securityProfile: 1,
  })
  const list = await page('/dashboard/charge-points?site=North')
  expectTexts(list, '/charge-points/EV%201"', '<b><bdi>North</bdi></b>')
})

it('CONSOLE-A13, CONSOLE-A11: charge points: a form that is sent twice makes one, and tells the same password', async () => {
  const html = await page(NEW)
  const fields = { csrf: csrfOf(html, '/new-charge-point'), once: onceOf(html), id: 'TWICE', securityProfile: '1' }
  const [first, second] = await Promise.all([ada.post(NEW, fields), ada.post(NEW, fields)])
  expect([first.status, second.status]).toEqual([200, 200])
  expect(await first.text()).toBe(await second.text())
})

it('CONSOLE-A13: charge points: with every field wrong it says so and keeps what was typed', async () => {
  const wrong = { id: '.', name: 'n'.repeat(201), labels: 'Site:x\nnothing', securityProfile: '7', protocols: 'soap' }
  const refused = await add({ ...wrong, password: 'short' })
  const html = await refused.text()
  expect(refused.status).toBe(400)
  for (const field of ['name', 'labels', 'securityProfile', 'protocols']) expect(html).toContain(`id="${field}-fault"`)
  expectTexts(html, 'n'.repeat(201), 'Site:x\nnothing')
  for (const id of ['x'.repeat(300), '', '..']) {
    expect([id, (await add({ id })).status]).toEqual([id, 400])
    expect(await stored(id)).toBeUndefined()
  }
  const taken = await add({ id: 'CP1', name: 'kept' })
  expect([taken.status, (await taken.text()).includes('value="kept"')]).toEqual([409, true])
})

it('CONSOLE-A13: charge points: one is changed, and what the form leaves out is gone', async () => {
  const path = '/dashboard/charge-points/EV%201/edit'
  const html = await page(path)
  expect(html).toContain('value="Bay 1"')
  const csrf = csrfOf(html, '/edit')
  const fields = { csrf, name: '', labels: 'bay:2', securityProfile: '1', protocols: 'ocpp1.6', disabled: 'yes' }
  expect((await ada.post(path, fields)).status).toBe(303)
  const after = await stored('EV 1')
  expect(after).toMatchObject({ labels: { bay: '2' }, protocols: ['ocpp1.6'], disabled: true })
  expect(after).not.toHaveProperty('name')
  const wrong = await ada.post(path, { ...fields, labels: 'x' })
  expect([wrong.status, (await stored('EV 1'))?.labels]).toEqual([400, { bay: '2' }])
})

it('CONSOLE-A13: charge points: a password is set as typed, or made and shown once', async () => {
  const path = '/dashboard/charge-points/EV%201'
  const csrf = csrfOf(await page(`${path}/edit`), '/password')
  const before = (await stored('EV 1'))?.passwordHash
  const made = await ada.post(`${path}/password`, { csrf, once: 'a', password: '' })
  expect([made.status, /value="[0-9a-f]{40}"/.test(await made.text())]).toEqual([200, true])
  expect((await stored('EV 1'))?.passwordHash).not.toBe(before)
  expect((await ada.post(`${path}/password`, { csrf, once: 'b', password: 'short' })).status).toBe(400)
  expect((await ada.post(`${path}/password`, { csrf, once: 'c', password: 'a long enough one' })).status).toBe(303)
})

it('CONSOLE-A13: charge points: deletion is asked for once', async () => {
  const path = '/dashboard/charge-points/EV%201/delete'
  const html = await page('/dashboard/charge-points/EV%201/edit')
  expect([html.includes('A running session ends now'), removed]).toEqual([true, []])
  expect((await ada.post(path, { csrf: csrfOf(html, '/delete') })).headers.get('location')).toBe(
    '/dashboard/charge-points',
  )
  expect(removed).toEqual(['EV 1'])
})

it('CONSOLE-A4: the list says what cannot be looked for, and what is not found', async () => {
  const wrong = await ada.get('/dashboard/charge-points?status=Broken&q=kept')
  const html = await wrong.text()
  expect([wrong.status, html.includes('State = Broken'), html.includes('value="kept"')]).toEqual([400, true, true])
  expect(await page('/dashboard/charge-points?q=nothing-like-it')).toContain('Nothing matches the search.')
})

it('CONSOLE-A4: the list is a file that a spreadsheet may open', async () => {
  await place.writes.updateChargePoint('A', 'CP1', { name: '=1+1' })
  const file = await ada.get('/dashboard/charge-points.csv?q=CP1')
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  const [head, row, end] = (await file.text()).split('\r\n')
  expect(head).toMatch(/^id,name,online,/)
  expect(row).toMatch(/^CP1,'=1\+1,true,Accepted/)
  expect(end).toBe('')
  expect((await place.browser().get('/dashboard/charge-points.csv')).status).toBe(303)
})
