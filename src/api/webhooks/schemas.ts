/** Bodies and parameters of the webhook endpoints (HOOK-S1 to HOOK-S7). */
import { z } from '@hono/zod-openapi'
import {
  instant,
  limitParameter,
  listOf,
  pageParameters,
  queryInstant,
  queryInteger,
  time,
  typedText,
} from '../../application/schemas/common.ts'
import { EVENT_SCHEMAS } from '../../application/schemas/webhooks.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import { DELIVERY_STATES } from '../../domain/states.ts'
import { DESCRIPTION } from '../../domain/typed-text.ts'

const updates = z.enum(['all', 'transitions']).openapi({
  description: 'all: every event. transitions: not those that only tell changed energy or cost figures.',
})
const filter = z
  .strictObject({ evseControllerIds: z.array(z.string().min(1)).min(1).max(500).optional() })
  .openapi({ description: 'Only events of these charge points.' })
const signatureScheme = z.enum(['standard-webhooks']).openapi({
  description:
    'Sign as Standard Webhooks defines it (Webhook-Id, v1 signatures, base64 secret) instead of our own way. Fixed at creation.',
})
const verify = z.enum(['cloudevents']).openapi({
  description:
    'Ask the receiver for its consent by OPTIONS, as CloudEvents web hooks define it: it must answer WebHook-Allowed-Origin with the host name of this server, or *. Asked again for a new URL.',
})
const eventType = EVENT_SCHEMAS.type
const events = z.array(eventType).min(1).max(EVENTS.length).openapi({
  description: 'session.updated unless given. For an application all others need the scope chargers:read as well.',
})
const url = z.string().min(1).max(2000).openapi({ format: 'uri', example: 'https://example.com/pilotwire' })
const description = typedText(DESCRIPTION)

const subscription = {
  id: z.string(),
  url,
  status: z.enum(['active', 'disabled', 'revoked']),
  disabledReason: z.enum(['gone', 'failing', 'owner', 'operator']).optional().openapi({
    description:
      'gone: answered 410. failing: five days without success. owner: by request. operator: of a grant’s webhook, by the account.',
  }),
  disabledAt: time().optional(),
  pausedUntil: time().optional().openapi({
    description:
      'Present during a pause that the receiver asked for with Retry-After: until then only tests and redeliveries leave.',
  }),
  description: description.optional(),
  events: z.array(eventType),
  updates,
  signatureScheme: signatureScheme.optional(),
  verify: verify.optional(),
  allowedRatePerMinute: z.int().optional().openapi({
    description: 'The WebHook-Allowed-Rate of the receiver: no more attempts begin in any minute.',
  }),
  filter: filter.optional(),
  lastSuccessAt: time().optional(),
  lastError: z.string().optional().openapi({ description: 'Of the newest failure, absent after a success.' }),
  consecutiveFailures: z.int().optional(),
  createdAt: time(),
}

export const WebhookSchema = z.strictObject(subscription).openapi('Webhook')
export const WebhookWithSecretSchema = z
  .strictObject({
    ...subscription,
    secret: z.string().openapi({
      description:
        'The signing secret, shown this once. The whole text is the key; with standard-webhooks, what is base64 in it.',
    }),
  })
  .openapi('WebhookWithSecret')
export const WebhookListSchema = listOf('WebhookList', WebhookSchema)

export const CreateWebhookSchema = z
  .strictObject({
    url,
    events: events.optional(),
    description: description.optional(),
    filter: filter.optional(),
    updates: updates.optional(),
    signatureScheme: signatureScheme.optional(),
    verify: verify.optional(),
  })
  .openapi('CreateWebhook')

export const ChangeWebhookSchema = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    description: description.nullable().optional(),
    filter: filter.nullable().optional(),
    updates: updates.optional(),
    verify: verify.nullable().optional(),
  })
  .openapi('ChangeWebhook')

export const RotateSecretSchema = z
  .strictObject({
    overlapSeconds: z.int().min(0).max(604_800).optional().openapi({
      description: 'How long the old secret signs as well; 86400 unless given. 0 keeps a single signature value.',
    }),
  })
  .openapi('RotateSecret')

export const EnableWebhookSchema = z
  .strictObject({
    resume: z.enum(['held', 'skip']).openapi({ description: 'Deliver what was held meanwhile, or leave it out.' }),
  })
  .openapi('EnableWebhook')

export const ReplaySchema = z
  .strictObject({
    from: instant('Only events recorded at or after this time.'),
    to: instant('Only events recorded before this time.'),
    state: z.enum(['succeeded', 'failed', 'superseded', 'cancelled']).optional(),
  })
  .openapi('ReplayDeliveries')

export const ReplayedSchema = z.strictObject({ replayed: z.int() }).openapi('ReplayedDeliveries')

const delivery = {
  id: z.string(),
  eventId: z.string(),
  ...EVENT_SCHEMAS.subjects,
  kind: z.enum(['transition', 'settlement', 'figures', 'test']),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  nextAttemptAt: time().optional(),
  createdAt: time(),
  finishedAt: time().optional(),
}

export const DeliverySchema = z.strictObject(delivery).openapi('Delivery')
export const DeliveryListSchema = listOf('DeliveryList', DeliverySchema)

export const DeliveryDetailSchema = z
  .strictObject({
    ...delivery,
    event: EVENT_SCHEMAS.envelope,
    causes: z.array(z.string()).openapi({ description: 'Ids of the commands that caused the event.' }),
    attemptLog: z.array(
      z.strictObject({
        number: z.int(),
        at: time(),
        durationMs: z.int(),
        url: z.string(),
        status: z.int().optional(),
        error: z.string().optional(),
        location: z.string().optional(),
        answer: z.string().optional().openapi({ description: 'The first 16 KiB of the answer.' }),
        requestHeaders: z.record(z.string(), z.string()),
      }),
    ),
  })
  .openapi('DeliveryDetail')

export const EventListSchema = listOf('EventList', EVENT_SCHEMAS.envelope)

export const webhookParams = z.object({ webhookId: z.string() })
export const deliveryQuery = z.strictObject({
  state: z.enum(DELIVERY_STATES).optional(),
  ...pageParameters,
})
export const eventQuery = z.strictObject({
  after: z.string().optional().openapi({ description: 'Id of the last event seen; absent: from the oldest kept.' }),
  from: queryInstant('Only events recorded at or after this time.').optional(),
  type: eventType.optional().openapi({ description: 'Events of this type; session.updated unless given.' }),
  limit: limitParameter,
  wait: queryInteger(0, 60, 'Seconds to wait for an event when there is none.').optional(),
})
