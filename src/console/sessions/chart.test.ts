import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Frame } from '../../web/entries.tsx'
import { Chart, valueTicks } from './chart.tsx'

it.each([
  [0, [0, 0.5]],
  [11, [0, 5, 10, 15]],
  [7.276, [0, 2, 4, 6, 8]],
  [0.04, [0, 0.01, 0.02, 0.03, 0.04]],
  [350, [0, 100, 200, 300, 400]],
])('the scale of a chart of %d', (most, ticks) => expect(valueTicks(most)).toEqual(ticks))

it('the scale of a chart reaches over every value with few steps', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (most) => {
      const ticks = valueTicks(most)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-5))
    }),
  )
})

const labels = async (span: [number, number]) => {
  const frame = { language: 'de', timeZone: 'Europe/Berlin' } as unknown as Frame
  const points = span.map((at) => ({ at, value: 0.5 }))
  const html = String(await Chart({ frame, kind: 'power', label: 'x', points, span }))
  return [...html.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)
}

it('CONSOLE-F2: the times below a chart are those of whoever looks, none is there twice, and figures have their comma', async () => {
  expect(await labels([0, 4 * 3_600_000])).toEqual([
    ...['0', '0,2', '0,4', '0,6'],
    ...['01:00', '02:00', '03:00', '04:00', '05:00'],
  ])
  expect((await labels([0, 60_000])).slice(-5)).toEqual(['01:00', '', '', '', '01:01'])
})

it('CONSOLE-F2: the times below a chart of a charge of many days were hours of none of them', async () => {
  const days = [0, 40 * 24 * 3_600_000] as [number, number]
  expect((await labels(days)).slice(-5)).toEqual([
    'Do., 1. Jan.',
    'So., 11. Jan.',
    'Mi., 21. Jan.',
    'Sa., 31. Jan.',
    'Di., 10. Feb.',
  ])
})
