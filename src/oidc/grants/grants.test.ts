import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { consent, locationOf, startOf } from '../../../test/support/oidc/application.ts'
import { csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { openPlace } from '../../../test/support/oidc/testing.ts'
import { exchangeFields, obtainTokens, postToken, refresh, userinfo } from '../../../test/support/oidc/tokens.ts'
import { createCredential } from '../../domain/accounts/credentials.ts'

const chargePoint = { securityProfile: 0, registrationStatus: 'Accepted', createdAt: 0 } as const

const place = await openPlace()
const { text, credential } = createCredential(randomBytes, { accountId: 'A', name: 'k', createdAt: place.now() })
await place.writes.createCredential(credential)
const key = text
afterAll(() => place.close())

function api(path: string, bearer: string | undefined, init: RequestInit = {}): Promise<Response> {
  const headers = {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    'content-type': 'application/json',
  }
  return fetch(place.baseUrl + path, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } })
}
const patch = (grantId: string, bearer: string, body: unknown): Promise<Response> =>
  api(`/2/grants/${grantId}`, bearer, { method: 'PATCH', body: JSON.stringify(body) })

it('OIDC-C7: a changed selection acts on the next call with the existing token', async () => {
  const { tokens, grant } = await obtainTokens(place, place.web)
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ chargePoints: 'all' })
  expect((await patch(grant.id, key, { evseControllers: ['CP2'] })).status).toBe(200)
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ chargePoints: ['CP2'] })
})
it('OIDC-C12: an application reaches nothing of a charge point that another account registered after its own', async () => {
  const own = await openPlace()
  const { tokens, grant } = await obtainTokens(own, own.web)
  await own.writes.selectChargePoints(grant.id, ['CP1', 'CP2'], own.now())
  await own.writes.deleteChargePoint('A', 'CP2')
  await own.writes.createChargePoint({ ...chargePoint, id: 'CP2', accountId: 'B' })
  expect(await own.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ chargePoints: ['CP1'] })
  // As it was stored before selections were cleaned.
  await own.writes.selectChargePoints(grant.id, ['CP1', 'CP2'], own.now())
  expect(await own.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ chargePoints: ['CP1'] })
  await own.close()
})
it('OIDC-C3: a charge point that nobody approved is not offered, and is refused when it is named', async () => {
  const { grant, browser } = await obtainTokens(place, place.web)
  for (const registrationStatus of ['Pending', 'Rejected'] as const) {
    const id = `stranger ${registrationStatus}`
    await place.writes.createChargePoint({ ...chargePoint, id, accountId: 'A', registrationStatus })
    expect((await patch(grant.id, key, { evseControllers: [id] })).status).toBe(400)
    const page = await (await browser.get(`/dashboard/applications/${grant.id}`)).text()
    expect([page.includes('CP1'), page.includes(id)]).toEqual([true, false])
  }
})
it('OIDC-C8: revoking is immediate, for that user only; old tokens stay dead after re-consent', async () => {
  const client = await place.addClient({ kind: 'public' })
  const ada = await obtainTokens(place, client, place.ada)
  const bob = await obtainTokens(place, client, place.bob)
  const start = startOf(place, client.id)
  const code = locationOf(await ada.browser.get(start.url)).searchParams.get('code') ?? ''
  expect((await api(`/2/grants/${ada.grant.id}`, key, { method: 'DELETE' })).status).toBe(204)
  expect((await userinfo(place, ada.tokens.access_token)).status).toBe(401)
  expect((await refresh(place, client, ada.tokens.refresh_token)).status).toBe(400)
  expect((await postToken(place, exchangeFields(client, code, start))).status).toBe(400)
  expect((await userinfo(place, bob.tokens.access_token)).status).toBe(200)
  expect((await refresh(place, client, bob.tokens.refresh_token)).status).toBe(200)
  const none = await ada.browser.get(startOf(place, client.id, { prompt: 'none' }).url)
  expect(locationOf(none).searchParams.get('error')).toBe('consent_required')
  const again = await obtainTokens(place, client, place.ada)
  expect(again.grant.id).not.toBe(ada.grant.id)
  expect((await userinfo(place, ada.tokens.access_token)).status).toBe(401)
  expect((await userinfo(place, again.tokens.access_token)).status).toBe(200)
})
it('OIDC-C9, OIDC-O1: an API credential sees all grants of the account, by user and by client', async () => {
  const client = await place.addClient({ kind: 'public', name: 'Listed' })
  const { grant } = await obtainTokens(place, client, place.bob, {}, { share: 'chosen', chargePoints: ['CP1'] })
  const list = async (query: string) =>
    ((await (await api(`/2/grants${query}`, key)).json()) as { data: Record<string, unknown>[] }).data
  expect(await list(`?clientId=${client.id}`)).toEqual([
    {
      id: grant.id,
      userId: 'bob',
      clientId: client.id,
      clientName: 'Listed',
      scopes: ['openid', 'offline_access', 'sessions:read'],
      evseControllers: ['CP1'],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      lastUsedAt: expect.any(String),
      lastIp: '127.0.0.1',
    },
  ])
  expect((await list('?userId=bob')).every(({ userId }) => userId === 'bob')).toBe(true)
  const foreign = await obtainTokens(place, client, place.eve, { scope: 'openid' })
  expect(JSON.stringify(await list(''))).not.toContain(foreign.grant.id)
  expect((await api(`/2/grants/${foreign.grant.id}`, key)).status).toBe(404)
  expect((await api(`/2/grants/${foreign.grant.id}`, key, { method: 'DELETE' })).status).toBe(404)
  expect((await userinfo(place, foreign.tokens.access_token)).status).toBe(200)
})
it('OIDC-C9, OIDC-N6: an access token sees its own grant, may end it, and may not widen it', async () => {
  const client = await place.addClient({ kind: 'public' })
  const { tokens, grant } = await obtainTokens(place, client, place.ada, {}, { share: 'chosen', chargePoints: ['CP1'] })
  const other = await obtainTokens(place, place.spa, place.ada)
  const list = (await (await api('/2/grants', tokens.access_token)).json()) as { data: { id: string }[] }
  expect(list.data.map(({ id }) => id)).toEqual([grant.id])
  expect((await api(`/2/grants/${other.grant.id}`, tokens.access_token)).status).toBe(404)
  const widened = await patch(grant.id, tokens.access_token, { evseControllers: 'all' })
  expect([widened.status, await widened.json()]).toMatchObject([403, { code: 'user_required' }])
  expect((await place.reads.findGrant(grant.id))?.chargePoints).toEqual(['CP1'])
  expect((await api(`/2/grants/${grant.id}`, tokens.access_token, { method: 'DELETE' })).status).toBe(204)
  expect((await api('/2/grants', tokens.access_token)).status).toBe(401)
})
it('OIDC-C9: a login session sees the user’s own, and writes need the CSRF token and the own origin', async () => {
  const client = await place.addClient({ kind: 'public' })
  const { browser, grant } = await obtainTokens(place, client, place.ada)
  const foreign = await obtainTokens(place, client, place.bob)
  const got = await browser.get(`/2/grants/${grant.id}`)
  const csrf = got.headers.get('x-csrf-token') ?? ''
  expect(got.status).toBe(200)
  expect((await browser.get(`/2/grants/${foreign.grant.id}`)).status).toBe(404)
  const send = (headers: Record<string, string>) =>
    browser.send(`/2/grants/${grant.id}`, {
      method: 'PATCH',
      body: '{"evseControllers":["CP1"]}',
      headers: { 'content-type': 'application/json', ...headers },
    })
  expect((await send({})).status).toBe(403)
  expect((await browser.send(`/2/grants/${grant.id}`, { method: 'DELETE' })).status).toBe(403)
  expect((await send({ 'x-csrf-token': 'f'.repeat(64) })).status).toBe(403)
  expect((await send({ 'x-csrf-token': csrf, origin: 'https://evil.example' })).status).toBe(401)
  expect((await browser.get('/2/grants', { 'sec-fetch-site': 'cross-site' })).status).toBe(401)
  expect((await send({ 'x-csrf-token': csrf, origin: place.baseUrl })).status).toBe(200)
})
it('OIDC-C9: without its CSRF token a login session is told nothing about its body or the grant', async () => {
  const browser = await place.signedIn(place.ada)
  const body = { method: 'PATCH', body: '{', headers: { 'content-type': 'application/json' } }
  const answer = await browser.send('/2/grants/nothing', body)
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'csrf_token_required' }])
})
it('API-E1: what cannot be answered as JSON is 406, and a parameter given twice or unknown is refused', async () => {
  const { grant } = await obtainTokens(place, place.web)
  const answers = await Promise.all([
    api('/2/grants', key, { headers: { accept: 'text/csv' } }),
    api(`/2/grants/${grant.id}`, key, { headers: { accept: 'text/csv' } }),
    api('/2/grants?userId=ada&userId=bob', key),
    api('/2/grants?userId=ada', key),
    api(`/2/grants/${grant.id}?userId=ada`, key),
  ])
  expect(answers.map(({ status }) => status)).toEqual([406, 406, 400, 200, 400])
})
it.each([
  [{ evseControllers: ['CPB'] }, 'invalid_value'],
  [{ evseControllers: ['unknown'] }, 'invalid_value'],
  [{ evseControllers: 'some' }, 'invalid_type'],
  [{ evseControllers: [1] }, 'invalid_type'],
  [{ evseControllers: null }, 'invalid_type'],
  [{}, 'required'],
  [[], 'invalid_type'],
  [{ evseControllers: 'all', scopes: ['chargers:control'] }, 'unknown_field'],
])('OIDC-C3, OIDC-C9: PATCH %j -> 400, nothing saved', async (body, code) => {
  const { grant } = await obtainTokens(place, place.native, place.ada, { redirect_uri: 'http://127.0.0.1:1/cb' })
  const response = await patch(grant.id, key, body)
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toMatchObject({ code })
  expect((await place.reads.findGrant(grant.id))?.chargePoints).toBe('all')
})
it('OIDC-C10: a grant does not expire by itself', async () => {
  const own = await openPlace()
  const { browser, grant } = await obtainTokens(own, own.spa)
  own.advance(10 * 86_400_000)
  expect((await own.reads.findActiveGrant('ada', own.spa.id))?.id).toBe(grant.id)
  expect(locationOf(await browser.get(startOf(own, own.spa.id).url)).searchParams.has('code')).toBe(true)
  await own.close()
})
it('OIDC-L7: the address that is kept is the one the trusted proxies tell', async () => {
  const browser = await place.signedIn(place.bob)
  const { url } = startOf(place, (await place.addClient({ name: 'Addressed' })).id, { scope: 'openid' })
  const first = (await browser.get(url, { 'x-test-address': '203.0.113.9' })).headers.get('location') ?? ''
  const csrf = csrfOf(await (await browser.get(first)).text(), '/consent')
  await browser.post(`${first}/consent`, { csrf, decision: 'approve' }, { 'x-test-address': '203.0.113.9' })
  const [event] = await place.reads.searchAudit({ accountId: 'A', userId: 'bob', limit: 1 })
  expect(event).toMatchObject({ kind: 'consent', ip: '203.0.113.9' })
})
it('OIDC-C9: no caller -> 401, unknown -> 404, other methods -> 405', async () => {
  expect((await api('/2/grants', undefined)).status).toBe(401)
  expect((await api('/2/grants/nothing', key)).status).toBe(404)
  const response = await api('/2/grants', key, { method: 'POST', body: '{}' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

/** What a browser sends of the chooser as it was shown. */
function sentChargePoints(html: string): readonly string[] {
  const inputs = html.match(/<input [^>]*name="chargePoint"[^>]*>/g) ?? []
  return inputs
    .filter((input) => /type="hidden"| checked/.test(input))
    .map((input) => fieldsOf(input, 'chargePoint')[0] ?? '')
}

it('OIDC-C9: connected applications: the page shows what is allowed; changing and disconnecting work for the own grants only', async () => {
  const client = await place.addClient({ kind: 'public', name: 'Shown App' })
  const { browser, grant, tokens } = await obtainTokens(
    place,
    client,
    place.ada,
    {},
    { share: 'chosen', chargePoints: ['CP2'] },
  )
  const html = await (await browser.get('/dashboard/applications')).text()
  for (const text of ['Shown App', 'read charging sessions', 'CP2', '127.0.0.1']) expect(html).toContain(text)
  const edit = await (await browser.get(`/dashboard/applications/${grant.id}`)).text()
  expect(edit).toMatch(/value="CP2" checked/)
  expect(edit).toContain('What the application ordered of a charge point that you no longer share ends')
  const path = `/dashboard/applications/${grant.id}`
  const save = { csrf: csrfOf(edit, path), decision: 'save', share: 'all' }
  const stranger = await place.signedIn(place.bob)
  expect((await stranger.get(path)).status).toBe(404)
  expect((await stranger.post(path, save)).status).toBe(403)
  expect((await browser.post(path, { ...save, csrf: '' })).status).toBe(403)
  expect((await browser.post(path, { ...save, share: 'chosen', chargePoint: 'CPB' })).status).toBe(400)
  expect((await place.reads.findGrant(grant.id))?.chargePoints).toEqual(['CP2'])
  expect((await browser.post(path, save)).status).toBe(303)
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ chargePoints: 'all' })
  expect((await stranger.post(`${path}/disconnect`, { csrf: csrfOf(html, `${path}/disconnect`) })).status).toBe(403)
  expect((await browser.post(`${path}/disconnect`, { csrf: csrfOf(html, `${path}/disconnect`) })).status).toBe(303)
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toBeUndefined()
  const kinds = (await place.reads.searchAudit({ accountId: 'A', userId: 'ada', limit: 10 })).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['grant_revoked', 'grant_changed', 'consent']))
})
it('OIDC-C3, OIDC-C9: connected applications: a charge point that is gone is no choice any more, and stands in the way of no other', async () => {
  const gone = { id: 'GONE', accountId: 'A', securityProfile: 0, registrationStatus: 'Accepted' } as const
  await place.writes.createChargePoint({ ...gone, createdAt: place.now() })
  const client = await place.addClient({ kind: 'public' })
  const chosen = { share: 'chosen', chargePoints: ['CP1', 'GONE'] }
  const { browser, grant } = await obtainTokens(place, client, place.ada, {}, chosen)
  await place.writes.deleteChargePoint('A', 'GONE')
  const path = `/dashboard/applications/${grant.id}`
  const html = await (await browser.get(path)).text()
  const sent = new URLSearchParams({ csrf: csrfOf(html, path), decision: 'save', share: 'chosen' })
  for (const id of sentChargePoints(html)) sent.append('chargePoint', id)
  expect((await browser.post(path, sent)).status).toBe(303)
  expect((await place.reads.findGrant(grant.id))?.chargePoints).toEqual(['CP1'])
})
it('OIDC-T7: connected applications: a reused refresh token is shown', async () => {
  const client = await place.addClient({ kind: 'public' })
  const { browser, tokens } = await obtainTokens(place, client, place.bob)
  await refresh(place, client, tokens.refresh_token)
  await refresh(place, client, tokens.refresh_token)
  expect(await (await browser.get('/dashboard/applications')).text()).toContain('already used')
})
it('OIDC-C8: connected applications: after disconnecting the next authorize shows consent', async () => {
  const client = await place.addClient({ kind: 'public' })
  const { browser, grant } = await obtainTokens(place, client, place.bob)
  await place.writes.revokeGrant(grant.id, place.now())
  const first = await browser.get(startOf(place, client.id).url)
  expect(first.headers.get('location')).toContain('/oauth/interaction/')
  expect((await consent(browser, startOf(place, client.id).url)).status).toBe(303)
})

