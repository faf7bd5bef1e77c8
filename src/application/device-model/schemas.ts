import { z } from '@hono/zod-openapi'
import { typedText } from '../schemas/common.ts'

const name = typedText({ most: 100 })
const place = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

export const componentSchema = z
  .strictObject({
    name,
    instance: name.optional(),
    evseId: place.optional(),
    connectorId: place.optional(),
  })
  .openapi('Component')

export const variableSchema = z.strictObject({ name, instance: name.optional() }).openapi('VariableName')
