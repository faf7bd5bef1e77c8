import type { ErrorObject } from 'ajv'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { describeFaults } from '../../ocpp/schema/faults.ts'
import { schemaErrorTexts } from './csv.ts'

const faultAt = (instancePath: string): ErrorObject => ({
  keyword: 'maxLength',
  instancePath,
  schemaPath: '',
  params: { limit: 50 },
})
const sentence = (path: string): string => `${path} must have at most 50 characters`

it.each([
  ['/a is required', ['/a is required']],
  ['the payload has an undefined member; /a is required', ['the payload has an undefined member', '/a is required']],
  ['/a is required (and 12 more)', ['/a is required', 'and 12 more']],
  ['The message was not JSON.', ['The message was not JSON.']],
  ['The message was not JSON. The message was not UTF-8.', ['The message was not JSON.', 'The message was not UTF-8.']],
  ['The message was not JSON. /a is required; /b is required', ['The message was not JSON.', '/a is required', '/b is required']], // biome-ignore format: a row
])('SEARCH-C8: the line %j is the texts %j', (line, texts) => expect(schemaErrorTexts(line)).toEqual(texts))

it('SEARCH-C8: every sentence that the line holds is a text of its own, and how many more there were the last one', () => {
  const path = fc.array(fc.constantFrom('a', 'meterValue', '0'), { minLength: 1 }).map((names) => `/${names.join('/')}`)
  forAll(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), (paths) => {
    const texts = schemaErrorTexts(describeFaults(paths.map(faultAt)))
    const rest = /^and (\d+) more$/.exec(texts.at(-1) ?? '')?.[1]
    const shown = rest === undefined ? texts : texts.slice(0, -1)
    expect(shown).toEqual(paths.slice(0, shown.length).map(sentence))
    expect(shown.length + Number(rest ?? 0)).toBe(paths.length)
  })
})
