import { expect, it } from 'vitest'
import { scaled, shownAmount, shownFigure, shownPower } from './figures.tsx'
import { exactTime, Near, shownAgo, shownClock, shownDay, shownInstant, shownSpan, shownTime } from './times.tsx'

const NOW = Date.UTC(2026, 10, 22, 19, 59)
const MINUTE = 60_000
const english = { language: 'en', now: NOW, timeZone: 'Europe/Berlin' } as const
const german = { ...english, language: 'de' } as const

it('CONSOLE-F2: times: are shown in the zone and the language of whoever looks, exactly and in UTC as well', () => {
  expect(shownTime(english, NOW)).toBe('22 Nov 2026, 20:59')
  expect(shownTime(german, NOW)).toBe('22. Nov. 2026, 20:59')
  const near = (at: number): string => String(Near({ frame: german, at })).replaceAll(/<[^>]+>/g, '')
  expect([near(NOW), near(NOW - 301 * 1440 * MINUTE)]).toEqual(['22. Nov., 20:59', '25. Jan. 2026, 20:59'])
  expect(shownInstant(english, NOW + 7)).toBe('22 Nov, 20:59:00.007')
  expect(shownDay(german, NOW)).toBe('So., 22. Nov.')
  expect(exactTime(english, NOW)).toBe('22 Nov 2026, 20:59:00 CET · 19:59:00 UTC')
  expect(exactTime({ ...english, timeZone: 'UTC' }, NOW)).toBe('22 Nov 2026, 19:59:00 UTC')
})

it('CONSOLE-F2: times: follow the clocks of the zone through their change', () => {
  const before = Date.UTC(2026, 9, 25, 0, 30)
  expect([before, before + 60 * MINUTE].map((at) => exactTime(english, at).slice(13, 26))).toEqual([
    '02:30:00 CEST',
    '02:30:00 CET ',
  ])
})

it.each([
  ['Europe/London', 0, 'en', ['25 Oct 2026, 01:30 UTC+1', '25 Oct 2026, 01:30 UTC+0']],
  ['Europe/Berlin', 0, 'de', ['25. Okt. 2026, 02:30 UTC+2', '25. Okt. 2026, 02:30 UTC+1']],
  ['Europe/Berlin', 60, 'en', ['25 Oct 2026, 02:30 UTC+1', '25 Oct 2026, 03:30']],
  ['Europe/Berlin', -60, 'en', ['25 Oct 2026, 01:30', '25 Oct 2026, 02:30 UTC+2']],
  ['Asia/Kathmandu', 0, 'en', ['25 Oct 2026, 06:15', '25 Oct 2026, 07:15']],
] as const)('CONSOLE-F2: an hour that %s shows twice is marked (%i min)', (timeZone, minutes, language, texts) => {
  const at = Date.UTC(2026, 9, 25, 0, 30) + minutes * MINUTE
  const reader = { ...english, language, timeZone }
  const both = [at, at + 60 * MINUTE]
  expect(both.map((one) => shownTime(reader, one))).toEqual(texts)
  for (const shown of [shownClock, shownInstant, (frame: typeof reader, one: number) => Near({ frame, at: one })]) {
    expect(new Set(both.map((one) => String(shown(reader, one)))).size).toBe(2)
  }
})

it.each([
  [0, 'just now', 'gerade eben'],
  [12, '12 min ago', 'vor 12 min'],
  [64, '1 h 04 min ago', 'vor 1 h 04 min'],
  [4 * 1440, '4 days ago', 'vor 4 Tagen'],
  [40 * 1440, '13 Oct 2026', '13. Okt. 2026'],
  [-12, 'in 12 min', 'in 12 min'],
])('CONSOLE-F2: times: %i minutes ago are %s, %s', (minutes, inEnglish, inGerman) => {
  const at = NOW - minutes * MINUTE
  expect([shownAgo(english, at), shownAgo(german, at)]).toEqual([inEnglish, inGerman])
})

it('CONSOLE-F2: times: say how long something lasts', () => {
  expect([38_000, 569 * 1440 * MINUTE].map((ms) => shownSpan(german, ms))).toEqual(['38 s', '569 Tage'])
})

it('CONSOLE-F3: figures: are written as the language does, in a unit that fits', () => {
  expect([shownPower(english, 8146.3), shownPower(german, 8146.3)]).toEqual(['8,146.3 kW', '8.146,3 kW'])
  expect(shownAmount(english, 491_800)).toBe('491.8 MWh')
  expect(scaled(english, 12e12, 'Wh')).toEqual({ figure: '12,000.0', unit: 'TWh' })
  expect(shownFigure(german, 1234567)).toBe('1.234.567')
})
