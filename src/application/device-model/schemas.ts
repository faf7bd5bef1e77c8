/** Names of the device model in requests and answers. */
import { z } from '@hono/zod-openapi'

const name = z.string().min(1).max(100)
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
