/** The public Session (API-B3) and the orders about sessions. */

import { z } from '@hono/zod-openapi'
import { sessionUpdated } from '../../domain/events/session-events.ts'
import { paymentMembers } from '../../domain/payments/events.ts'
import { NOT_COMPARABLE } from '../../domain/sessions/figures/station-cost.ts'
import { END_REASONS, SESSION_STATES } from '../../domain/states.ts'
import { ID_TOKEN, REFERENCE } from '../../domain/typed-text.ts'
import { ChargingPeriodSchema } from '../tariffs/schemas.ts'
import { ChargeLimitsSchema, LimitReachedSchema, StationCostSchema, StationLimitsSchema } from './charge-limits.ts'
import { labelParameter } from './charge-points.ts'
import { filterText, pageParameters, prioritySchema, queryInstant, time, typedText } from './common.ts'
import { dataSchema } from './webhooks.ts'

/** A webhook's `data` and an answer of the API are one schema (API-G1). */
export const SessionSchema = dataSchema(sessionUpdated)

const SessionDetailsSchema = z
  .strictObject({
    evseId: z.int().optional(),
    connectorId: z.int().optional(),
    idToken: z.string().optional().openapi({ description: 'The card that it was ordered for or began with.' }),
    transactionId: z.string().optional(),
    endReason: z.enum(END_REASONS).optional().openapi({ description: 'Why it ended.' }),
    stopReason: z
      .string()
      .optional()
      .openapi({ description: 'Why the station ended it, in its own word.', example: 'EmergencyStop' }),
    createdAt: time().openapi({ description: 'Lists are in this order, newest first.' }),
    durationSeconds: z.int().optional().openapi({ description: 'From start to stop; of a running one until now.' }),
    meterStartWh: z.number().optional().openapi({ description: 'The register at its begin, as the station said it.' }),
    meterStopWh: z.number().optional().openapi({ description: 'The register at its end, as the station said it.' }),
    powerKw: z.number().optional().openapi({ description: 'As last sampled; absent once it is over.' }),
    stateOfCharge: z.number().optional().openapi({ description: 'Of the battery in per cent, as last sampled.' }),
    suspectEnergyKwh: z.number().optional().openapi({
      description: 'What its registers say, where that cannot have flowed in the time. It is not billed: settle it.',
    }),
    limits: ChargeLimitsSchema.optional().openapi({ description: 'Those of its order and of its card.' }),
    shownCost: z
      .strictObject({ cost: z.number(), at: time() })
      .optional()
      .openapi({ description: 'The cost that the charge point acknowledged last, and when.' }),
    limitReached: LimitReachedSchema.optional().openapi({
      description: 'The limit at which it was stopped or is held.',
    }),
    transactionLimit: StationLimitsSchema.optional(),
    stationTariffId: z.string().optional().openapi({ description: 'The tariff by which its charge point reckons.' }),
    stationCost: StationCostSchema.optional(),
    costDiffers: z
      .union([z.boolean(), z.literal('notComparable')])
      .optional()
      .openapi({ description: 'Whether `stationCost` is another amount than ours: net with net, gross with gross.' }),
    costNotComparable: z.enum(NOT_COMPARABLE).optional().openapi({
      description:
        'Why both costs cannot be compared: the charge point `failed` to calculate or named no total (`noTotal`); ours is unknown (`noCost`), in another currency, or without the rate of tax that a gross amount needs.',
    }),
    costInclVat: z.number().optional().openapi({ description: 'With VAT, where its rate is known.' }),
    chargingPeriods: z.array(ChargingPeriodSchema).optional().openapi({
      description: 'Period by period, by its tariff. Absent once an operator set the cost.',
    }),
    partner: z
      .strictObject({
        partnerId: z.string(),
        party: z.string().openapi({ example: 'NL*EMP' }),
        contractId: z.string(),
        authMethod: z.enum(['AUTH_REQUEST', 'COMMAND', 'WHITELIST']),
        authorizationReference: z.string().optional(),
      })
      .optional()
      .openapi({ description: 'The roaming partner whose customer charges, and how it authorized the charge.' }),
    payment: z.strictObject(paymentMembers(z)).optional().openapi({ description: 'What its charge point settled.' }),
  })
  .openapi('SessionDetails')

export const DetailedSessionSchema = z
  .strictObject({
    ...SessionSchema.shape,
    details: SessionDetailsSchema.optional().openapi({ description: 'With `include=details`.' }),
  })
  .openapi('DetailedSession')

const SessionTotalsSchema = z
  .strictObject({
    sessions: z.int(),
    energyKwh: z.number(),
    cost: z.array(z.strictObject({ currency: z.string(), amount: z.number() })),
    durationSeconds: z.int(),
  })
  .openapi('SessionTotals', {
    description: 'Sums over all sessions that the filter leaves, as their figures are shown.',
  })

export const SessionListSchema = z
  .object({
    data: z.array(DetailedSessionSchema),
    meta: z.object({
      nextCursor: z.string().optional().openapi({ description: 'Absent on the last page.' }),
      totals: SessionTotalsSchema.optional().openapi({ description: 'With `totals=true`.' }),
    }),
  })
  .openapi('SessionList')

export const sessionParams = z.object({ sessionId: z.string() })

export const sessionConditions = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'An ETag that is known already.', example: 'W/"7"' }),
})

const include = z
  .enum(['details'])
  .optional()
  .openapi({ description: '`details`: the facts behind each session, beside its own attributes.' })

export const sessionInclude = z.strictObject({ include })

export const sessionQuery = z.strictObject({
  evseControllerId: z.string().optional(),
  label: labelParameter,
  state: z.enum(SESSION_STATES).optional(),
  idToken: filterText(255, 'The card, in upper or lower case.'),
  externalReference: filterText(255, 'As the start named it.'),
  from: queryInstant('Only sessions created at or after this time.').optional(),
  to: queryInstant('Only sessions created before this time.').optional(),
  startedFrom: queryInstant(
    'Only charges that began at or after this time; the list is then in that order.',
  ).optional(),
  startedTo: queryInstant('Only charges that began before this time; the list is then in that order.').optional(),
  include,
  totals: z
    .enum(['true', 'false'])
    .optional()
    .openapi({ description: '`true`: `meta.totals` of all sessions that the filter leaves.' }),
  ...pageParameters,
})

export const ChangeSessionSchema = z
  .strictObject({
    limits: ChargeLimitsSchema.refine((limits) => Object.keys(limits).length > 0, { message: 'must name a limit' }),
  })
  .openapi('ChangeSession')

/** OCPP numbers connectors from 1; 0 would be the station itself. */
const place = z
  .int()
  .min(1)
  .max(2 ** 31 - 1)

export const StartSessionSchema = z
  .strictObject({
    evseControllerId: z.string(),
    connectorId: place.optional(),
    evseId: place.optional(),
    idToken: typedText(ID_TOKEN).optional().openapi({
      description:
        'The card that the session is for; it must not be blocked or expired, and may stop the session. OCPP 2.0.1 charge points are sent it; those of 1.6 a tag of our own for this one session.',
    }),
    externalReference: typedText(REFERENCE).optional(),
    limits: ChargeLimitsSchema.optional(),
    priority: prioritySchema
      .optional()
      .openapi({ description: 'Instead of that of its card and of its charge point.' }),
    ttl: z.int().min(1).max(60).optional().openapi({
      description: 'Seconds to wait for a charge point that is away; without it such an order is refused.',
    }),
  })
  .openapi('StartSession')
