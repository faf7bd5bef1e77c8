import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { check, faultsOf } from './check-schema.ts'

const step = z.strictObject({ at: z.int() })
const schema = z.strictObject({
  phases: z.union([z.literal(1), z.literal(3)]).optional(),
  steps: z.union([step, z.array(step)]).optional(),
  tokens: z.union([z.literal('all'), z.strictObject({ ids: z.array(z.string()) })]).optional(),
  energyKwh: z.number().gt(0).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  order: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('reset') }),
      z.strictObject({ kind: z.literal('log') }),
    ])
    .optional(),
})

it.each([
  ['a literal that is not offered', '{"phases":2}', '/phases', 'invalid_value', 'must be one of 1, 3'],
  ['inside that alternative', '{"steps":{"at":1,"on":2}}', '/steps/on', 'unknown_field', 'does not exist'],
  ['inside a list of an alternative', '{"steps":[{"at":"x"}]}', '/steps/0/at', 'invalid_type', 'must be a number'],
  ['one alternative of another type', '{"tokens":{"ids":[5]}}', '/tokens/ids/0', 'invalid_type', 'must be a string'],
  ['no alternative', '{"tokens":5}', '/tokens', 'invalid_type', 'has the wrong type'],
  ['a kind that is not offered', '{"order":{"kind":"fly"}}', '/order/kind', 'invalid_value', 'one of reset, log'],
  ['a kind that is missing', '{"order":{}}', '/order/kind', 'required', 'is required'],
  ['a bound that is not included', '{"energyKwh":0}', '/energyKwh', 'out_of_range', 'must be more than 0'],
  ['a label left out silently', '{"labels":{"__proto__":"x"}}', '/labels/__proto__', 'unknown_field', 'not exist'],
])('%s', (_, text, pointer, code, message) => {
  const faults = faultsOf(check(schema, JSON.parse(text)))
  expect(faults).toEqual([{ pointer, code, message: expect.stringContaining(message) }])
})
