/** What pages need to know of the place that they stand in; whoever has pages passes a place of its own with more in it. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { User } from '../ports/storage.ts'
import type { LoginSession } from '../ports/storage-oidc.ts'

/** Members of an account look; its administrators also change what everybody gets. */
export type Role = 'anybody' | 'administrator'

/** Who sits at the browser, signed in. */
export interface Visitor {
  /** What forms are bound to: they end with the sign-in. */
  readonly session: Pick<LoginSession, 'idHash'>
  readonly user: Pick<User, 'accountId' | 'email' | 'role'>
}

export interface Site {
  readonly config: { readonly dashboardUrl: string }
  /** For the tokens in forms (csrf.ts), and for nothing else. */
  readonly csrfKey: Uint8Array
  readonly random: (bytes: number) => Buffer
  readonly log: { error(fields: object, message: string): void }
  /** Undefined: nobody is signed in. */
  readonly findVisitor: (context: PageContext) => Promise<Visitor | undefined>
  /** Nothing was decided and the same request may work in a moment. */
  readonly isUnavailable: (error: unknown) => boolean
}

/** With what the place knows of its visitors beyond what pages need. */
export type VisitorOf<Place extends Site> = NonNullable<Awaited<ReturnType<Place['findVisitor']>>>

export interface PageEnv {
  readonly Bindings: Partial<HttpBindings>
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
