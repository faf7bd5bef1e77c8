import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from './house.ts'
import { ADMIN, signedIn, words } from './operator.ts'
import { roamingHouse } from './roaming-house.ts'
import { customerToken, type Provider, startProvider } from './roaming-partner.ts'
import { csrfOf } from './support/oidc/browser.ts'

const { house, exchanges } = await roamingHouse({
  PILOTWIRE_ADMIN_EMAIL: ADMIN.email,
  PILOTWIRE_ADMIN_PASSWORD: ADMIN.password,
})
const origin = { origin: house.url }
const ada = await signedIn(house, ADMIN.email, origin)

let provider: Provider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

const page = async (path: string): Promise<string> => words(await (await ada.get(`/dashboard/partners${path}`)).text())

/** @param on the page with the form */
async function post(path: string, fields: Readonly<Record<string, string>> = {}, on = '') {
  const html = await (await ada.get(`/dashboard/partners${on}`)).text()
  const answer = await ada.post(`/dashboard/partners${path}`, { csrf: csrfOf(html, path), ...fields }, origin)
  return { status: answer.status, to: answer.headers.get('location') ?? '', html: await answer.text() }
}

it('OCPI-A8: an administrator invites a partner, and sees in words what it does', async () => {
  const invited = await post('/add', { name: 'Elsewhere <b>' })
  const [token = ''] = /pwo_[\w-]{60}/.exec(invited.html) ?? []
  expect([invited.status, words(invited.html)]).toEqual([200, expect.stringContaining(`${house.url}/ocpi/versions`)])
  expect((await provider.register(`${house.url}/ocpi/versions`, token)).body.status_code).toBe(1000)
  await provider.call('PUT', provider.at('tokens', '/NL/EMP/K1'), customerToken('K1', { valid: 'perhaps' }))
  const list = await page('')
  expect(list).toContain('Elsewhere &lt;b&gt;')
  expect(list).toMatch(/registered NL-EMP \(EMSP\) 2\.3\.0/)
  const { id } = (await house.list('/2/ocpi/partners')).find(({ name }) => name === 'Elsewhere <b>') ?? {}
  await until(async () => (await exchanges(String(id))).some(({ method }) => method === 'PUT'))
  const shown = await page(`/${id}`)
  expect(shown).toContain('Partner sent tokens OCPI 2001 valid must be a boolean')
  expect(shown).toContain('We read details of a version accepted')
  expect(shown).not.toContain('pwo_')
  const put = (await exchanges(String(id))).find(({ method }) => method === 'PUT')
  expect(await page(`/${id}/exchanges/${put?.id}`)).toContain('perhaps')
})

it('OCPI-A8: an administrator registers with a partner, tests, rotates, suspends and withdraws', async () => {
  const token = provider.fresh()
  const sent = { name: 'Far away', url: provider.url, token }
  const refused = await post('/add', sent)
  expect([refused.status, words(refused.html)]).toEqual([422, expect.stringContaining('refused our token')])
  provider.valid.add(token)
  const { status, to } = await post('/add', sent)
  expect(status).toBe(303)
  const own = `/${to.split('/').at(-1)}`
  expect(words((await post(`${own}/test`, {}, own)).html)).toContain('Its versions: 2.2.1, 2.3.0')
  provider.instead = () => ({ text: 'nonsense' })
  expect(words((await post(`${own}/test`, {}, own)).html)).toContain('no JSON object')
  provider.instead = () => undefined
  const before = provider.token
  expect((await post(`${own}/rotate`, {}, own)).status).toBe(303)
  expect(provider.token).not.toBe(before)
  await post(`${own}/suspend`, {}, own)
  expect(await page(own)).toContain('suspended')
  await post(`${own}/resume`, {}, own)
  const [read] = (await exchanges(own.slice(1))).filter(({ url }) => url === provider.url)
  const exchange = `${own}/exchanges/${read?.id}`
  provider.asked.length = 0
  expect((await post(`${exchange}/replay`, {}, exchange)).status).toBe(303)
  expect(provider.asked).toMatchObject([{ method: 'GET', path: '/versions' }])
  expect((await post(`${own}/delete`, {}, own)).status).toBe(303)
  expect(await page(own)).toContain('Invite the partner again')
  expect(words(await (await ada.get('/dashboard/audit')).text())).toContain('credentials of a partner withdrawn')
})

it('OCPI-A8: the party is set, and what is wrong with it stands beside its field', async () => {
  const wrong = await post('/party', { countryCode: 'DEU', partyId: 'PWR', businessDetails: 'P' })
  expect([wrong.status, words(wrong.html)]).toEqual([400, expect.stringContaining('must be two letters')])
  expect((await post('/party', { countryCode: 'at', partyId: 'PW2', businessDetails: 'P' })).status).toBe(303)
  expect((await house.request('GET', '/2/ocpi/party')).body).toMatchObject({ countryCode: 'AT', partyId: 'PW2' })
})
