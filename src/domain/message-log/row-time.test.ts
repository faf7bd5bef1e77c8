import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isoTime } from './shown-command.ts'

it('times of rows are RFC 3339 in UTC with milliseconds, in any order', () => {
  const anyTime = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2089, 0, 1) })
  fc.assert(
    fc.property(fc.array(anyTime, { maxLength: 20 }), (times) => {
      for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString())
    }),
  )
})
