/** What pages need of their surroundings; a room with pages passes a context of its own with more in it. */

import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Language } from '../application/words/in-languages.ts'
import type { Permission } from '../domain/accounts/roles.ts'
import type { Writes } from '../domain/ports/storage.ts'
import type { LoginSession } from '../domain/ports/storage-oidc.ts'
import type { User } from '../domain/ports/storage-records.ts'
import type { AnsweredForms } from './answered-forms.ts'

/** What a page asks of its visitors (domain/accounts/roles.ts). */
export type Role = Permission

export interface Visitor {
  /** What forms are bound to: they end with the sign-in. */
  readonly session: Pick<LoginSession, 'idHash'>
  readonly user: Pick<User, 'id' | 'accountId' | 'email' | 'role' | 'name'>
  readonly person: Person
}

export interface Person {
  /** Absent: what the browser asks for. */
  readonly language?: Language | undefined
  readonly timeZone: string
  /** Alerts that are on and not acknowledged. */
  readonly openAlerts: number
  readonly counts: Readonly<Record<string, number>>
}

export interface Site {
  readonly config: { readonly dashboardUrl: string }
  readonly csrfKey: Uint8Array
  readonly random: (bytes: number) => Buffer
  readonly log: { error(fields: object, message: string): void }
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly timeZone: string
  readonly writes: Pick<Writes, 'audit' | 'setAuditOutcome'>
  /** Forms that carry `once` (entries.tsx). */
  readonly answeredForms: AnsweredForms
  /** Whose request it is behind the trusted proxies. */
  readonly addressOf: (context: PageContext) => string
  readonly findVisitor: (context: PageContext) => Promise<Visitor | undefined>
  /** Nothing was decided and the same request may work in a moment. */
  readonly isUnavailable: (error: unknown) => boolean
}

export type VisitorOf<Place extends Site> = NonNullable<Awaited<ReturnType<Place['findVisitor']>>>

export interface PageEnv {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: { readonly names?: string | undefined }
}

export type PageContext = Context<PageEnv>

/** Of another app, which has variables of its own. */
export function pageContextOf(context: Context): PageContext {
  return context
}

/** Path of the dashboard, without a trailing slash: empty when it has a host of its own. */
export function rootOf({ config }: Pick<Site, 'config'>): string {
  return new URL(config.dashboardUrl).pathname.replace(/\/$/, '')
}
