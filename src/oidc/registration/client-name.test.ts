import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mixesScripts, plainName, posesAs, skeleton } from './client-name.ts'

it.each([
  ['a\u202eb\u0000c\u200b', 'abc'],
  ['Pilot\u3164wire\u00ad\ufe0f', 'Pilotwire'],
  ['x'.repeat(150), 'x'.repeat(100)],
  ['  App  ', 'App'],
  ['\u202e', undefined],
  ['\u3164', undefined],
  [5, undefined],
])('OIDC-G5: the name %j becomes %j', (given, expected) => expect(plainName(given)).toBe(expected))

it.each([
  ['Revlon Fleet', false],
  ['EV.io Support', true],
  ['\u0415V.io', true],
  ['3v & E v', false],
])('OIDC-G5: on the host ev.io the name %j poses as the operator: %s', (name, expected) =>
  expect(posesAs(name, ['ev.io', ''])).toBe(expected),
)

it.each([
  'Pilotwire',
  'Official PILOTWIRE support',
  'P i l o t - w i r e',
  'P1l0t Wíre',
  'Pilotwir3',
  'Piiotwire',
  'Pllotwlre',
  'Pilotvvire',
  'Ｐｉｌｏｔｗｉｒｅ',
  '\u0420ilotwire', // Cyrillic Er
  'Рі\u04cfоt\u051dіге', // Cyrillic but for the t
  '\u03a1ilotwire', // Greek Rho
  'Pil\u03bftwire', // Greek omicron
  'P\u0456lotwire',
  'Pilo\u0442wire',
  'Pilot\u0461ire',
  'Pi\u01c0otwire', // dental click
  'ᴘɪʟᴏᴛᴡɪʀᴇ',
  'ⓟⓘⓛⓞⓣⓦⓘⓡⓔ',
  '🅟🅘🅛🅞🅣🅦🅘🅡🅔',
  '🅿🅸🅻🅾🆃🆆🅸🆁🅴',
  '🇵🇮🇱🇴🇹🇼🇮🇷🇪',
  '𝐏𝐢𝐥𝐨𝐭𝐰𝐢𝐫𝐞',
  '𝚸𝚒𝚕𝚘𝚝𝚠𝚒𝚛𝚎',
  'P̶i̶l̶o̶t̶w̶i̶r̶e',
  'ᏢᎥᏞᎾᎢᎳᎥᎡᎬ',
  'ꓑꓲꓡꓳꓔꓪꓲꓣꓰ',
])('OIDC-R9: %s looks like Pilotwire', (name) => expect(posesAs(name, ['Pilotwire', ''])).toBe(true))

it.each(['Pilot', 'Wire Pilot', 'Piledriver', 'Пилот', 'Καλημέρα', '東京充電', '🚗⚡', 'Charge.3'])(
  'OIDC-R9: %s does not look like Pilotwire',
  (name) => expect(posesAs(name, ['Pilotwire', ''])).toBe(false),
)

it('OIDC-R9 (property): whatever stands around it, and however it is spaced, it is found', () => {
  const around = fc.string({ unit: 'grapheme', maxLength: 20 })
  const spaced = fc.array(fc.constantFrom(' ', '.', '-', '\u0301', ''), { minLength: 9, maxLength: 9 })
  fc.assert(
    fc.property(around, spaced, around, (before, gaps, after) => {
      const name = [...'\u0420ilotwire'].map((letter, n) => letter + (gaps[n] ?? '')).join('')
      // A letter before or after it may make a pair with its own.
      fc.pre(!/[rnv]$/.test(skeleton(before)) && !/^[rnv]/.test(skeleton(after)))
      expect(posesAs(`${before} ${name} ${after}`, ['Pilotwire'])).toBe(true)
    }),
  )
})

it.each([
  ['Ch\u0430rge', true],
  ['\u0420ay', true],
  ['p\u03b1y', true],
  ['Μоscow', true], // Greek Mu, Cyrillic o
  ['Пay App', true],
  ['aא', true],
  ['Зарядка EV', false],
  ['Καλημέρα App', false],
  ['λ-calc', false],
  ['Éclair', false],
  ['日本EVチャージ', false],
  ['충전App', false],
  ['Charge ª 5', false],
  ['حافلة', false],
  ['Ελλάδα', false],
  ['e\u0301clair', false],
])('OIDC-R9: %s mixes alphabets within a word: %s', (name, expected) => expect(mixesScripts(name)).toBe(expected))
