import type { Database } from 'better-sqlite3'
import type { WebhookWrites } from '../../../ports/storage-webhooks.ts'
import { alignWrites } from './align.ts'
import { claimWrites } from './claims.ts'
import { keptAnswerWrites } from './kept-answers.ts'
import { orderWrites } from './orders.ts'
import { pullInWrites } from './pull-in.ts'
import { resultWrites } from './results.ts'
import { subscriptionWrites } from './subscriptions.ts'
import { tariffWrites } from './tariffs.ts'

export function webhookWrites(db: Database): WebhookWrites {
  const { alignDeliveries } = alignWrites(db)
  return {
    alignDeliveries,
    ...subscriptionWrites(db, alignDeliveries),
    ...claimWrites(db),
    ...resultWrites(db),
    ...orderWrites(db),
    ...pullInWrites(db),
    ...tariffWrites(db),
    ...keptAnswerWrites(db),
  }
}
