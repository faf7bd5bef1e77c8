import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesRedirect, nearestRedirect } from './match.ts'

const WEB = 'https://app.example.com/oauth/cb?tenant=a&x=1'

/** Every way that somebody once got past a redirect check (OIDC-A3, OIDC-V3, OIDC-V4). */
const MUTATIONS = [
  'https://app.example.com/oauth/cb?tenant=a&x=1/',
  'https://app.example.com/oauth/cb/?tenant=a&x=1',
  'https://app.example.com/oauth/cb',
  'https://app.example.com/oauth/cb?tenant=a',
  'https://app.example.com/oauth/cb?x=1&tenant=a',
  'https://app.example.com/oauth/cb?tenant=a&x=1&y=2',
  'https://app.example.com/oauth/cb?tenant=b&x=1',
  'https://app.example.com/oauth/cb?tenant=a&x=1#',
  'https://app.example.com/oauth/cb?tenant=a&x=1#f',
  'https://APP.example.com/oauth/cb?tenant=a&x=1',
  'https://app.example.com/OAuth/cb?tenant=a&x=1',
  'HTTPS://app.example.com/oauth/cb?tenant=a&x=1',
  'http://app.example.com/oauth/cb?tenant=a&x=1',
  'https://app.example.com:443/oauth/cb?tenant=a&x=1',
  'https://app.example.com:8443/oauth/cb?tenant=a&x=1',
  'https://app.example.com./oauth/cb?tenant=a&x=1',
  'https://app.example.com//oauth/cb?tenant=a&x=1',
  'https://app.example.com/oauth//cb?tenant=a&x=1',
  'https://app.example.com/oauth/./cb?tenant=a&x=1',
  'https://app.example.com/oauth/x/../cb?tenant=a&x=1',
  'https://app.example.com/oauth/cb/..?tenant=a&x=1',
  'https://app.example.com/oauth/%2e/cb?tenant=a&x=1',
  'https://app.example.com/oauth/%2E%2e/cb?tenant=a&x=1',
  'https://app.example.com/oauth/cb..;/?tenant=a&x=1',
  'https://app.example.com/oauth/%63b?tenant=a&x=1',
  'https://app.example.com/oauth/cb%00?tenant=a&x=1',
  'https://app.example.com/oauth/cb\u0000?tenant=a&x=1',
  'https://app.example.com\\@evil.example/oauth/cb?tenant=a&x=1',
  'https://app.example.com\\oauth\\cb?tenant=a&x=1',
  'https://app.example.com@evil.example/oauth/cb?tenant=a&x=1',
  'https://good@app.example.com/oauth/cb?tenant=a&x=1',
  'https://app.example.com%40evil.example/oauth/cb?tenant=a&x=1',
  'https://app.example.com%25@evil.example/oauth/cb?tenant=a&x=1',
  'https://evil.example/?https://app.example.com/oauth/cb?tenant=a&x=1',
  'https://evil.example/#https://app.example.com/oauth/cb?tenant=a&x=1',
  'https://app.example.com.evil.example/oauth/cb?tenant=a&x=1',
  'https://appXexample.com/oauth/cb?tenant=a&x=1',
  'https://xn--app-example-com/oauth/cb?tenant=a&x=1',
  'https://аpp.example.com/oauth/cb?tenant=a&x=1',
  'https://app。example。com/oauth/cb?tenant=a&x=1',
  'https://app.example.com/oauth/cb?tenant=a&x=1\n',
  'https://app.example.com/oauth/cb?tenant=a&x=1\r\nSet-Cookie: a=b',
  'https://app.exa\tmple.com/oauth/cb?tenant=a&x=1',
  ' https://app.example.com/oauth/cb?tenant=a&x=1',
  'https://app.example.com/oauth/cb?tenant=a&x=1 ',
  'https://app.example.com/oauth/cb?tenant=a&x=1\u0000',
  '//app.example.com/oauth/cb?tenant=a&x=1',
  '/oauth/cb?tenant=a&x=1',
  'javascript:alert(1)//https://app.example.com/oauth/cb?tenant=a&x=1',
  'https:app.example.com/oauth/cb?tenant=a&x=1',
  'https:/app.example.com/oauth/cb?tenant=a&x=1',
  '*',
  '',
]

it('OIDC-A3: the corpus has at least 40 mutations', () => expect(new Set(MUTATIONS).size).toBeGreaterThanOrEqual(40))

it.each(['web', 'native'] as const)('OIDC-A3: the registered address matches (%s)', (applicationType) =>
  expect(matchesRedirect({ redirectUris: ['https://b.example/', WEB], applicationType }, WEB)).toBe(true),
)

it.each(MUTATIONS)('OIDC-A3, OIDC-V4: refused: %j', (received) => {
  expect(matchesRedirect({ redirectUris: [WEB], applicationType: 'web' }, received)).toBe(false)
  expect(matchesRedirect({ redirectUris: [WEB], applicationType: 'native' }, received)).toBe(false)
})

