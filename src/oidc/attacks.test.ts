/**
 * What is left of the attacks of the field (the rules OIDC-V) that has no better place, and the search for secrets at
 * rest.
 */
import { createHmac, createPublicKey, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JWK } from 'jose'
import { expect, it } from 'vitest'
import { consent, locationOf, signIn, startOf } from '../../test/support/oidc/application.ts'
import { openPlace, placeOfTest } from '../../test/support/oidc/testing.ts'
import { exchangeFields, obtainTokens, postToken, refresh, userinfo } from '../../test/support/oidc/tokens.ts'
import { judgeCode } from '../domain/grants/judge.ts'
import { limitsInMemory } from '../limits/limits.ts'
import { hashOf } from './oidc-secrets.ts'

const place = await placeOfTest()

it('OIDC-V1: a verifier for a code that has no challenge is refused', () => {
  const code = {
    hash: '',
    familyId: '',
    grantId: '',
    clientId: 'c',
    userId: 'u',
    redirectUri: 'r',
    scopes: [],
    codeChallenge: '',
    authTime: 0,
    sid: '',
    createdAt: 0,
    expiresAt: 10,
    failures: 0,
  }
  const attempt = { now: 1, clientId: 'c', redirectUri: 'r', challenge: '' }
  expect(judgeCode(code, attempt, { grantRevoked: false, userDisabled: false })).toBe('verifier')
})

it('OIDC-V17: forged hints (alg none, HS256 with the public key, other issuer, changed claims) are refused', async () => {
  const { tokens, browser } = await obtainTokens(place, place.web, place.ada, { scope: 'openid' })
  const [header = '', payload = '', signature = ''] = (tokens.id_token ?? '').split('.')
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
  const { keys } = (await (await fetch(`${place.issuer}/.well-known/jwks.json`)).json()) as { keys: JWK[] }
  const pem = createPublicKey({ key: keys[0] as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const hs = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${payload}`
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const forged = [
    `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${encode({ alg: 'none', typ: 'JWT', kid })}.${payload}.${signature}`,
    `${hs}.${createHmac('sha256', pem).update(hs).digest('base64url')}`,
    `${header}.${encode({ ...claims, sub: 'bob' })}.${signature}`,
    `${header}.${encode({ ...claims, iss: 'https://evil.example' })}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    '..',
    'x'.repeat(5000),
  ]
  for (const hint of forged) {
    const response = await browser.get(
      startOf(place, place.web.id, { id_token_hint: hint, prompt: 'none', scope: 'openid' }).url,
    )
    expect(locationOf(response).searchParams.get('error')).toBe('invalid_request')
  }
})

it('OIDC-V20: every redirect of the flow is a 303, also after the password', async () => {
  const browser = place.browser()
  const start = startOf(place, place.spa.id)
  const statuses = [
    (await browser.get(start.url)).status,
    (await signIn(browser, start.url, 'bob@example.com')).status,
    (await consent(browser, start.url)).status,
  ]
  expect(statuses).toEqual([303, 303, 303])
})

it.each([
  ['/token', 'grant_type[]=authorization_code&code[]=x&client_id[]=a'],
  ['/token', 'grant_type=authorization_code&code=%00&client_id=%00&redirect_uri=%00&code_verifier=%00'],
  ['/token', 'grant_type=refresh_token&refresh_token[$ne]=x&client_id=a'],
  ['/token', '%%%=%%%&=&&&'],
  ['/token', `grant_type=authorization_code&client_id=${'x'.repeat(60_000)}`],
  ['/revoke', 'token[]=x&client_id[]=y'],
  ['/introspect', 'token=%00&client_id=%00'],
  ['/userinfo', 'access_token=%00'],
])('OIDC-V25: %s with %s is 4xx, never 5xx', async (path, body) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status } = await fetch(place.issuer + path, { method: 'POST', body, headers })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

it.each(['%', '_', 'pwa_%', "' OR ''='", '*'])('OIDC-V10, OIDC-V25: %j finds nothing', async (text) => {
  expect((await userinfo(place, text)).status).toBe(401)
  expect((await refresh(place, place.spa, text)).status).toBe(400)
  const page = await place.browser().get(startOf(place, text).url)
  expect(page.status).toBe(400)
})

it('OIDC-X3, OIDC-V24: after a whole flow neither log nor database holds a secret in clear', async () => {
  const own = await openPlace({ refreshGraceSeconds: 10 })
  const browser = own.browser()
  const start = startOf(own, own.web.id)
  const password = 'correct horse battery'
  const signedIn = await signIn(browser, start.url, 'ada@example.com', password)
  const handle = (signedIn.headers.get('location') ?? '').split('/').at(-1) ?? ''
  const answer = await consent(browser, start.url)
  const code = locationOf(answer).searchParams.get('code') ?? ''
  await postToken(own, { ...exchangeFields(own.web, code, start), code_verifier: 'a'.repeat(43) })
  const tokens = (await (await postToken(own, exchangeFields(own.web, code, start))).json()) as Record<string, string>
  const next = (await (await refresh(own, own.web, tokens.refresh_token)).json()) as Record<string, string>
  await userinfo(own, 'pwa_wrong')
  const secrets = [
    password,
    code,
    start.verifier,
    own.web.secret,
    handle,
    ...browser.cookies.values(),
    tokens.access_token,
    tokens.refresh_token,
    tokens.id_token,
    next.access_token,
    next.refresh_token,
  ]
  const folder = dirname(own.databasePath)
  const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  for (const secret of secrets) {
    expect(secret?.length).toBeGreaterThan(10)
    for (const file of stored) expect(file.includes(secret ?? '')).toBe(false)
    expect(own.logged.join('\n')).not.toContain(secret)
  }
  expect(stored.some((file) => file.includes(hashOf(next.access_token ?? '')))).toBe(true)
  await own.close()
})

it('OIDC-X2, OIDC-B5: when the database is gone the answer is 503 without a stack, and pages say so', async () => {
  const own = await openPlace()
  const url = startOf(own, own.web.id).url
  const failing = Object.assign(new Error('the disk is full'), { code: 'storage_full' })
  const broken = await import('./create-oidc.ts').then(({ createOidc }) =>
    createOidc({
      reads: new Proxy(own.reads, { get: () => () => Promise.reject(failing) }),
      writes: own.writes,
      config: own.config,
      now: own.now,
      random: randomBytes,
      limits: limitsInMemory(own.now),
      log: { info: () => {}, warn: () => {}, error: () => {} },
      clientOrigin: () => ({ address: '' }),
      connectivity: async () => [],
    }),
  )
  const response = await broken.routes.request('/1/oauth/service/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' }),
  })
  expect([response.status, await response.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }])
  const page = await broken.routes.request(url)
  expect(page.status).toBe(503)
  expect(await page.text()).not.toMatch(/disk|at .*\.ts/)
  await own.close()
})
