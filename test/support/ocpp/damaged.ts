/** Payloads as no charge point should send them. */

import fc from 'fast-check'
import { isObject, type Payload } from '../../../src/ocpp/translate/payload.ts'

/** `String` and `Number` of it throw. */
const NO_TEXT = { toString: '', valueOf: '' }

/** Any JSON value, with what readers stumble over more often than chance would have it. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    '',
    '0',
    '-1',
    'NaN',
    '1e300',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    0,
    -1,
    0.5,
    null,
    undefined,
    true,
    1e300,
    Number.POSITIVE_INFINITY,
    2 ** 53 + 2,
    [],
    {},
    [[]],
    [null],
    NO_TEXT,
    [NO_TEXT],
  ),
)

/** A realistic payload in which any members, at any place, have been taken out, replaced or added. */
export function damaged(payload: Payload): fc.Arbitrary<Payload> {
  const member = fc.oneof(fc.constantFrom('', ...namesIn(payload), '__proto__', 'constructor'), fc.string())
  return fc
    .array(fc.tuple(member, anyValue), { maxLength: 4 })
    .map((changes) => replace(payload, new Map(changes)) as Payload)
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
}

/** The first item of each list is what replaces the empty name. */
function replace(value: unknown, replacements: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => replace(item, replacements))
    return replacements.has('') ? [replacements.get(''), ...items.slice(1)] : items
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      replacements.has(name) ? replacements.get(name) : replace(member, replacements),
    ]),
  )
}
