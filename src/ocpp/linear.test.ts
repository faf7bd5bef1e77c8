/** OCPP-RP12: all work on a frame is linear in its size. Counted in characters that are looked at, not in time. */
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { forRuns } from '../../test/support/property.ts'
import { mask, maskUnreadable } from './mask.ts'
import { readFrames } from './rpc/frame.ts'
import { versions } from './versions.ts'

afterEach(() => vi.restoreAllMocks())

/** Characters that pass through the functions by which texts are read: one each, or the whole text that is searched. */
function charactersRead(work: () => unknown): number {
  let read = 0
  const counted = <Name extends 'charCodeAt' | 'charAt' | 'slice' | 'trim' | 'replaceAll' | 'indexOf'>(
    name: Name,
    cost: (text: string, found: unknown, from: unknown) => number,
  ): void => {
    const original = String.prototype[name] as (...parameters: unknown[]) => unknown
    const spied = vi.spyOn(String.prototype as unknown as Record<string, (...given: unknown[]) => unknown>, name)
    spied.mockImplementation(function (this: unknown, ...parameters: unknown[]) {
      const found = original.apply(this, parameters)
      read += cost(String(this), found, parameters[1])
      return found
    })
  }
  counted('charCodeAt', () => 1)
  counted('charAt', () => 1)
  counted('slice', (_, found) => String(found).length)
  counted('trim', (text) => text.length)
  counted('replaceAll', (text) => text.length)
  counted('indexOf', (text, found, from) => (Number(found) < 0 ? text.length : Number(found)) - Number(from ?? 0) + 1)
  // `test`, `replace` and `matchAll` go through it as well, once per match.
  const { exec } = RegExp.prototype
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    const from = this.global ? this.lastIndex : 0
    const found = exec.call(this, text)
    read += (found ? found.index + found[0].length : text.length) - from + 1
    return found
  })
  try {
    work()
  } finally {
    vi.restoreAllMocks()
  }
  return read
}

const piece = fc
  .array(
    fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      '\\',
      '\\"',
      ',',
      ':',
      ' ',
      '\u0000',
      '0',
      '1e',
      '.',
      '-',
      'nan',
      'a',
      '@',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const before = fc.constantFrom(
  '',
  '[',
  '[2,"a","X",',
  '[2,"a","DataTransfer",{"vendorId":"',
  '[2,',
  ' ',
  '\uFEFF[',
  '"',
)
const after = fc.constantFrom('', ']', '}]', '"}]', '"')

it('OCPP-RP12: four times the text takes about four times the reading, whatever is repeated in it', () => {
  forRuns(60)(before, piece, after, (head, repeated, tail) => {
    const reading = (times: number): number => {
      const text = head + repeated.repeat(times) + tail
      return charactersRead(() => readFrames(text))
    }
    expect(reading(1600)).toBeLessThan(4.5 * reading(400) + 20_000)
  })
})

it('OCPP-RP12: a message is validated, repaired and masked in proportion to its size', () => {
  const sample = (number: number): object => ({
    timestamp: 'never',
    sampledValue: [{ value: number, context: 'odd', unit: null, format: 'raw ' }],
  })
  const payload = (size: number): Readonly<Record<string, unknown>> => ({
    connectorId: '1',
    transactionId: 1,
    meterValue: Array.from({ length: size }, (_, number) => sample(number)),
    [`password${size}`]: 'x',
  })
  const reading = (size: number): number => {
    const given = payload(size)
    const text = JSON.stringify(given)
    return charactersRead(() => {
      versions['ocpp1.6'].validateCall('MeterValues', given, 'lenient')
      mask(text, given)
      maskUnreadable(text)
    })
  }
  reading(1)
  expect(reading(2000)).toBeLessThan(4.5 * reading(500) + 20_000)
})