it('OIDC-G8: an administrator creates a client, sees the secret once, rotates it, disables and deletes it', async () => {
  const browser = await place.signedIn(place.ada)
  const html = await (await browser.get('/dashboard/developer/clients')).text()
  const csrf = csrfOf(html, '/clients')
  const fields = {
    csrf,
    name: 'New App',
    kind: 'confidential',
    type: 'web',
    redirectUris: 'https://new.example/cb\r\n\r\nhttps://new.example/cb2',
    scope: 'openid',
  }
  const created = await browser.post('/dashboard/developer/clients', fields)
  const page = await created.text()
  const [secret = ''] = page.match(/pws_[\w-]{43}/) ?? []
  expect([created.status, secret]).toEqual([201, expect.stringMatching(/^pws_/)])
  const client = (await place.reads.listClients('A')).find(({ name }) => name === 'New App')
  const path = `/dashboard/developer/clients/${client?.id}`
  expect(client?.redirectUris).toEqual(['https://new.example/cb', 'https://new.example/cb2'])
  expect(await (await browser.get(path)).text()).not.toContain('pws_')
  const changed = await browser.post(path, {
    csrf,
    name: 'Renamed',
    redirectUris: 'https://new.example/x',
    logoutUris: '',
    scope: 'openid',
  })
  expect(changed.status).toBe(303)
  expect((await browser.post(path, { csrf, name: 'R', redirectUris: 'javascript:x', scope: 'openid' })).status).toBe(
    400,
  )
  expect(await (await browser.post(`${path}/rotate-secret`, { csrf })).text()).toMatch(/pws_[\w-]{43}/)
  expect((await place.reads.findClient(client?.id ?? ''))?.secrets).toHaveLength(2)
  await browser.post(`${path}/disable`, { csrf })
  expect((await place.reads.findClient(client?.id ?? ''))?.disabledAt).toBeDefined()
  await browser.post(`${path}/enable`, { csrf })
  await browser.post(`${path}/delete`, { csrf })
  expect(await place.reads.findClient(client?.id ?? '')).toBeUndefined()
})
it('OIDC-L2: members and other accounts keep out, and forms need the token', async () => {
  const [bob, eve, ada] = [
    await place.signedIn(place.bob),
    await place.signedIn(place.eve),
    await place.signedIn(place.ada),
  ]
  expect((await bob.get('/dashboard/developer/clients')).status).toBe(403)
  expect((await bob.get('/dashboard/developer/credentials')).status).toBe(403)
  expect((await eve.get(`/dashboard/developer/clients/${place.web.id}`)).status).toBe(404)
  expect((await ada.post('/dashboard/developer/clients', { name: 'x' })).status).toBe(403)
  expect((await place.browser().get('/dashboard/developer/clients')).headers.get('location')).toMatch(
    /^\/dashboard\/login\?next=/,
  )
})
it('OIDC-U7: an administrator creates an API credential, sees it once, and revokes it', async () => {
  const browser = await place.signedIn(place.ada)
  const csrf = csrfOf(await (await browser.get('/dashboard/developer/credentials')).text(), '/credentials')
  const created = await browser.post('/dashboard/developer/credentials', { csrf, name: 'Billing' })
  const [text = ''] = (await created.text()).match(/pwk_[0-9a-z]+_[\w-]+/) ?? []
  expect((await api('/2/grants', text)).status).toBe(200)
  expect(await (await browser.get('/dashboard/developer/credentials')).text()).not.toContain(text)
  await browser.post(`/dashboard/developer/credentials/${text.split('_')[1]}/revoke`, { csrf })
  expect((await api('/2/grants', text)).status).toBe(401)
  expect((await browser.post('/dashboard/developer/credentials', { csrf, name: '' })).status).toBe(400)
})
