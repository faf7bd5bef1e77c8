import { expect, it } from 'vitest'
import { Replacements } from '../memory/station.ts'

it('OCPP-CN2: connections that replace each other every second for a day are told at once and then every ten minutes', () => {
  const replacements = new Replacements()
  const reported: [second: number, count: number][] = []
  for (let second = 0; second < 3600; second++) {
    const count = replacements.note(second * 1000)
    if (count !== undefined) reported.push([second, count])
  }
  expect(reported).toEqual([[10, 11], ...[1, 2, 3, 4, 5].map((times) => [10 + times * 600, 600])])
})

it('OCPP-CN2: ten in a minute are not told, nor are many over a day', () => {
  const replacements = new Replacements()
  for (let count = 0; count < 1000; count++) expect(replacements.note(count * 6001)).toBeUndefined()
})
