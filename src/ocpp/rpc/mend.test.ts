import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll, forRuns } from '../../../test/support/property.ts'
import { readFrames } from './frame.ts'
import { mendFrames } from './mend.ts'

it.each<readonly [name: string, text: string, frames: readonly unknown[]]>([
  ['a byte order mark', '\uFEFF[2,"a","Heartbeat",{}]', [[2, 'a', 'Heartbeat', {}]]],
  ['NUL behind the message', '[2,"a","Heartbeat",{}]\u0000\u0000', [[2, 'a', 'Heartbeat', {}]]],
  ['NUL in a string', '[2,"a","B",{"v":"Acme\u0000\u0000"}]', [[2, 'a', 'B', { v: 'Acme' }]]],
  ['control characters in a string', '[2,"a","B",{"v":"A\u0010\n\u000e"}]', [[2, 'a', 'B', { v: 'A\u0010\n\u000e' }]]],
  ['backslashes that escape nothing', '[2,"a","B",{"v":"C:\\dir\\u12"}]', [[2, 'a', 'B', { v: 'C:\\dir\\u12' }]]],
  ['no value', '[2,"a","B",{"transactionId":,"x":1,"y": }]', [[2, 'a', 'B', { transactionId: null, x: 1, y: null }]]],
  ['commas too many', '[2,"a","B",{"x":[1,2,],},]', [[2, 'a', 'B', { x: [1, 2] }]]],
  [
    'numbers that are none',
    '[2,"a","B",{"x":NaN,"y":-nan,"z":[Infinity,inf]}]',
    [[2, 'a', 'B', { x: null, y: null, z: [null, null] }]],
  ],
  ['odd numbers', '[2,"a","B",[+5,007,.5,5.,-.25,00,1.e3]]', [[2, 'a', 'B', [5, 7, 0.5, 5, -0.25, 0, 1000]]]],
  ['literals in other spellings', '[2,"a","B",[True,FALSE,None]]', [[2, 'a', 'B', [true, false, null]]]],
  [
    'two messages',
    '[2,"a","B",{}][2,"b","C",{"x":"]["}]',
    [
      [2, 'a', 'B', {}],
      [2, 'b', 'C', { x: '][' }],
    ],
  ],
  [
    'two messages on two lines',
    '[2,"a","B",{}]\r\n[2,"b","C",{}]\r\n',
    [
      [2, 'a', 'B', {}],
      [2, 'b', 'C', {}],
    ],
  ],
  ['a bracket too many', '[2,"a","B",{}]]', [[2, 'a', 'B', {}]]],
  ['a message cut off', '[2,"a","B",{"x":1', []],
  ['a string cut off', '[2,"a","B",{"x":"1', []],
  ['the second message cut off', '[2,"a","B",{}][2,"b"', []],
  ['no message', 'not json', []],
  ['words of no meaning', '[2,"a","B",{"x":maybe}]', []],
])('OCPP-RP10, OCPP-DR4: mendFrames: %s', (_, text, frames) => {
  expect(mendFrames(text).map((frame) => JSON.parse(frame) as unknown)).toEqual(frames)
})

it('OCPP-RP10, OCPP-DR4: mendFrames: of a long message only the ends are mended, so that nobody waits for it', () => {
  const long = `[2,"a","StopTransaction",{"x":[${'1,'.repeat(100_000)}1]}]`
  expect(mendFrames(`\uFEFF${long}\u0000`)).toEqual([long])
  expect(mendFrames(long.replace('1]', '1,]'))).toEqual([])
})

it('OCPP-DR3: mendFrames: digits stay as they are, however many', () => {
  expect(mendFrames('[2,"a","B",{"transactionId":9223372036854775807,}]')).toEqual([
    '[2,"a","B",{"transactionId":9223372036854775807}]',
  ])
})

it('OCPP-RP10: mendFrames: what is valid stays the same value', () => {
  forAll(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 5 }), (array) => {
    const text = JSON.stringify(array, null, 1)
    expect(mendFrames(text).map((frame) => JSON.parse(frame) as unknown)).toEqual([JSON.parse(text)])
  })
})

it('OCPP-RP12: nothing makes it throw, and what comes out is JSON', () => {
  const pieces = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\',
    '2',
    '-',
    '.',
    'nan',
    ' ',
    '\u0000',
    '\uFEFF',
    'é',
  )
  forRuns(500)(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((parts) => `[${parts.join('')}`),
    ),
    (text) => {
      for (const frame of mendFrames(text)) expect(Array.isArray(JSON.parse(frame))).toBe(true)
      for (const frame of readFrames(text)) expect(frame).toHaveProperty('type')
    },
  )
})

it('OCPP-RP12: a megabyte of openings, quotes or messages is refused in a moment', () => {
  for (const piece of ['[', '"', '[2,"a","B",{}]', '{"a":', '\\', '[,', '0']) {
    expect(readFrames(`[${piece.repeat(1_000_000 / piece.length)}`)).toMatchObject([{ type: 'malformed' }])
  }
})

it('OCPP-RP12: the longest word that is walked is refused in a moment, whatever it consists of', () => {
  for (const piece of ['0', '-', '.', 'e', '9', '0.', '00e', 'nan', 'null']) {
    const word = piece.repeat(64_000 / piece.length)
    for (const text of [`[${word}x]`, `[+${word}x]`]) {
      expect(readFrames(text)).toMatchObject([{ type: 'malformed' }])
    }
  }
})

it('OCPP-RP10: each glued message is a frame of its own, and marked as mended', () => {
  expect(readFrames('[2,"a","StopTransaction",{}][2,"b","Heartbeat",{}]')).toMatchObject([
    { type: 'call', messageId: 'a', mended: true },
    { type: 'call', messageId: 'b', mended: true },
  ])
  expect(readFrames('[2,"a","Heartbeat",{}]')[0]).not.toHaveProperty('mended')
})

it('OCPP-VA1: where everything is judged strictly nothing is mended', () => {
  expect(readFrames('[2,"a","Heartbeat",{},]', { lenient: false })).toMatchObject([{ type: 'malformed' }])
})
