import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formActionSource } from './respond.tsx'

it.each([
  ['https://a.example/cb?x', 'https://a.example'],
  ['https://a.example:8443/cb', 'https://a.example:8443'],
  ['http://127.0.0.1:5000/cb', 'http://127.0.0.1:5000'],
  ['http://localhost:5000/cb', 'http://localhost:5000'],
  ['http://[::1]:5000/cb', 'http:'],
  ['com.example.app:/cb', 'com.example.app:'],
  ['https://a;sandbox;x/cb', 'https:'],
  ['https://a,b.example/cb', 'https:'],
  ["https://a'unsafe-inline'/cb", 'https:'],
  ['https://under_score.example/cb', 'https:'],
  ['no address', "'none'"],
])('OIDC-K5: form-action source of %s is %s', (uri, source) => expect(formActionSource(uri)).toBe(source))

it('OIDC-R9 (property): whatever is registered, one source comes out of it and no other directive', () => {
  const sign = fc.constantFrom(';', ',', "'", '"', ' ', '*', '@', ':', '/', '%3b', '\n', 'ü', 'a', '.')
  const uri = fc
    .tuple(fc.constantFrom('https://a', 'http://', 'com.example:', ''), fc.array(sign))
    .map(([head, rest]) => head + rest.join(''))
  fc.assert(
    fc.property(fc.oneof(uri, fc.webUrl(), fc.string()), (redirectUri) => {
      expect(formActionSource(redirectUri)).toMatch(/^(https?:\/\/[a-z0-9.-]+(:\d+)?|[a-z][a-z0-9+.-]*:|'none')$/)
    }),
    { numRuns: 1000 },
  )
})
