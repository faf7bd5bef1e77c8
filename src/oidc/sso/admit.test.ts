import { afterAll, beforeEach, expect, it } from 'vitest'
import { consent, locationOf, startOf } from '../../../test/support/oidc/application.ts'
import { CLIENT_ID, CLIENT_SECRET, companyProvider } from '../../../test/support/oidc/sso/provider.ts'
import { leave, returned } from '../../../test/support/oidc/sso/visits.ts'
import { openPlace, type Place } from '../../../test/support/oidc/testing.ts'
import { exchangeFields, postToken, refresh, type Tokens } from '../../../test/support/oidc/tokens.ts'

const company = await companyProvider()
const client = { ssoIssuer: company.issuer, ssoClientId: CLIENT_ID, ssoClientSecret: CLIENT_SECRET }
const place = await openPlace({ ...client, ssoRoles: [{ name: 'desk', role: 'operator' }] })
afterAll(async () => {
  await place.close()
  await company.stop()
})
let people = 0
const person = (more: object = {}) => {
  const sub = `p${++people}`
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Pat', roles: ['desk'], ...more }
}
beforeEach(() => {
  company.person = person()
  company.lies = {}
})

const signIn = async (browser = place.browser()) => returned(company, browser, await leave(browser))

const codeOf = async (browser: ReturnType<Place['browser']>) => {
  const start = startOf(place, place.web.id)
  const code = locationOf(await consent(browser, start.url)).searchParams.get('code') ?? ''
  return exchangeFields(place.web, code, start)
}

it.each([[{ roles: [] }], [{ roles: undefined }], [{ roles: ['another'] }]])(
  'ADMIN-K3: a user from whom the provider took every role: kept the other browser’s session and its applications’ tokens: with %j they end at the refused sign-in',
  async (lost) => {
    const browser = place.browser()
    await signIn(browser)
    const tokens = (await (await postToken(place, await codeOf(browser))).json()) as Tokens
    const unspent = await codeOf(browser)
    const bystander = await place.signedIn(place.otto)
    const has = company.person
    company.person = { ...has, ...lost }
    expect((await signIn()).status).toBe(403)

    expect((await browser.get('/dashboard/sign-ins')).status).toBe(303)
    expect(await place.oidc.verifyAccessToken(tokens.access_token)).toBeUndefined()
    expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(400)
    expect((await postToken(place, unspent)).status).toBe(400)
    expect((await bystander.get('/dashboard/sign-ins')).status).toBe(200)
    const user = await place.reads.findUserByEmail(String(has.email))
    const kept = await place.reads.searchAudit({ accountId: 'A', actor: String(has.email), limit: 2 })
    expect(kept.map(({ kind, userId }) => [kind, userId])).toEqual([
      ['sign_in_failed', user?.id],
      ['access_ended', user?.id],
    ])

    // Whoever gets a role again signs in anew; the consent is still there.
    company.person = has
    const again = place.browser()
    expect((await signIn(again)).status).toBe(303)
    expect((await browser.get('/dashboard/sign-ins')).status).toBe(303)
    expect((await postToken(place, await codeOf(again))).status).toBe(200)
  },
)

it('ADMIN-K3: a user from whom the provider took every role: a person without a role who was never here ends nothing, not even of the user with that address', async () => {
  const browser = await place.signedIn(place.otto)
  company.person = person({ email: place.otto.email, roles: [] })
  expect((await signIn()).status).toBe(403)
  expect((await browser.get('/dashboard/sign-ins')).status).toBe(200)
})

it('ADMIN-K4: the user of an unverified address kept the true owner out: the owner is let in as another user, and the first keeps their own', async () => {
  const squatter = person({ email_verified: undefined, name: 'Squatter' })
  company.person = squatter
  const theirs = place.browser()
  await signIn(theirs)
  const made = await place.reads.findUserByEmail(squatter.email)
  const owner = person({ email: squatter.email.toUpperCase(), name: 'Owner' })
  company.person = owner
  const owners = place.browser()
  expect((await signIn(owners)).status).toBe(303)
  const found = await place.reads.findUserByEmail(squatter.email)
  expect(found).toMatchObject({ name: 'Owner', email: owner.email })
  expect(found?.id).not.toBe(made?.id)
  expect(await (await owners.get('/dashboard/sign-ins')).text()).not.toContain('Squatter')
  expect((await theirs.get('/dashboard/sign-ins')).status).toBe(200)
  for (const [one, id] of [
    [squatter, made?.id],
    [owner, found?.id],
  ] as const) {
    company.person = one
    const browser = place.browser()
    expect((await signIn(browser)).status).toBe(303)
    expect((await place.reads.listLoginSessions(id ?? '')).length).toBe(2)
  }
})
