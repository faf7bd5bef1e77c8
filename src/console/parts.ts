/** What the operator's pages need besides what every page behind the sign-in has. */

import type { WebhookOrders } from '../orders/webhooks/orders.ts'
import type { Core } from '../ports/core.ts'
import type { LogReads, Turn } from '../ports/storage.ts'

export interface OperatorParts {
  /** Where the log is searched. */
  readonly searchLog: (turn: Turn) => Pick<LogReads, 'searchCommands'>
  readonly core: Pick<Core, 'connectivity' | 'disconnect'>
  readonly webhookOrders: WebhookOrders
  /** As the API's, for public ids of commands. */
  readonly salt: bigint
}
