/** HOOK-E1: from the one declaration of an event type come the choice, the schemas, OpenAPI and its page. */
import type { z } from '@hono/zod-openapi'
import type { Scope } from './accounts/scopes.ts'
import type { EventData, EventSubject } from './ports/storage-webhooks.ts'

/** Declarations are given zod and import only its types: the core's thread never loads it. */
export type Zod = typeof z

export const timeSchema = (z: Zod): z.ZodString =>
  z.string().openapi({ format: 'date-time', example: '2026-08-01T12:00:00.000Z' })

/** Where a made-up event is to have happened (HOOK-S4). */
export interface MadeUp {
  readonly id: string
  readonly accountId: string
  readonly chargePointId: string
  readonly now: number
}

export interface EventDocumentation {
  readonly component: string
  readonly summary: string
  /** When it is sent, in whole sentences. */
  readonly description: string
}

export interface EventFacts<Of, Schema extends z.ZodType> {
  readonly about: EventSubject
  /** Scope with which an application reads it over the API; `account`: none (HOOK-E4). Default: the subject's. */
  readonly readBy?: Scope | 'account'
  /** Members of `data` that no application is sent. */
  readonly withheld?: readonly string[]
  readonly subject: (record: Of) => string
  /** Absent: the subject. */
  readonly orderKey?: (record: Of) => string
  /** `undefined`: every event of this type is delivered. */
  readonly coalesceKey: ((record: Of) => string) | undefined
  readonly data: (z: Zod) => Schema
  readonly represent: (record: Of) => z.input<Schema>
  /** A record for the test event of a subscription (HOOK-S4). */
  readonly sample: (made: MadeUp) => Of
  readonly documentation: EventDocumentation
}

export interface EventDeclaration<Name extends string, Of, Schema extends z.ZodType> {
  readonly type: Name
  readonly about: EventSubject
  readonly readBy: Scope | 'account'
  readonly withheld: readonly string[]
  readonly of: (record: Of) => EventData & { readonly type: Name; readonly data: z.input<Schema> }
  readonly madeUp: (made: MadeUp) => EventData
  readonly data: (z: Zod) => Schema
  readonly documentation: EventDocumentation
}

export type AnyEvent = EventDeclaration<string, never, z.ZodType>

/** At least one: a subscription without any would never be sent an event. */
export type EventRegistry = readonly [AnyEvent, ...AnyEvent[]]

export function event<const Name extends string, Of, Schema extends z.ZodType>(
  type: Name,
  facts: EventFacts<Of, Schema>,
): EventDeclaration<Name, Of, Schema> {
  const { about, subject, orderKey = subject, coalesceKey, data, represent, sample, documentation } = facts
  const { readBy = about === 'session' ? 'sessions:read' : 'chargers:read', withheld = [] } = facts
  const of: EventDeclaration<Name, Of, Schema>['of'] = (record) => ({
    type,
    subject: subject(record),
    orderKey: orderKey(record),
    coalesceKey: coalesceKey?.(record),
    data: represent(record),
  })
  return { type, about, readBy, withheld, of, madeUp: (made) => of(sample(made)), data, documentation }
}

/** @throws Error at the start of the process when a name is spelled wrongly or declared twice */
export function eventRegistry<const Registry extends EventRegistry>(...declarations: Registry): Registry {
  const names = declarations.map(({ type }) => type)
  // The stored set of a subscription is searched for the quoted name: nothing in it may need escaping.
  const wrong = names.find((name, index) => !/^[a-z-]+\.[a-z-]+$/.test(name) || names.indexOf(name) < index)
  if (wrong !== undefined) throw new Error(`The event type ${wrong} is spelled wrongly or declared twice.`)
  // The storage has the scope of a type that is not declared any more by its name (HOOK-E4).
  const odd = declarations.find(({ type, about }) => type.startsWith('session.') !== (about === 'session'))
  if (odd) throw new Error(`The event type ${odd.type} must begin with "session." exactly if it is about sessions.`)
  return declarations
}

export function namesOf<Registry extends EventRegistry>(registry: Registry): Registry[number]['type'][] {
  return registry.map(({ type }) => type)
}

/** What a subscription is sent that chose nothing, and what one of an older version had: the first entry. */
export function defaultEvents(registry: EventRegistry): readonly string[] {
  return [registry[0].type]
}

/** The names as they are stored and shown: each once, in the registry's order. */
export function eventSet(registry: EventRegistry, chosen: readonly string[] | undefined): readonly string[] {
  return chosen ? namesOf(registry).filter((name) => chosen.includes(name)) : defaultEvents(registry)
}

/** The declaration of a stored name; of one that is no longer declared, the first entry's. */
export function declarationOf(registry: EventRegistry, type: string): AnyEvent {
  return registry.find((declaration) => declaration.type === type) ?? registry[0]
}
