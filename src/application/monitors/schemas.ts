import { z } from '@hono/zod-openapi'
import { MONITOR_TYPES } from '../../domain/monitors/records.ts'
import { componentSchema, variableSchema } from '../device-model/schemas.ts'
import { filterText, pageParameters, queryInstant, time } from '../schemas/common.ts'
import { SelectorSchema } from '../schemas/selector.ts'

const monitor = {
  component: componentSchema,
  variable: variableSchema,
  type: z.enum(MONITOR_TYPES).openapi({
    description:
      'UpperThreshold and LowerThreshold: beyond the value. Delta: changed by so much. Periodic: every so many seconds; PeriodicClockAligned: the same, counted from midnight.',
  }),
  value: z.number(),
  severity: z.int().min(0).max(9).openapi({ description: '0 is danger, 9 is for debugging.' }),
}
const transaction = z.boolean().openapi({ description: 'While a transaction runs only.' })

export const PutMonitorsSchema = z
  .strictObject({
    selector: SelectorSchema,
    monitors: z
      .array(z.strictObject({ ...monitor, transaction: transaction.optional() }))
      .min(1)
      .max(200),
  })
  .openapi('PutMonitors')

export const MonitorsSchema = z
  .strictObject({
    name: z.string(),
    selector: SelectorSchema,
    monitors: z.array(z.strictObject({ ...monitor, transaction })),
    revision: z.int(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Monitors')

const StationEventSchema = z
  .strictObject({
    id: z.string(),
    evseControllerId: z.string(),
    at: time().openapi({ description: 'The time that the charge point gave; when it came, where that is no time.' }),
    receivedAt: time(),
    eventId: z.int().optional(),
    trigger: z.string().optional().openapi({ example: 'Alerting' }),
    type: z.string().optional().openapi({ example: 'CustomMonitor' }),
    component: componentSchema,
    variable: variableSchema,
    value: z.string().optional().openapi({ description: '*** where it is a secret.' }),
    cause: z.int().optional().openapi({ description: 'eventId of the event that caused it, as it was sent.' }),
    cleared: z.boolean().optional().openapi({ description: 'The condition it reported is over.' }),
    techCode: z.string().optional(),
    techInfo: z.string().optional(),
    transactionId: z.string().optional(),
    monitorId: z.int().optional().openapi({ description: 'The number that the charge point gave its monitor.' }),
  })
  .openapi('StationEvent')

export const StationEventListSchema = z
  .strictObject({
    data: z.array(StationEventSchema),
    meta: z.strictObject({
      nextCursor: z.string().optional().openapi({ description: 'Absent on the last page.' }),
      dropped: z.int().optional().openapi({
        description: 'So many events came faster than they are kept, since ever: they are in the log alone.',
      }),
    }),
  })
  .openapi('StationEventList')

export const stationEventQuery = z.strictObject({
  from: queryInstant('Events of that time and later.').optional(),
  to: queryInstant('Events before that time.').optional(),
  component: filterText(100, 'Name of the component, in any case.'),
  ...pageParameters,
})
