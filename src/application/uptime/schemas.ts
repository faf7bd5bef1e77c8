import { z } from '@hono/zod-openapi'
import { listOf, pageParameters, queryInstant } from '../schemas/common.ts'

export const UPTIME_GROUPS = ['connector', 'evseController', 'site', 'month'] as const

const seconds = (description: string) => z.number().min(0).openapi({ description })

export const UptimeRowSchema = z
  .strictObject({
    evseControllerId: z.string().optional(),
    evseId: z.int().optional(),
    connectorId: z.int().optional(),
    site: z.string().optional().openapi({ description: 'The label; absent in the row of those that have none.' }),
    month: z.string().optional().openapi({ example: '2026-11', description: 'By the clocks of the account.' }),
    uptime: z.number().min(0).max(1).optional().openapi({
      description: 'Share of the known time that was no outage; planned downtime is none. Absent: nothing is known.',
    }),
    downtimeSeconds: seconds('Without a connection, Faulted, or Unavailable without an order; of all connectors.'),
    plannedSeconds: seconds('Ordered unavailable.'),
    unknownSeconds: seconds('Before the first connection.'),
    visits: z.int(),
    failedVisits: z.int().openapi({
      description: 'Remote starts that the charge point refused, and charges that it ended without energy.',
    }),
  })
  .openapi('Uptime')

export type UptimeRow = z.infer<typeof UptimeRowSchema>

export const UptimeListSchema = listOf('UptimeList', UptimeRowSchema)

export const uptimeQuery = z.strictObject({
  from: queryInstant('Inclusive start of the window.'),
  to: queryInstant('Exclusive end of the window; now unless given, and never later.').optional(),
  group: z.enum(UPTIME_GROUPS).optional().openapi({ description: 'What a row is of; evseController unless given.' }),
  format: z.enum(['csv']).optional().openapi({ description: '`csv`: every row as CSV, as with `Accept: text/csv`.' }),
  ...pageParameters,
})
