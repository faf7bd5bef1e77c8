import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readOrder } from './jump.tsx'

it.each([
  ['reset LOG-0020', 'reset', 'LOG-0020'],
  ['Neu starten  LOG-0020', 'reset', 'LOG-0020'],
  ['LOG-0020 neustart', 'reset', 'LOG-0020'],
  ['unlock CP 1', 'unlock', 'CP 1'],
  ['Lobby entriegeln', 'unlock', 'Lobby'],
  ['außer Betrieb nehmen X', 'inoperative', 'X'],
  ['put into service X', 'operative', 'X'],
  ['cache leeren X', 'clearCache', 'X'],
] as const)('CONSOLE-J3: “%s” is an order', (typed, order, of) => {
  expect(readOrder(typed)).toEqual({ order, of })
})

it('CONSOLE-J3: no other text is one, and what is left of it was typed', () => {
  for (const typed of ['reset', 'resetting CP1', 'presets', '', 'trigger X']) expect(readOrder(typed)).toBeUndefined()
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(readOrder(`Reset ${text}`)?.order ?? 'none').toBe('reset')
      expect(text).toContain(readOrder(`Reset ${text}`)?.of ?? '')
    }),
  )
})
