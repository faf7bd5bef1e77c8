import { expect, it } from 'vitest'
import { redirectComplaint } from './check.ts'
import { answerLocation } from './location.ts'

it.each([
  ['https://app.example.com/cb', 'web'],
  ['https://app.example.com', 'web'],
  ['https://app.example.com:8443/cb?x=%20y', 'web'],
  ['http://localhost:3000/cb', 'web'],
  ['http://127.0.0.1/cb', 'native'],
  ['http://[::1]:7777/cb', 'native'],
  ['https://app.example.com/claimed', 'native'],
  ['com.example.app:/cb', 'native'],
  ['com.example.app://cb', 'native'],
] as const)('OIDC-G4: redirect addresses: %s is fine (%s)', (uri, type) =>
  expect(redirectComplaint(uri, type)).toBeUndefined(),
)

it.each([
  '',
  'cb',
  '/cb',
  '//app.example.com/cb',
  'https://',
  'https:///cb',
  'https:app.example.com/cb',
  'https://app.example.com/cb#f',
  'https://app.example.com/cb#',
  'https://user@app.example.com/cb',
  'https://user:pw@app.example.com/cb',
  'https://good%40evil.example/cb',
  'https://*.example.com/cb',
  'https://app.example.com/*',
  'https://app.example.com/a/../cb',
  'https://app.example.com/%2e%2E/cb',
  'https://app.example.com/./cb',
  'https://APP.example.com/cb',
  'https://app.example.com:443/cb',
  'https://app.example.com\\cb',
  'https://app.example.com/c b',
  'https://app.example.com/%zz',
  'https://app.example.com/\tcb',
  'https://app.example.com/cb\n',
  'https://app.example.com/\u0000',
  'https://аpp.example.com/cb',
  'http://app.example.com/cb',
  'http://127.0.0.2/cb',
  'http://localhost.evil.example/cb',
  'http://2130706433/cb',
  'HTTPS://app.example.com/cb',
  'noscheme.example',
  'myapp:/cb',
  'myapp://cb',
  'com.example.app:/a@b',
  `https://app.example.com/${'a'.repeat(2048)}`,
])('OIDC-G4: redirect addresses: refused, also for native clients: %j', (uri) => {
  expect(redirectComplaint(uri, 'native')).toBeTypeOf('string')
  expect(redirectComplaint(uri, 'web')).toBeTypeOf('string')
})

it.each([
  'https://a;sandbox;x/cb',
  'https://a,b.example/cb',
  "https://a'b.example/cb",
  ...[
    ';',
    ',',
    "'",
    '"',
    '`',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u0000',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u2028',
    '%0d%0A',
    '%00',
    '%7f',
  ].flatMap((sign) => [
    `https://app.example.com/a${sign}b`,
    `https://app.example.com/cb?a=${sign}`,
    `com.example.app:/a${sign}`,
  ]),
])('OIDC-R9: redirect addresses: what could end a directive or a header is refused anywhere: %j', (uri) => {
  expect(redirectComplaint(uri, 'native')).toBeTypeOf('string')
  expect(redirectComplaint(uri, 'web')).toBeTypeOf('string')
})

const SCHEMES = ['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'ws', 'wss', 'ftp', 'intent']
it.each(
  SCHEMES.flatMap((scheme) => [
    `${scheme}:alert(1)`,
    `${scheme.toUpperCase()}:alert(1)`,
    `${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}://app.example.com/cb`,
    ` ${scheme}:x`,
    `\t${scheme}:x`,
    `${scheme.slice(0, 2)}\n${scheme.slice(2)}:x`,
    `\u0001${scheme}:x`,
    `${scheme}\t:x`,
  ]),
)('OIDC-A5, OIDC-V5: redirect addresses: a dangerous scheme however it is spelled: %j', (uri) =>
  expect(redirectComplaint(uri, 'native')).toBeTypeOf('string'),
)

it('OIDC-G4: redirect addresses: private schemes are for native clients', () =>
  expect(redirectComplaint('com.example.app:/cb', 'web')).toContain('native'))

it.each([
  ['https://a.example/cb', 'https://a.example/cb?code=x&state=y'],
  ['https://a.example/cb?t=1', 'https://a.example/cb?t=1&code=x&state=y'],
  ['https://a.example/cb?', 'https://a.example/cb?code=x&state=y'],
  ['com.example.app:/cb', 'com.example.app:/cb?code=x&state=y'],
])('OIDC-A15: the query of %s is kept', (uri, expected) =>
  expect(answerLocation(uri, { code: 'x', state: 'y', nothing: undefined })).toBe(expected),
)

it.each(['a b', 'a+b&c=d', 'ü€😀', '"><script>', '%20', 'x'.repeat(2048), '\r\nSet-Cookie: a=b'])(
  'OIDC-A11: state comes back as it was: %j',
  (state) => expect(new URL(answerLocation('https://a.example/cb', { state })).searchParams.get('state')).toBe(state),
)
