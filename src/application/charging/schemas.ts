import { z } from '@hono/zod-openapi'
import { KINDS, PURPOSES } from '../../domain/charging/profile.ts'
import { VERDICTS } from '../../domain/charging/records.ts'
import { INSTANT_HINT, parseInstant } from '../../domain/message-log/search.ts'
import { DESCRIPTION, NAME } from '../../domain/typed-text.ts'
import { mayHoldLimit } from '../../ocpp/limit-key.ts'
import { chargePointParams } from '../schemas/charge-points.ts'
import { instant, listOf, queryInteger, time, typedText } from '../schemas/common.ts'

const name = typedText(NAME)
export const limitParams = chargePointParams.extend({ name })

const amps = z.number().min(0).max(10_000).optional().openapi({ description: 'Of each phase.', example: 16 })
const watts = z.number().min(0).max(10_000_000).optional().openapi({ description: 'Of all phases.' })
const phases = z.union([z.literal(1), z.literal(2), z.literal(3)]).optional()
const evseId = z.int().min(0).max(999)
const limitEvse = evseId
  .optional()
  .openapi({ description: 'Of OCPP 1.6 the connector. 0, or left out: the whole charge point.' })

const rate = { amps, watts }
const FALLBACK = 'What holds from until on; without it nothing does.'

export const PutLimitSchema = z
  .strictObject({
    evseId: limitEvse,
    ...rate,
    phases: phases.openapi({ description: 'How many the car is given; three where that is unknown.' }),
    schedule: z
      .array(z.strictObject({ startAt: instant('From then on.'), ...rate }))
      .min(1)
      .max(200)
      .optional(),
    until: instant('When it ends by itself.').optional(),
    fallback: z.strictObject(rate).optional().openapi({ description: FALLBACK }),
  })
  .openapi('PutLimit')

