/** What the operator's pages need besides what every page behind the sign-in has. */
import type { Core } from '../core/core.ts'
import type { WebhookOrders } from '../http/webhooks/orders.ts'
import type { LogReads, Turn } from '../storage/store.ts'

export interface OperatorParts {
  /** Where the log is searched. */
  readonly searchLog: (turn: Turn) => Pick<LogReads, 'searchCommands'>
  readonly core: Pick<Core, 'connectivity' | 'disconnect'>
  readonly webhookOrders: WebhookOrders
  /** As the API's, for public ids of commands. */
  readonly salt: bigint
}
