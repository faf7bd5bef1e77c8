/** Everything about webhooks, tariffs and settlements that the API offers, and the account they belong to. */
import type { Api } from '../parts.ts'
import { addAccount } from '../routes/account.ts'
import { addSettlements } from '../routes/settlements.ts'
import { addTariffs } from '../routes/tariffs.ts'
import { addTimeline } from '../routes/timeline.ts'
import { addDeliveries } from './deliveries.ts'
import { addEvents } from './events.ts'
import { addSubscriptions } from './subscriptions.ts'

export function addWebhookApi(api: Api): void {
  addSubscriptions(api)
  addDeliveries(api)
  addEvents(api)
  addTariffs(api)
  addAccount(api)
  addSettlements(api)
  addTimeline(api)
}