const native = {
  redirectUris: ['http://127.0.0.1/cb', 'http://127.0.0.1:1234/cb?a=1'],
  applicationType: 'native',
} as const
it.each([
  ['http://127.0.0.1/cb', true],
  ['http://127.0.0.1:1/cb', true],
  ['http://127.0.0.1:65535/cb', true],
  ['http://127.0.0.1:5000/cb?a=1', true],
  ['http://127.0.0.1/cb?a=1', true],
  ['http://127.0.0.1:65536/cb', false],
  ['http://127.0.0.1:0/cb', false],
  ['http://127.0.0.1:080/cb', false],
  ['http://127.0.0.1:/cb', false],
  ['http://127.0.0.1:5000/cb?a=2', false],
  ['http://127.0.0.1:5000/cb?a=1&b=2', false],
  ['http://127.0.0.1:5000/cb/', false],
  ['http://127.0.0.1:5000/CB', false],
  ['http://127.0.0.1:5000/cb#f', false],
  ['http://127.0.0.1:5000/cb\n', false],
  ['http://127.0.0.1:5000', false],
  ['https://127.0.0.1:5000/cb', false],
  ['HTTP://127.0.0.1:5000/cb', false],
  ['http://localhost:5000/cb', false],
  ['http://LOCALHOST:5000/cb', false],
  ['http://[::1]:5000/cb', false],
  ['http://127.0.0.2:5000/cb', false],
  ['http://127.1:5000/cb', false],
  ['http://2130706433:5000/cb', false],
  ['http://0x7f.0.0.1:5000/cb', false],
  ['http://127.0.0.1.evil.example:5000/cb', false],
  ['http://127.0.0.1:5000@evil.example/cb', false],
  ['http://user@127.0.0.1:5000/cb', false],
  ['http://127.0.0.1:5000\\@evil.example/cb', false],
])('OIDC-A4, OIDC-V3: native loopback %s -> %s', (received, expected) =>
  expect(matchesRedirect(native, received)).toBe(expected),
)

it('OIDC-A4: the port is free for [::1] and localhost as well, each for itself', () => {
  const both = { redirectUris: ['http://[::1]/cb', 'http://localhost:1/x'], applicationType: 'native' } as const
  expect(matchesRedirect(both, 'http://[::1]:99/cb')).toBe(true)
  expect(matchesRedirect(both, 'http://localhost:99/x')).toBe(true)
  expect(matchesRedirect(both, 'http://localhost:99/cb')).toBe(false)
})

it('OIDC-A4: never for web clients', () => {
  const web = { redirectUris: ['http://127.0.0.1:1234/cb'], applicationType: 'web' } as const
  expect(matchesRedirect(web, 'http://127.0.0.1:1234/cb')).toBe(true)
  expect(matchesRedirect(web, 'http://127.0.0.1:1235/cb')).toBe(false)
})

it('OIDC-A5: private schemes match exactly', () => {
  const app = { redirectUris: ['com.example.app:/cb'], applicationType: 'native' } as const
  expect(matchesRedirect(app, 'com.example.app:/cb')).toBe(true)
  for (const other of ['com.example.app:/CB', 'com.example.app://cb', 'COM.example.app:/cb', 'com.example.app:/cb/'])
    expect(matchesRedirect(app, other)).toBe(false)
})

it('OIDC-B2 (property): accepted iff byte-equal, or native loopback that differs in the port only', () => {
  const loopback = fc
    .tuple(
      fc.constantFrom('127.0.0.1', '[::1]', 'localhost'),
      fc.option(fc.integer({ min: 1, max: 65_535 })),
      fc.webPath(),
      fc.webQueryParameters(),
    )
    .map(([host, port, path, query]) => ({
      host,
      port,
      uri: `http://${host}${port === null ? '' : `:${port}`}${path || '/'}?${query}`,
      rest: `${path || '/'}?${query}`,
    }))
  fc.assert(
    fc.property(loopback, loopback, fc.boolean(), fc.boolean(), (registered, other, same, isNative) => {
      const received = same
        ? {
            ...other,
            rest: registered.rest,
            host: registered.host,
            uri: `http://${registered.host}:${other.port ?? 1}${registered.rest}`,
          }
        : other
      const expected =
        received.uri === registered.uri ||
        (isNative && received.host === registered.host && received.rest === registered.rest)
      expect(
        matchesRedirect({ redirectUris: [registered.uri], applicationType: isNative ? 'native' : 'web' }, received.uri),
      ).toBe(expected)
    }),
  )
})

it('OIDC-B2 (property): any other text is refused, whatever one character of difference', () => {
  fc.assert(
    fc.property(fc.nat(WEB.length), fc.string({ minLength: 1, maxLength: 2 }), (at, insert) => {
      const mutated = WEB.slice(0, at) + insert + WEB.slice(at)
      expect(matchesRedirect({ redirectUris: [WEB], applicationType: 'native' }, mutated)).toBe(mutated === WEB)
    }),
  )
})

it('OIDC-N3: says where the nearest registered address differs', () => {
  expect(nearestRedirect(['https://a.example/cb', 'https://b.example/cb'], 'https://b.example/cB')).toEqual({
    registered: 'https://b.example/cb',
    character: 20,
    expected: 'b',
    received: 'B',
  })
  expect(nearestRedirect([], 'x')).toBeUndefined()
})
