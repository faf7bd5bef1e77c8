/** The events about limit groups (GROUP-H3): one whenever something begins that an operator should know. */

import { type EventDocumentation, event, type MadeUp, timeSchema, type Zod } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'

export interface LimitGroupNews {
  readonly name: string
  readonly at: number
  readonly limitAmps: readonly number[]
  readonly allowedAmps: readonly number[]
  readonly drawAmps: readonly number[]
  /** Of `unproved`. */
  readonly evses?: readonly { readonly chargePointId: string; readonly evseId: number }[] | undefined
}

const schema = (z: Zod) =>
  z
    .strictObject({
      name: z.string().openapi({ description: 'Of the limit group.' }),
      at: timeSchema(z),
      limitAmps: z.array(z.number()).openapi({ description: 'Of each phase.' }),
      allowedAmps: z.array(z.number()).openapi({ description: 'What its EVSEs may draw together.' }),
      drawAmps: z.array(z.number()),
      evses: z.array(z.strictObject({ evseControllerId: z.string(), evseId: z.int() })).optional(),
    })
    .openapi('LimitGroupNews')

function represent({ name, at, limitAmps, allowedAmps, drawAmps, evses }: LimitGroupNews) {
  return {
    name,
    at: isoTime(at),
    limitAmps: [...limitAmps],
    allowedAmps: [...allowedAmps],
    drawAmps: [...drawAmps],
    evses: evses?.map(({ chargePointId, evseId }) => ({ evseControllerId: chargePointId, evseId })),
  }
}

const declared = <const Name extends string>(type: Name, documentation: EventDocumentation, withEvses = false) =>
  event(type, {
    about: 'chargePoint',
    readBy: 'chargers:control',
    // About no charge point: an application is sent it only with all charge points of the account.
    subject: (_: LimitGroupNews) => '',
    orderKey: ({ name }) => `limit-group ${name}`,
    coalesceKey: undefined,
    data: schema,
    represent,
    sample: ({ chargePointId, now }: MadeUp): LimitGroupNews => ({
      name: 'garage',
      at: now,
      limitAmps: [100, 100, 100],
      allowedAmps: [96, 96, 96],
      drawAmps: [80, 78, 81],
      ...(withEvses && { evses: [{ chargePointId, evseId: 1 }] }),
    }),
    documentation,
  })

export const limitGroupExceeded = declared('limit-group.exceeded', {
  component: 'LimitGroupExceededEvent',
  summary: 'A limit group may draw more than its limit',
  description:
    'Sent when the EVSEs of a limit group draw, or for 15 seconds may draw, more than it carries: the limit was lowered while stations are silent, or one does not keep to its own.',
})

export const limitGroupUnproved = declared(
  'limit-group.unproved',
  {
    component: 'LimitGroupUnprovedEvent',
    summary: 'A charge point does not keep to the limit of its group',
    description:
      'Sent when an EVSE of a limit group ignores its limit, or takes no fallback: it counts with what it draws, or with all that its connector can give.',
  },
  true,
)

export const limitGroupStale = declared('limit-group.stale', {
  component: 'LimitGroupStaleEvent',
  summary: 'The input of a limit group has become stale',
  description: 'Sent when the load of a building was not renewed, or an external limit fell to its fail-safe value.',
})

export const LIMIT_GROUP_EVENTS = [limitGroupExceeded, limitGroupUnproved, limitGroupStale] as const
