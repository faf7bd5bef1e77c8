import { expect, it } from 'vitest'
import { cookieValue } from './cookies.ts'

it.each([
  ['pilotwire_sid=abc', 'abc'],
  ['a=b; pilotwire_sid=abc; c=d', 'abc'],
  ['a=b;pilotwire_sid= abc ;c=d', 'abc'],
  ['pilotwire_sid=a=b', 'a=b'],
  ['pilotwire_sid=first; pilotwire_sid=second', 'first'],
  ['xpilotwire_sid=no; pilotwire_sidx=no', undefined],
  ['a="; pilotwire_sid=abc', 'abc'],
  ['pilotwire_sid=', undefined],
  ['pilotwire_sid', undefined],
  ['', undefined],
  ['pilotwire_sid=%E0%A4%A', '%E0%A4%A'],
])('OIDC-U9: is found by its name, and taken as it stands: %j', (header, value) =>
  expect(cookieValue(header, 'pilotwire_sid')).toBe(value),
)
