import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import { parseAuthorization } from './parse.ts'

const BASE = 'https://charging.example.com'
const client: Client = {
  id: 'app',
  kind: 'public',
  applicationType: 'web',
  name: 'App',
  redirectUris: ['https://app.example.com/cb', 'https://app.example.com/cb2'],
  postLogoutRedirectUris: [],
  scopes: ['openid', 'offline_access', 'sessions:read'],
  grantTypes: ['authorization_code', 'refresh_token'],
  origin: 'administrator',
  links: {},
  createdAt: 0,
  secrets: [],
}
const good: Record<string, string> = {
  client_id: 'app',
  redirect_uri: 'https://app.example.com/cb',
  response_type: 'code',
  scope: 'openid sessions:read',
  state: 'st',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

function parse(change: Record<string, string | undefined> = {}, extra = '', registered: Client | undefined = client) {
  const params = new URLSearchParams(
    Object.entries({ ...good, ...change }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return parseAuthorization(new URLSearchParams(`${params}${extra}`), registered, BASE)
}
function outcome(...args: Parameters<typeof parse>): string {
  const parsed = parse(...args)
  if (parsed.kind === 'page') return `page ${parsed.fault}`
  return parsed.kind === 'error' ? parsed.error.error : 'request'
}

it('a whole request', () =>
  expect(parse({ nonce: 'n', max_age: '60', prompt: 'login consent', login_hint: 'a@b', ui_locales: 'de' })).toEqual({
    kind: 'request',
    request: {
      clientId: 'app',
      redirectUri: 'https://app.example.com/cb',
      state: 'st',
      nonce: 'n',
      scopes: ['openid', 'sessions:read'],
      codeChallenge: good.code_challenge,
      prompts: ['login', 'consent'],
      maxAgeSeconds: 60,
      loginHint: 'a@b',
      uiLocales: 'de',
    },
  }))

it.each([
  ['OIDC-A1', { client_id: undefined }, 'page client_id_missing'],
  ['OIDC-A1', { client_id: '' }, 'page client_id_missing'],
  ['OIDC-A2', { redirect_uri: undefined }, 'page redirect_uri_missing'],
  ['OIDC-A2', { redirect_uri: '' }, 'page redirect_uri_missing'],
  ['OIDC-A2', { redirect_uri: 'https://evil.example/' }, 'page redirect_uri_unregistered'],
  ['OIDC-A3', { redirect_uri: 'https://app.example.com/cb/' }, 'page redirect_uri_unregistered'],
  ['OIDC-A6', { response_type: undefined }, 'invalid_request'],
  ['OIDC-A6', { response_type: 'token' }, 'unsupported_response_type'],
  ['OIDC-A6', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ['OIDC-A6', { response_type: 'code code' }, 'unsupported_response_type'],
  ['OIDC-A7, OIDC-V1', { code_challenge: undefined }, 'invalid_request'],
  ['OIDC-A7, OIDC-V1', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['OIDC-A7', { code_challenge_method: undefined }, 'invalid_request'],
  ['OIDC-A7', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['OIDC-A7', { code_challenge_method: 's256' }, 'invalid_request'],
  ['OIDC-A7', { code_challenge: 'short' }, 'invalid_request'],
  ['OIDC-A7', { code_challenge: `${good.code_challenge}=` }, 'invalid_request'],
  ['OIDC-A7', { code_challenge: `${good.code_challenge?.slice(1)}+` }, 'invalid_request'],
  ['OIDC-A8', { scope: undefined }, 'invalid_scope'],
  ['OIDC-A8', { scope: '' }, 'invalid_scope'],
  ['OIDC-A8', { scope: '   ' }, 'invalid_scope'],
  ['OIDC-A8', { scope: 'openid "x"' }, 'invalid_scope'],
  ['OIDC-A8', { scope: 'openid\u00e9' }, 'invalid_scope'],
  ['OIDC-A8', { scope: 'unknown other' }, 'invalid_scope'],
  ['OIDC-A8', { scope: 'openid chargers:read' }, 'invalid_scope'],
  ['OIDC-A8', { scope: 'openid unknown' }, 'request'],
  ['OIDC-A9', { scope: 'sessions:read' }, 'request'],
  ['OIDC-A10', { state: '' }, 'request'],
  ['OIDC-A10', { anything: 'else' }, 'request'],
  ['OIDC-A13', { request: 'eyJ' }, 'request_not_supported'],
  ['OIDC-A13, OIDC-V13', { request_uri: 'http://127.0.0.1:1/x' }, 'request_uri_not_supported'],
  ['OIDC-A13', { registration: '{}' }, 'registration_not_supported'],
  ['OIDC-A13', { response_mode: 'fragment' }, 'invalid_request'],
  ['OIDC-A13', { response_mode: 'form_post' }, 'invalid_request'],
  ['OIDC-A13', { response_mode: 'query' }, 'request'],
  ['OIDC-K10', { resource: BASE }, 'request'],
  ['OIDC-K10, OIDC-N7', { resource: `${BASE}/` }, 'request'],
  ['OIDC-K10', { resource: `${BASE}/2` }, 'invalid_target'],
  ['OIDC-K10', { resource: 'https://other.example' }, 'invalid_target'],
  ['OIDC-P1', { prompt: 'none login' }, 'invalid_request'],
  ['OIDC-P1', { prompt: 'consent none' }, 'invalid_request'],
  ['OIDC-P2', { prompt: 'create' }, 'invalid_request'],
  ['OIDC-P2, OIDC-P3', { prompt: 'select_account' }, 'invalid_request'],
  ['OIDC-P2', { prompt: 'None' }, 'invalid_request'],
  ['OIDC-P5', { max_age: '-1' }, 'invalid_request'],
  ['OIDC-P5', { max_age: '1.5' }, 'invalid_request'],
  ['OIDC-P5', { max_age: 'x' }, 'invalid_request'],
  ['OIDC-P5', { max_age: '0' }, 'request'],
  ['OIDC-P5', { max_age: '99999999999999999999' }, 'request'],
  ['OIDC-P5', { max_age: '9'.repeat(400) }, 'request'],
  [
    'OIDC-P7',
    { display: 'popup', acr_values: 'x y', claims_locales: 'fr', ui_locales: 'xx', login_hint: '<b>' },
    'request',
  ],
])('%s: %j -> %s', (_id, change, expected) => expect(outcome(change)).toBe(expected))

it('OIDC-A1: an unknown client', () => {
  const parsed = parseAuthorization(new URLSearchParams(good), undefined, BASE)
  expect(parsed).toEqual({ kind: 'page', fault: 'client_unknown' })
})
it('OIDC-A1: a disabled client', () =>
  expect(outcome({}, '', { ...client, disabledAt: 1 })).toBe('page client_unknown'))
it('OIDC-A1 before OIDC-A2: nothing is said about the address of a client that does not exist', () =>
  expect(parseAuthorization(new URLSearchParams({ client_id: 'x' }), undefined, BASE)).toEqual({
    kind: 'page',
    fault: 'client_unknown',
  }))

it.each(['client_id', 'redirect_uri'])('OIDC-A10: %s twice is a page', (name) =>
  expect(outcome({}, `&${name}=${encodeURIComponent(good[name] ?? '')}`)).toBe('page parameter_twice'),
)
it.each(['scope', 'state', 'nonce', 'prompt', 'code_challenge', 'foo', 'code%5B%5D'])(
  'OIDC-A10: %s twice goes back as invalid_request',
  (name) => expect(outcome({}, `&${name}=a&${name}=b`)).toBe('invalid_request'),
)
it('OIDC-A10, OIDC-A11: an ambiguous state is not sent back', () => {
  const parsed = parse({}, '&state=other')
  expect(parsed.kind === 'error' && parsed.error).not.toHaveProperty('state')
})
it('OIDC-A10, OIDC-A6, OIDC-N4: duplicates come before the response type, that before PKCE, that before scope', () => {
  expect(parse({ response_type: 'x' }, '&a=1&a=2')).toMatchObject({ error: { description: 'a is given twice' } })
  expect(outcome({ response_type: 'x', code_challenge: undefined })).toBe('unsupported_response_type')
  expect(outcome({ code_challenge: undefined, scope: undefined })).toBe('invalid_request')
  expect(outcome({ scope: undefined, prompt: 'bad' })).toBe('invalid_scope')
})
it('OIDC-A8: + and %20 both mean space', () => {
  for (const scope of ['openid+sessions:read', 'openid%20sessions%3Aread']) {
    const { scope: _, ...rest } = good
    const parsed = parseAuthorization(new URLSearchParams(`${new URLSearchParams(rest)}&scope=${scope}`), client, BASE)
    expect(parsed).toMatchObject({ kind: 'request', request: { scopes: ['openid', 'sessions:read'] } })
  }
})

it('property: any text in any parameter gives an answer, and descriptions keep to the allowed characters', () => {
  const names = [...Object.keys(good), 'prompt', 'max_age', 'nonce', 'request', 'resource', 'ui_locales', 'code[]']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.string({ unit: 'binary', maxLength: 40 })), (change) => {
      const parsed = parse(change)
      if (parsed.kind !== 'error') return
      expect(parsed.error.description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(client.redirectUris).toContain(parsed.error.redirectUri)
    }),
  )
})
