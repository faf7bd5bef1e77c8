/** OIDC-C13: what an application asked of one charge point ends with its grant. */
import { endChargingOf } from '../charging/rules.ts'
import { removeCustomerRequestsOf } from '../customer-information/rules.ts'
import { endReportsOf } from '../device-model/rules.ts'
import { withdrawIntentsOf } from '../intents/rules.ts'
import { endLogsOf } from '../logs/rules.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import { endProfileJobsOf } from '../profile-jobs/rules.ts'
import type { EndedGrantInput } from '../records/records.ts'
import { cancelReservationsOf } from '../reservations/rules.ts'

export function onGrantEnded(draft: BlockDraft, { grantId }: EndedGrantInput): void {
  endChargingOf(draft, grantId)
  endLogsOf(draft, grantId)
  endReportsOf(draft, grantId)
  endProfileJobsOf(draft, grantId)
  cancelReservationsOf(draft, grantId)
  withdrawIntentsOf(draft, grantId)
  removeCustomerRequestsOf(draft, grantId)
}
