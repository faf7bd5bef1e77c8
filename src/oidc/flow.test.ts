import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { consent, locationOf, signIn, startOf } from '../../test/support/oidc/application.ts'
import { placeOfTest } from '../../test/support/oidc/testing.ts'
import { exchangeFields, postToken, type Tokens, userinfo } from '../../test/support/oidc/tokens.ts'
import { expectTexts } from '../../test/support/texts.ts'
import { accessTokenHash } from './token/id-token.ts'

const place = await placeOfTest()

it('OIDC-I1, OIDC-I3, OIDC-T1: sign-in with the password, consent, code, tokens, userinfo', async () => {
  const browser = place.browser()
  const start = startOf(place, place.web.id, {
    nonce: 'n-1',
    scope: 'openid offline_access profile email sessions:read',
  })
  const signedIn = await signIn(browser, start.url, 'ADA@example.com')
  expect(signedIn.status).toBe(303)
  const page = await browser.get(signedIn.headers.get('location') ?? '')
  const html = await page.text()
  expect(page.status).toBe(200)
  expectTexts(html, 'Fleet App', 'app.example.com', 'Depot North')
  const answer = await consent(browser, start.url)
  expect(answer.status).toBe(303)
  const to = locationOf(answer)
  expect(to.origin + to.pathname).toBe('https://app.example.com/cb')
  expect(Object.fromEntries(to.searchParams)).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: start.state,
    iss: place.issuer,
  })

  const response = await postToken(place, exchangeFields(place.web, to.searchParams.get('code') ?? '', start))
  expect(response.status).toBe(200)
  const tokens = (await response.json()) as Tokens
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^pwa_[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    id_token: expect.any(String),
    refresh_token: expect.stringMatching(/^pwr_[\w-]{43}$/),
    scope: 'openid offline_access profile email sessions:read',
  })
  const keys = createRemoteJWKSet(new URL(`${place.issuer}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(tokens.id_token ?? '', keys, {
    issuer: place.issuer,
    audience: place.web.id,
    algorithms: ['RS256'],
  })
  expect(payload).toMatchObject({
    sub: 'ada',
    nonce: 'n-1',
    aud: place.web.id,
    acr: 'urn:pilotwire:pwd',
    amr: ['pwd'],
    at_hash: accessTokenHash(tokens.access_token),
    sid: expect.any(String),
    auth_time: expect.any(Number),
  })
  expect(payload).not.toHaveProperty('azp')
  expect(payload).not.toHaveProperty('email')
  expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({
    alg: 'RS256',
    typ: 'JWT',
    kid: expect.any(String),
  })
  expect(await (await userinfo(place, tokens.access_token)).json()).toEqual({
    sub: 'ada',
    name: 'The ada',
    preferred_username: 'ada',
    updated_at: expect.any(Number),
    email: 'ada@example.com',
    email_verified: false,
  })
  const again = await browser.get(startOf(place, place.web.id).url)
  expect(locationOf(again).searchParams.has('code')).toBe(true)
})
