/** What the API does with sets of monitors, and what the end of a grant does (MONITOR-A1, OIDC-C13). */

import { z } from '@hono/zod-openapi'
import { MONITOR_TYPES, type Monitor, type MonitorSet, monitorFaults } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { type FleetContext, keepDesired, refuseUnsettable } from '../configuration/orders.ts'
import { noRoomFor, type UseCaseContext } from '../context.ts'
import { componentSchema, variableSchema } from '../device-model/schemas.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { filterText, pageParameters, queryInstant, time } from '../schemas/common.ts'

type MonitorContext = FleetContext & Pick<UseCaseContext, 'writes' | 'now'>

export interface AskedMonitor extends Omit<Monitor, 'transaction'> {
  readonly transaction?: boolean | undefined
}

/** Refuses with 422 and its faults what no charge point can be set, with 409 one too many (CONFIG-A13). */
export async function putMonitors(
  place: MonitorContext,
  { grantId, ...set }: Pick<MonitorSet, 'accountId' | 'name' | 'selector' | 'grantId'>,
  asked: readonly AskedMonitor[],
): Promise<{ readonly before?: MonitorSet | undefined; readonly after: MonitorSet } | Refusal> {
  const { accountId, name } = set
  const monitors = asked.map((monitor) => ({ ...monitor, transaction: monitor.transaction ?? false }))
  const refusal = refuseUnsettable(monitorFaults(monitors))
  if (refusal) return refusal
  const before = await place.reads.getRecord('monitor_sets', { accountId, name })
  const full = before ? undefined : await noRoomFor('monitor_sets', place.reads, accountId)
  if (full) return full
  const at = place.now()
  const changed: MonitorSet = {
    ...set,
    monitors,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    grantId,
  }
  const isSame = before && desiredText(before) === desiredText(changed) && before.grantId === grantId
  const after = isSame ? before : changed
  await keepDesired(place, 'monitor_sets', before, after)
  return { after, before }
}

function desiredText({ selector, monitors }: MonitorSet): string {
  return JSON.stringify([selector, monitors])
}

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

export const StationEventSchema = z
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
