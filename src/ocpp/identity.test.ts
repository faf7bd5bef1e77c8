import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { isIdentityOf201, isOcppTarget, readIdentity } from './identity.ts'

it.each([
  ['/ocpp/CP1', 'CP1'],
  ['/ocpp/RDAM%20123', 'RDAM 123'],
  ['/ocpp/a%2Fb', 'a/b'],
  ['/ocpp/CP1/', 'CP1'],
  ['/ocpp/CP1?token=x/y', 'CP1'],
  ['/ocpp/CP1/?x', 'CP1'],
  ['/ocpp//CP1', 'CP1'],
  ['/ocpp/100%2525', '100%25'],
  ['/ocpp/S%C3%A4ule', 'Säule'],
  ['/ocpp/a:b', 'a:b'],
  ['/ocpp/cp1', 'cp1'],
])('OCPP-T1: %s is the identity %s', (target, identity) => {
  expect(readIdentity(target)).toEqual({ ok: true, identity })
})

it.each([
  ['/ocpp/%E0%A4%A', 400],
  ['/ocpp/%', 400],
  ['/ocpp/%zz', 400],
  ['/ocpp/%ff', 400],
  ['/ocpp/.', 400],
  ['/ocpp/%2E%2E', 400],
  ['/ocpp/', 404],
  ['/ocpp//', 404],
  ['/ocpp', 404],
  ['/ocpp/?x', 404],
  ['/ocpp/a/b', 404],
  ['/ocpp/a//', 404],
  ['/other/a', 404],
  ['', 404],
])('OCPP-T2: %s is answered %i', (target, status) => {
  expect(readIdentity(target)).toMatchObject({ ok: false, status })
})

it.each(['/ocpp/a%00b', '/ocpp/a%0Ab', '/ocpp/%7F', '/ocpp/%C2%85', `/ocpp/${'x'.repeat(256)}`])(
  'OCPP-T3: control characters and more than 255 characters are answered 400: %s',
  (target) => expect(readIdentity(target)).toMatchObject({ ok: false, status: 400 }),
)

it.each(['200B', '202E', '2066', 'FEFF', '00AD', '2028', 'E0041'])(
  'OCPP-T3: one with the invisible U+%s connected',
  (point) => {
    const identity = `CP${String.fromCodePoint(Number.parseInt(point, 16))}1`
    const reason = 'The identity must not contain control or invisible characters.'
    expect(readIdentity(`/ocpp/${encodeURIComponent(identity)}`)).toEqual({ ok: false, status: 400, reason })
  },
)

it('OCPP-T3: 255 characters are accepted', () => {
  expect(readIdentity(`/ocpp/${'x'.repeat(255)}`)).toMatchObject({ ok: true })
})

it('OCPP-T2: no target ever throws, and every identity it can encode is read back', () => {
  forAll(fc.string(), (text) => Boolean(readIdentity(`/ocpp/${text}`)))
  const printable = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    // What can be no segment of a path is refused, see above.
    .filter((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) && !/^\.\.?$/.test(text))
  forAll(printable, (identity) => {
    expect(readIdentity(`/ocpp/${encodeURIComponent(identity)}`)).toEqual({ ok: true, identity })
  })
})

it.each([
  ['CP-1_*=+|@.', true],
  ['x'.repeat(48), true],
  ['x'.repeat(49), false],
  ['a:b', false],
  ['RDAM 123', false],
])('OCPP-T3: isIdentityOf201: %s may speak 2.0.1: %s', (identity, expected) => {
  expect(isIdentityOf201(identity)).toBe(expected)
})

it.each([
  ['/ocpp/CP1', true],
  ['/ocpp', true],
  ['/ocpp?x', true],
  ['/ocppx/CP1', false],
  ['/', false],
  ['http://host/ocpp/CP1', false],
])('isOcppTarget: %s: %s', (target, expected) => {
  expect(isOcppTarget(target)).toBe(expected)
})
