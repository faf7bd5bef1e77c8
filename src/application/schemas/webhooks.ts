/** What subscribers receive, from the registry of events (HOOK-E1, HOOK-W1, HOOK-W2, HOOK-M8). Pure. */
import { z } from '@hono/zod-openapi'
import {
  type AnyEvent,
  declarationOf,
  type EventDeclaration,
  type EventRegistry,
  namesOf,
} from '../../domain/event-declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { EventSubject } from '../../domain/ports/storage-webhooks.ts'
import { time } from './common.ts'

/** A declaration's schema is one object of the description, wherever it is used. */
const dataSchemas = new Map<AnyEvent, z.ZodType>()

export function dataSchema<Schema extends z.ZodType>(declaration: EventDeclaration<string, never, Schema>): Schema {
  const made = (dataSchemas.get(declaration) as Schema | undefined) ?? declaration.data(z)
  dataSchemas.set(declaration, made)
  return made
}

function envelopeSchema(declaration: AnyEvent) {
  return z
    .strictObject({
      specversion: z.literal('1.0'),
      id: z.string().openapi({ description: 'The logical event; stable over retries, for deduplication.' }),
      type: z.literal(declaration.type),
      source: z.literal('service/api'),
      time: time(),
      datacontenttype: z.literal('application/json'),
      data: dataSchema(declaration),
    })
    .openapi(declaration.documentation.component)
}

const SUBJECT_NAMES: Readonly<Record<EventSubject, string>> = { session: 'sessionId', chargePoint: 'evseControllerId' }

export type EventSchemas = ReturnType<typeof eventSchemas>

export function eventSchemas(registry: EventRegistry) {
  const envelopes = registry.map((declaration) => ({ declaration, schema: envelopeSchema(declaration) }))
  const [first, ...others] = envelopes.map(({ schema }) => schema)
  const subjects = [...new Set(registry.map(({ about }) => SUBJECT_NAMES[about]))]
  return {
    type: z.enum(namesOf(registry)),
    envelopes,
    envelope: first && others.length === 0 ? first : z.union(envelopes.map(({ schema }) => schema)),
    /** Members of a delivery: required where every event has the same kind of subject. */
    subjects: Object.fromEntries(
      subjects.map((name) => [name, subjects.length === 1 ? z.string() : z.string().optional()]),
    ),
  }
}

export const EVENT_SCHEMAS = eventSchemas(EVENTS)

export function subjectMember(
  registry: EventRegistry,
  type: string,
  subject: string,
): Readonly<Record<string, string>> {
  // An alert may be about the server itself.
  return subject === '' ? {} : { [SUBJECT_NAMES[declarationOf(registry, type).about]]: subject }
}

export const deliveryHeaders = (type: string) =>
  z.object({
    'Webhook-Timestamp': z
      .string()
      .openapi({ description: 'Unix seconds of the signature; refuse old ones (5 minutes).' }),
    'Webhook-Event': z.literal(type),
    'Webhook-Signature': z.string().openapi({
      description:
        'Hex HMAC-SHA256 of `<Webhook-Timestamp>.<raw body>` with the whole secret, whsec_ included, as the key. Split at commas and accept any match. With signatureScheme standard-webhooks it is that scheme’s value.',
    }),
    'Webhook-Delivery': z.string().openapi({ description: 'Stable over retries; unsigned, not for deduplication.' }),
    'Webhook-Attempt': z.string().openapi({ description: 'Counts from 1.' }),
    'Webhook-Id': z.string().optional().openapi({ description: 'The id of the event. With standard-webhooks only.' }),
    'Webhook-Test': z
      .literal('true')
      .optional()
      .openapi({ description: 'The session is made up for a test that was requested.' }),
  })
