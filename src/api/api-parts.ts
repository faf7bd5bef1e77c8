import type { IncomingMessage } from 'node:http'
import type { UseCaseContext } from '../application/context.ts'
import type { WebhookOrders } from '../application/webhooks/subscribing.ts'
import type { Cursors } from '../domain/message-log/cursor.ts'
import type { Clock } from '../domain/ports/core.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { NodeFacts, StorageFigures } from '../domain/ports/nodes.ts'
import type { LogInTurns } from '../domain/ports/storage.ts'
import type { Deliveries } from '../webhooks/deliverer.ts'
import type { Resolve } from '../webhooks/sending/sender.ts'
import type { VerifyAccessToken } from './access/access.ts'
import type { Endpoints } from './endpoint.ts'
import type { Metrics } from './metrics/observe.ts'
import type { RateLimits } from './requests/rate-limit.ts'

export interface ApiSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly dashboardUrl?: string | undefined
  /** 32 bytes. */
  readonly secretKey: Uint8Array
  /** Requests per minute; 0 = no limit. */
  readonly rateV1: number
  readonly rateV2: number
  readonly rateApi: number
  /** CIDR blocks that webhooks may reach though they are not public. */
  readonly webhookAllowPrivate?: readonly string[] | undefined
  /** PEM, where it is known: root of the certificate that this server shows (CERT-C25). */
  readonly serverRoot?: string | undefined
  /** Of each phase, where limits are counted in watts. */
  readonly voltage: number
  readonly timeZone?: string | undefined
}

export interface ApiContext
  extends Pick<UseCaseContext, 'reads' | 'writes' | 'core' | 'now' | 'after' | 'random' | 'salt' | 'log'> {
  /** Where the log is searched, so that a slow search delays no look-up of a credential (SEARCH-Q10, SEARCH-Q12). */
  readonly searchLog?: LogInTurns | undefined
  readonly settings: ApiSettings
  readonly monotonic: Clock['monotonic']
  readonly limits: Limits
  readonly verifyAccessToken?: VerifyAccessToken | undefined
  readonly version?: string | undefined
  readonly retentionDeleted?: () => number
  /** Since when a national access point has not taken what it is sent (AFIR-A2). */
  readonly afirWaitingSince?: (() => number | undefined) | undefined
  readonly metricsElsewhere?: boolean | undefined
  readonly storageFigures?: () => Promise<StorageFigures>
  readonly nodes?: () => Promise<readonly NodeFacts[] | undefined>
  readonly node?: { readonly name: string; readonly since: number; readonly isOneOfSeveral: boolean } | undefined
  readonly deliveries?: Pick<Deliveries, 'wake' | 'statistics'> | undefined
  readonly webhookOrders?: WebhookOrders | undefined
  readonly resolve?: Resolve | undefined
  /** Whose request it is behind the trusted proxies; without it no request is counted by address. */
  readonly clientOrigin?: (request: Pick<IncomingMessage, 'socket' | 'headers'>) => { readonly address: string }
  readonly stopping?: AbortSignal | undefined
  readonly extraEndpoints?: readonly ((api: Api) => void)[]
}

export interface Api extends ApiContext {
  readonly searchLog: LogInTurns
  readonly webhookOrders: WebhookOrders
  readonly endpoints: Endpoints
  readonly cursors: Cursors
  readonly rateLimits: RateLimits
  readonly metrics: Metrics
}
