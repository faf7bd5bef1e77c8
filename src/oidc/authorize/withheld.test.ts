/** What a user may not give an application is neither offered nor granted, and does not count (ADMIN-A3). */
import { afterAll, expect, it } from 'vitest'
import { locationOf, openPage, startOf } from '../../../test/support/oidc/application.ts'
import { csrfOf, fieldsOf } from '../../../test/support/oidc/browser.ts'
import { openPlace } from '../../../test/support/oidc/testing.ts'
import { obtainTokens } from '../../../test/support/oidc/tokens.ts'
import type { Client } from '../../domain/ports/storage-oidc.ts'

const ACTING = ['control', 'configure', 'firmware', 'certificates'].map((what) => `chargers:${what}`)
const READING = ['openid', 'chargers:read']
const ASKED = { scope: [...READING, ...ACTING].join(' ') }

const place = await openPlace()
const ofAccount = await place.addClient({ kind: 'public' })
const registered: Client = { ...ofAccount, id: 'registered', origin: 'dynamic', secrets: [] }
await place.writes.createClient(registered)
afterAll(() => place.close())

const offered = async (client: Client, user = place.mia) => {
  const { html } = await openPage(await place.signedIn(user), startOf(place, client.id, ASKED).url)
  return { scopes: fieldsOf(html, 'scope'), note: html.includes('your role may not grant it') }
}

it('ADMIN-A3: a member gives them to an application of the account, not to one that registered itself', async () => {
  expect(await offered(registered)).toEqual({ scopes: READING, note: true })
  expect(await offered(ofAccount)).toEqual({ scopes: [...READING, ...ACTING], note: false })
  const { tokens } = await obtainTokens(place, registered, place.mia, ASKED)
  expect(tokens.scope.split(' ')).toEqual(READING)
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ scopes: READING })
  const other = await obtainTokens(place, ofAccount, place.mia, ASKED)
  expect(await place.oidc.verifyAccessToken(other.tokens.access_token)).toMatchObject({
    scopes: [...READING, ...ACTING],
  })
  // What it may have is given: it is not asked for again.
  const again = await (await place.signedIn(place.mia)).get(startOf(place, registered.id, ASKED).url)
  expect(locationOf(again).searchParams.has('code')).toBe(true)
})

it('ADMIN-A3: operators and administrators give them to both, viewers to none', async () => {
  for (const user of [place.otto, place.ada]) {
    expect(await offered(registered, user)).toEqual({ scopes: [...READING, ...ACTING], note: false })
  }
  for (const client of [registered, ofAccount]) {
    expect(await offered(client, place.bob)).toEqual({ scopes: READING, note: true })
  }
})

it('ADMIN-A3: what was given before does not count for a member, and posted by hand it is refused', async () => {
  const { tokens } = await obtainTokens(place, registered, place.otto, ASKED)
  await place.writes.changeUser('A', 'otto', { role: 'member' })
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toMatchObject({ scopes: READING })
  const server = await place.addClient({ name: 'API', resourceServer: true })
  const asked = { token: tokens.access_token, client_id: server.id, client_secret: server.secret }
  const reported = await fetch(`${place.issuer}/introspect`, { method: 'POST', body: new URLSearchParams(asked) })
  expect(await reported.json()).toMatchObject({ active: true, scope: READING.join(' ') })
  const browser = await place.signedIn(place.otto)
  const start = startOf(place, registered.id, { ...ASKED, prompt: 'consent' })
  const { html, path } = await openPage(browser, start.url)
  const fields = { csrf: csrfOf(html, '/consent'), decision: 'approve', share: 'all', scope: 'chargers:control' }
  expect((await browser.post(`${path}/consent`, fields)).status).toBe(400)
})

it('ADMIN-A3: an application that asks for nothing else gets nothing', async () => {
  const scope = ACTING.join(' ')
  const browser = await place.signedIn(place.mia)
  const silent = await browser.get(startOf(place, registered.id, { scope, prompt: 'none' }).url)
  expect(locationOf(silent).searchParams.get('error')).toBe('consent_required')
  const { html, path } = await openPage(browser, startOf(place, registered.id, { scope }).url)
  const fields = { csrf: csrfOf(html, '/consent'), decision: 'approve', share: 'all' }
  const answer = await browser.post(`${path}/consent`, fields)
  expect(locationOf(answer).searchParams.get('error')).toBe('access_denied')
})
