import { expect, it } from 'vitest'
import type { Frame } from '../web/entries.tsx'
import { shownEnergy } from './shown-figures.tsx'

const frameOf = (language: string) => ({ language }) as Frame

it.each([
  ['en', 7.302, '7.302 kWh'],
  ['en', 9_999.999, '9,999.999 kWh'],
  ['en', 10_000, '10.0 MWh'],
  ['en', 324_727.92, '324.7 MWh'],
  ['de', 324_727.92, '324,7 MWh'],
  ['en', -324_727.92, '-324.7 MWh'],
])('CONSOLE-F3: a total that is long is scaled as other figures are (%s, %d)', (language, energyKwh, text) => {
  expect(shownEnergy(frameOf(language), { energyKwh })).toBe(text)
})
