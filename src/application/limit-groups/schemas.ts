import { z } from '@hono/zod-openapi'
import { STRATEGIES } from '../../domain/limit-groups/group.ts'
import { configurationParams } from '../configuration/schemas.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { instant, listOf, queryInstant, time, typedText } from '../schemas/common.ts'

const MAX_AMPS = 100_000
const MAX_WATTS = 100_000_000

const amps = z.number().min(0).max(MAX_AMPS)
const watts = z.number().min(0).max(MAX_WATTS)
/** A meter may run backwards. */
const reading = z.number().min(-MAX_AMPS).max(MAX_AMPS)

export const groupParams = configurationParams

const hasOne = (said: { readonly amps?: unknown; readonly watts?: unknown }): boolean =>
  (said.amps === undefined) !== (said.watts === undefined)
const ONE = { message: 'must have amps or watts, and not both' }

const members = {
  selector: SelectorSchema.optional(),
  parent: configurationParams.shape.name.optional().openapi({ description: 'The group that feeds this one.' }),
  amps: amps.optional().openapi({ description: 'Of each phase.' }),
  watts: watts.optional().openapi({ description: 'Of all phases together, at `PILOTWIRE_VOLTAGE`.' }),
  phases: z
    .union([z.literal(1), z.literal(3)])
    .optional()
    .openapi({ description: '3 unless given.' }),
  minAmps: z
    .number()
    .min(6)
    .max(1000)
    .optional()
    .openapi({ description: 'The least current that a car charges with; 6 unless given.' }),
  minWatts: watts.optional().openapi({
    description: 'Of each EVSE that charges: wins over an external limit and its fail-safe value, not over the limit.',
  }),
  bufferAmps: amps.optional().openapi({ description: 'Kept free; 0 unless given.' }),
  safeAmps: amps.optional().openapi({
    description: 'What charging gets while the load is stale; half of the limit unless given.',
  }),
  fallbackAmps: z.number().min(0).max(1000).optional().openapi({
    description:
      'What each EVSE falls back to by itself; unless given the limit divided by the EVSEs, in whole amps, and 0 below 6.',
  }),
  leaseSeconds: z.int().min(60).max(3600).optional().openapi({ description: '600 unless given.' }),
  strategy: z.enum(STRATEGIES).optional().openapi({ description: 'equal unless given; that of the topmost group.' }),
}

export const PutLimitGroupSchema = z.strictObject(members).refine(hasOne, ONE).openapi('PutLimitGroup')

export const LimitGroupExternalSchema = z
  .strictObject({
    amps: z.number().min(0),
    source: z.string(),
    until: time().openapi({ description: 'When this state ends unless the order is renewed.' }),
    state: z.enum(['active', 'failSafe']),
  })
  .openapi('LimitGroupExternal')

export const LimitGroupSchema = z
  .strictObject({
    name: z.string(),
    ...members,
    phases: z.int(),
    // Half of a limit in watts may be more amps than anybody may ask for.
    safeAmps: z.number().min(0),
    revision: z.int(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('LimitGroup')

export const LimitGroupListSchema = listOf('LimitGroupList', LimitGroupSchema)

export const PutLoadSchema = z
  .strictObject({
    amps: z.array(reading).min(1).max(3).optional().openapi({ description: 'One value for each phase.' }),
    watts: z.number().min(-MAX_WATTS).max(MAX_WATTS).optional(),
    until: instant('From then on the reading is stale.'),
    excludesCharging: z.boolean().optional().openapi({
      description: 'true: the meter does not count the EVSEs of this group. Unless given it is that of the connection.',
    }),
  })
  .refine(hasOne, ONE)
  .openapi('PutLimitGroupLoad')

export const LoadSchema = z
  .strictObject({
    amps: z.array(reading).optional(),
    watts: z.number().optional(),
    until: time(),
    excludesCharging: z.boolean(),
    at: time(),
  })
  .openapi('LimitGroupLoad')

const power = z.strictObject({ amps: amps.optional(), watts: watts.optional() }).refine(hasOne, ONE)

export const PutExternalLimitSchema = z
  .strictObject({
    amps: amps.optional(),
    watts: watts.optional(),
    until: instant('Then the fail-safe value holds for two hours, unless the order is renewed or deleted.'),
    source: typedText({ most: 100 }).openapi({ example: 'grid operator' }),
    heartbeatSeconds: z.int().min(10).max(86_400).optional().openapi({
      description: 'Without a renewal for so long the order ends before its time.',
    }),
    failSafe: power.optional().openapi({ description: 'The ordered value unless given.' }),
  })
  .refine(hasOne, ONE)
  .openapi('PutExternalLimit')

export const ExternalLimitSchema = z
  .strictObject({
    amps: amps.optional(),
    watts: watts.optional(),
    until: time(),
    source: z.string(),
    heartbeatSeconds: z.int().optional(),
    failSafe: z.strictObject({ amps: amps.optional(), watts: watts.optional() }).optional(),
    at: time(),
  })
  .openapi('ExternalLimit')

const perPhase = z.array(z.number())

export const LimitGroupEvseSchema = z.strictObject({
  evseControllerId: z.string(),
  evseId: z.int(),
  group: z.string(),
  phases: z.array(z.int()).openapi({ description: 'The phases of the connection that it loads, 1 for L1.' }),
  state: z.enum(['charging', 'idle', 'paused', 'silent', 'ignoring']),
  allowedAmps: z.number(),
  mayDrawAmps: z.number(),
  fallbackAmps: z.number().optional().openapi({ description: 'That it holds. Absent: none yet.' }),
  offeredAmps: z.number().optional(),
  drawAmps: z.number().optional(),
  reason: z.string(),
  leaseUntil: time().optional(),
})

export const LimitGroupStatusSchema = z
  .strictObject({
    name: z.string(),
    state: z.enum(['ok', 'safe', 'exceeded', 'unproved']),
    limitAmps: perPhase,
    loadAmps: perPhase.optional(),
    capacityAmps: perPhase.openapi({ description: 'For charging: the limit less the load and the buffer.' }),
    allowedAmps: perPhase.openapi({ description: 'What the EVSEs may draw together.' }),
    drawAmps: perPhase,
    externalLimit: LimitGroupExternalSchema.optional(),
    data: z.array(LimitGroupEvseSchema),
  })
  .openapi('LimitGroupStatus')

export const historyQuery = z.strictObject({
  from: queryInstant('Minutes of that time and later; the last day unless given.').optional(),
  to: queryInstant('Minutes before that time.').optional(),
  format: z.enum(['json', 'csv']).optional().openapi({ description: 'json unless given.' }),
})

export const LimitMinuteSchema = z.strictObject({
  at: time(),
  limitAmps: perPhase,
  allowedAmps: perPhase,
  drawAmps: perPhase,
  loadAmps: perPhase.optional(),
  externalLimit: LimitGroupExternalSchema.optional(),
})

export const LimitGroupHistorySchema = z.strictObject({ data: z.array(LimitMinuteSchema) }).openapi('LimitGroupHistory')
