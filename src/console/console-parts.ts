import type { UseCaseContext } from '../application/context.ts'
import type { WebhookOrders } from '../application/webhooks/subscribing.ts'
import type { Clock } from '../domain/ports/core.ts'
import type { NodeFacts, StorageFigures } from '../domain/ports/nodes.ts'
import type { LogReads, Reads, Turn, Writes } from '../domain/ports/storage.ts'
import type { MountPage, PageHandler } from '../web/mount.ts'
import type { Site } from '../web/site.ts'
import type { Resolve } from '../webhooks/sending/sender.ts'

export interface SignInSite extends Site {
  readonly reads: Reads
  readonly writes: Writes
  /** The secret key hashes the passwords of charge points. */
  readonly config: Site['config'] & { readonly baseUrl: string; readonly secretKey: Uint8Array }
}

/** What pages stand on, and use cases as well: it has all that they ask for. */
export interface ConsoleSite extends SignInSite, OperatorContext {
  readonly settings: { readonly secretKey: Uint8Array; readonly voltage: number; readonly timeZone: string }
}

export type ConsolePage = PageHandler<ConsoleSite>

export type MountConsolePages = (page: MountPage<ConsoleSite>) => void

export interface OperatorContext {
  readonly searchLog: (turn: Turn) => Pick<LogReads, 'searchCommands' | 'searchNetwork' | 'exportCommands'>
  readonly core: UseCaseContext['core']
  /** Of each phase, where limits are counted in watts. */
  readonly voltage: number
  readonly after: Clock['after']
  readonly webhookOrders: WebhookOrders
  readonly deliveries?: { wake(): void } | undefined
  /** CIDR blocks of non-public receivers. */
  readonly webhookAllowPrivate?: readonly string[]
  /** Names of webhook receivers; the system's unless given. */
  readonly resolve?: Resolve
  /** Where charge points and applications reach the server, without a trailing slash. */
  readonly baseUrl: string
  /** Where a day begins (CONSOLE-A3). */
  readonly timeZone: string
  /** As the API's, for public ids of commands. */
  readonly salt: bigint
  /** PEM, where it is known: root of the certificate that this server shows (CERT-C25). */
  readonly serverRoot?: string | undefined
  readonly installation?: {
    /** Undefined: one process has the database to itself. */
    nodes(): Promise<readonly NodeFacts[] | undefined>
    storageFigures(): Promise<StorageFigures>
    readonly version?: string
    readonly node?: { readonly name: string; readonly since: number }
  }
  readonly extraPages?: readonly MountConsolePages[]
}
