import { z } from '@hono/zod-openapi'
import { INTENT_STATES } from '../../domain/intents/records.ts'
import { componentSchema, variableSchema } from '../device-model/schemas.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { pageParameters, time, timeOfDay, typedText, weekdays, withRows } from '../schemas/common.ts'

/** Numbers and booleans are spelled as OCPP spells them. */
const value = (most: number) =>
  z
    .union([z.string(), z.number(), z.boolean()])
    .transform(String)
    .pipe(z.string().max(most))
    .openapi({ type: 'string', maxLength: most })

const windowSchema = z
  .strictObject({
    start: timeOfDay,
    end: timeOfDay,
    timeZone: z.string().min(1).max(64).openapi({ example: 'Europe/Berlin' }),
    days: weekdays,
  })
  .openapi('RebootWindow', { description: 'An end before the start belongs to the next day.' })

const rebootPolicy = z.enum(['never', 'onIdle', 'window']).openapi({
  description:
    'What happens where a setting takes effect with a restart only. never: nothing, until the station boots by itself. onIdle: it is restarted when no car is charging. window: the same, within these hours.',
})
const attribute = z.enum(['Actual', 'Target', 'MinSet', 'MaxSet'])
const priority = z.int().min(-1000).max(1000)

export const PutConfigurationSchema = z
  .strictObject({
    selector: SelectorSchema,
    priority: priority
      .optional()
      .openapi({ description: 'Of two that set the same, the greater one wins. 0 unless given.' }),
    variables: z
      .array(
        z.strictObject({
          component: componentSchema,
          variable: variableSchema,
          attribute: attribute.optional(),
          value: value(1000),
        }),
      )
      .max(500)
      .optional()
      .openapi({ description: 'For charge points of OCPP 2.0.1.' }),
    keys16: z
      .array(z.strictObject({ key: typedText({ most: 50 }), value: value(500) }))
      .max(500)
      .optional()
      .openapi({ description: 'For charge points of OCPP 1.6.' }),
    rebootPolicy: rebootPolicy.optional(),
    window: windowSchema.optional(),
  })
  .openapi('PutConfiguration')

export const ConfigurationSchema = z
  .strictObject({
    name: z.string(),
    selector: SelectorSchema,
    priority,
    variables: z
      .array(z.strictObject({ component: componentSchema, variable: variableSchema, attribute, value: z.string() }))
      .optional(),
    keys16: z.array(z.strictObject({ key: z.string(), value: z.string() })).optional(),
    rebootPolicy,
    window: windowSchema.optional(),
    revision: z.int(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Configuration', { description: 'Secret values are shown as ***.' })

const state = z.enum(INTENT_STATES)

export const ConfigurationStatusSchema = withRows(
  'ConfigurationStatus',
  { counts: z.partialRecord(state, z.int()).openapi({ description: 'How many charge points are in each state.' }) },
  z.strictObject({
    evseControllerId: z.string(),
    state: state.openapi({ description: 'Of all that it sets there the state that needs most attention.' }),
    reason: z.string().optional(),
    updatedAt: time(),
  }),
)

export const statusQuery = z.strictObject({ state: state.optional(), ...pageParameters })

export const configurationParams = z.object({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be letters, digits, _ . and -, at most 64'),
})