export const LimitSchema = z
  .strictObject({
    name,
    evseId: limitEvse,
    ...rate,
    phases,
    schedule: z.array(z.strictObject({ startAt: time(), ...rate })).optional(),
    until: time().optional(),
    fallback: z.strictObject(rate).optional().openapi({ description: FALLBACK }),
    effectiveAmps: z.number().optional().openapi({
      description:
        'What a car may draw by it now, of each phase. Below 6 A it cannot charge: that is 0. Absent where the charge point refused it, and once it is over.',
    }),
    state: z
      .enum(['pending', 'accepted', 'refused', 'expired'])
      .openapi({ description: 'expired: its end has passed.' }),
    reason: z.string().optional().openapi({
      description: 'Why the charge point refused it. Of an accepted one: what deleting it cannot undo.',
    }),
    revision: z.int(),
    appliedRevision: z.int().optional().openapi({ description: 'The newest one that the charge point accepted.' }),
    acceptedAt: time().optional(),
    proof: z
      .strictObject({ verdict: z.enum(VERDICTS), at: time().optional() })
      .openapi({ description: 'Whether the charge point keeps to it: by its own schedule, and by what it measures.' }),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('Limit')

export const LimitListSchema = listOf('LimitList', LimitSchema)

const document = z.record(z.string(), z.unknown()).openapi({
  description: 'As OCPP 2.0.1 or 1.6 has it, whichever the charge point speaks.',
  type: 'object',
})

export const ChargingProfileSchema = z
  .strictObject({
    id: z.int().optional().openapi({ description: 'Absent of a limit that others gave without one.' }),
    source: z.enum(['desired', 'reported']),
    owner: z.string().openapi({ description: 'pilotwire: made of limits. raw: as it was given. Else who set it.' }),
    evseId: z.int(),
    purpose: z.enum(PURPOSES),
    kind: z.enum(KINDS),
    stackLevel: z.int(),
    transactionId: z.string().optional(),
    validFrom: time().optional(),
    validTo: time().optional(),
    state: z.string(),
    reason: z.string().optional(),
    acceptedAt: time().optional(),
    effective: z.literal(true).optional().openapi({ description: 'It caps right now.' }),
    chargingProfile: document,
    updatedAt: time(),
  })
  .openapi('ChargingProfile')
export const ChargingProfileListSchema = listOf('ChargingProfileList', ChargingProfileSchema)
export const chargingProfileQuery = z.strictObject({ source: z.enum(['desired', 'reported']).optional() })

const int32 = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const timeText = z
  .string()
  .refine((text) => parseInstant(text) !== undefined, {
    params: { code: 'invalid_time' },
    message: INSTANT_HINT,
  })
  .openapi({ format: 'date-time' })
const rateOf = z.number().min(0).max(10_000_000)
const scheduleSchema = z.strictObject({
  id: int32.optional(),
  startSchedule: timeText.optional(),
  duration: int32.optional(),
  chargingRateUnit: z.enum(['A', 'W']),
  minChargingRate: rateOf.optional(),
  chargingSchedulePeriod: z
    .array(
      z.strictObject({
        startPeriod: int32,
        limit: rateOf,
        numberPhases: z.int().min(1).max(3).optional(),
        phaseToUse: z.int().min(1).max(3).optional(),
      }),
    )
    .min(1)
    .max(1024),
})

const sentProfile = z
  .strictObject({
    id: int32.optional(),
    chargingProfileId: int32.optional(),
    stackLevel: int32,
    chargingProfilePurpose: z.enum([...PURPOSES, 'ChargePointMaxProfile']),
    chargingProfileKind: z.enum(KINDS),
    recurrencyKind: z.enum(['Daily', 'Weekly']).optional(),
    transactionId: z.union([typedText({ most: 36 }), z.int()]).optional(),
    validFrom: timeText.optional(),
    validTo: timeText.optional(),
    chargingSchedule: z.union([scheduleSchema, z.array(scheduleSchema).min(1).max(3)]),
  })
  .openapi({ description: 'As OCPP 2.0.1 or 1.6 has it, whichever the charge point speaks.' })

export const PostChargingProfileSchema = z
  .strictObject({ evseId, chargingProfile: sentProfile })
  .openapi('PostChargingProfile')
export const ClearChargingProfilesSchema = z
  .strictObject({
    foreign: z.literal(true).optional().openapi({
      description: 'All that Pilotwire did not set. A 1.6 charge point cannot tell: all goes, and ours is sent again.',
    }),
    ids: z.array(z.int()).min(1).max(100).optional(),
  })
  .openapi('ClearChargingProfiles')

export const ClearedChargingProfilesSchema = z
  .strictObject({ state: z.literal('accepted') })
  .openapi('ClearedChargingProfiles')

const unit = z.enum(['A', 'W'])
export const compositeQuery = z.strictObject({
  evseId: queryInteger(0, 999, '0: the whole charge point.').optional(),
  duration: queryInteger(1, 604_800, 'Seconds; an hour unless given.').optional(),
  unit: unit.optional(),
})
const periods = z.array(
  z.strictObject({
    startPeriod: z.number().openapi({ description: 'Seconds.' }),
    limit: z.number().optional().openapi({ description: 'Absent: nothing limits it.' }),
    numberPhases: z.int().optional(),
    chargingProfileId: z.int().optional().openapi({ description: 'The profile that caps.' }),
  }),
)
const schedule = { unit, startAt: time().optional(), periods }
export const CompositeScheduleSchema = z
  .strictObject({
    evseId: z.int(),
    duration: z.int(),
    ours: z.strictObject(schedule).openapi({ description: 'By our own calculation from all that it holds.' }),
    station: z.strictObject(schedule).optional().openapi({ description: 'As it answered just now.' }),
    reason: z.string().optional().openapi({ description: 'Why the charge point reported none.' }),
    verdict: z.enum(VERDICTS).optional(),
  })
  .openapi('CompositeSchedule')

export const stationModelParams = z.object({ vendor: typedText(DESCRIPTION), model: typedText(DESCRIPTION) })
const model = {
  limitKey: typedText(NAME).optional().openapi({
    description:
      'A configuration key of the vendor that takes a limit in whole amperes, for charge points without smart charging; of OCPP 2.0.1 Component.Variable. No key that holds a secret or an address, and none that OCPP itself defines.',
  }),
  abilities: z
    .record(z.string().regex(/^[a-z][A-Za-z0-9]{0,62}$/), z.boolean())
    .optional()
    .openapi({ description: 'What it can, whatever it announces.', example: { smartCharging: true } }),
}
export const PutStationModelSchema = z
  .strictObject({
    ...model,
    limitKey: model.limitKey.refine((key) => key === undefined || mayHoldLimit(key), {
      error: 'holds a secret, an address or a setting of OCPP itself: name a key of the vendor that takes a limit',
    }),
  })
  .openapi('PutStationModel')
export const StationModelSchema = z
  .strictObject({ vendor: z.string(), model: z.string(), ...model, createdAt: time(), updatedAt: time() })
  .openapi('StationModel')
