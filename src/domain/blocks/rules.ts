import * as bulkOrders from '../bulk-orders/rules.ts'
import * as certificates from '../certificates/certificates.ts'
import * as certificateRequests from '../certificates/requests.ts'
import * as chargingEvses from '../charging/demands.ts'
import { expireDemands, type ReportedEvses, wakeOfDemand } from '../charging/demands.ts'
import * as chargingDynamic from '../charging/dynamic.ts'
import * as chargingEvidence from '../charging/evidence.ts'
import * as chargingReports from '../charging/reported.ts'
import { type ChangedCharges, followCharges } from '../charging/rows.ts'
import * as charging from '../charging/rules.ts'
import * as chargingWatts from '../charging/watts.ts'
import * as customerInformation from '../customer-information/rules.ts'
import * as deviceModel from '../device-model/rules.ts'
import * as displayMessages from '../display-messages/rules.ts'
import { followMessages } from '../display-messages/rules.ts'
import * as firmware from '../firmware/rules.ts'
import * as grants from '../grants/ended-grant.ts'
import * as intents from '../intents/rules.ts'
import { wakeOf } from '../intents/states.ts'
import * as limitGroups from '../limit-groups/rules.ts'
import * as localLists from '../local-lists/rules.ts'
import * as locations from '../locations/rules.ts'
import * as logs from '../logs/rules.ts'
import * as monitors from '../monitors/rules.ts'
import * as outgoingCalls from '../outgoing-calls/rules.ts'
import * as passwordRotations from '../password-rotations/rules.ts'
import { onWebPaymentClaimed } from '../payments/rules.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { ChargePointState, Outcome } from '../ports/sessions.ts'
import * as profileJobs from '../profile-jobs/rules.ts'
import type { BlockInput } from '../records/records.ts'
import * as reservations from '../reservations/rules.ts'
import * as runningCosts from '../running-costs/rules.ts'
import { onPartnerPermitted } from '../sessions/orders/partner-token.ts'
import * as signedValues from '../signed-values/rules.ts'
import * as timeline from '../timeline/rules.ts'
import * as uptime from '../uptime/rules.ts'

/** Without an answer: nothing is refused, and nothing is said. */
export type Rule<Of, On = BlockDraft> =
  | ((draft: On, input: Of) => Outcome | undefined)
  | ((draft: On, input: Of) => void)

/** An input of a block is decided by the rule of its name, `onBulkSent` for `bulkSent`; without it nothing compiles. */
type Rules = {
  readonly [Kind in BlockInput['kind'] as `on${Capitalize<Kind>}`]: Rule<Extract<BlockInput, { readonly kind: Kind }>>
}

const RULES: Rules = {
  ...outgoingCalls,
  ...signedValues,
  ...logs,
  ...firmware,
  ...certificateRequests,
  ...certificates,
  ...profileJobs,
  ...passwordRotations,
  ...bulkOrders,
  ...uptime,
  ...intents,
  ...deviceModel,
  ...monitors,
  ...displayMessages,
  ...runningCosts,
  ...customerInformation,
  ...reservations,
  ...grants,
  ...charging,
  ...chargingEvses,
  ...chargingEvidence,
  ...chargingWatts,
  ...chargingDynamic,
  ...chargingReports,
  ...limitGroups,
  ...timeline,
  ...localLists,
  ...locations,
  onWebPaymentClaimed,
  onPartnerPermitted,
  onIntentsRead: (draft, input) => {
    if (input.reported) deviceModel.onValuesReported(draft, input.reported)
    return intents.onIntentsRead(draft, input)
  },
  onIntentsOverdue: intents.expireIntents,
  onReportPage(draft, input) {
    if (input.meterKeys) signedValues.onMeterKeysSeen(draft, input.meterKeys)
    return deviceModel.onReportPage(draft, input)
  },
  onEventsNotified(draft, input) {
    if (input.values.length > 0) deviceModel.onValuesReported(draft, input)
    monitors.keepEvents(draft, input)
  },
  onCustomerInformationDue: customerInformation.endCustomerRequests,
}

/** Without what the modules export beside their rules: `isLogDue` would stand for `logDue`. */
const RULE_OF: ReadonlyMap<string, Rule<BlockInput>> = new Map(
  Object.entries(RULES)
    .filter(([name]) => /^on[A-Z]/.test(name))
    .map(([name, rule]) => [name.charAt(2).toLowerCase() + name.slice(3), rule as Rule<BlockInput>]),
)

/** What an input changes in the draft, and what it is answered. Pure; never throws for what a charge point may send. */
export function decideBlock(draft: BlockDraft, input: BlockInput): Outcome {
  return RULE_OF.get(input.kind)?.(draft, input) ?? NOTHING
}

const NOTHING: Outcome = {}

/** A charge point booted: what blocks make of it, in the same commit. */
export function bootedInBlocks(draft: BlockDraft, firmwareVersion: string | undefined): void {
  firmware.onFirmwareBooted(draft, firmwareVersion)
  bulkOrders.bulkOrdersAfterBoot(draft)
}

/** What a boot that was accepted means for blocks. */
export function blocksAfterBoot(draft: BlockDraft, firmwareVersion: string | undefined): void {
  intents.intentsAfterBoot(draft, firmwareVersion)
  deviceModel.reportsAfterBoot(draft, firmwareVersion)
  profileJobs.profilesAfterBoot(draft)
  charging.chargingAfterBoot(draft, firmwareVersion)
  localLists.localListAfterBoot(draft)
}

/** What charges and EVSEs mean for blocks, whatever changed them. @returns whether anything changed */
export function followInBlocks(
  draft: BlockDraft,
  changes: ChangedCharges & ReportedEvses & locations.ChangedEvses,
): boolean {
  const { records } = draft.state
  const isDemanded = records.all('charging_demands').length > 0
  const isEnded = isDemanded && chargingEvses.endPartnerProfiles(draft, changes)
  const isLimited = (isDemanded || records.all('charging_profiles').length > 0) && followCharges(draft, changes)
  const isThere = isDemanded && chargingEvses.followEvses(draft, changes)
  const { costAvailable, costEnabled = costAvailable } = records.all('device_models')[0]?.limits ?? {}
  const isReported = costEnabled === 1 && runningCosts.followCosts(draft, changes)
  const isOver = records.all('intents').length > 0 && followMessages(draft, changes)
  const isShown = records.all('location_evses').length > 0 && locations.followEvseStatus(draft, changes)
  return isEnded || isLimited || isThere || isReported || isOver || isShown
}

/** Time passed. */
export function tickBlocks(draft: BlockDraft): void {
  intents.expireIntents(draft)
  deviceModel.endSilentReports(draft)
  reservations.expireReservations(draft)
  expireDemands(draft)
  customerInformation.endCustomerRequests(draft)
}

/** When the next tick can change something, or something is to be sent. */
export function wakeOfBlocks({ records }: ChargePointState, now: number): number {
  let wake = Number.POSITIVE_INFINITY
  // What could have been sent already waits for something else than the clock.
  const later = (at: number): number => (at > now ? at : Number.POSITIVE_INFINITY)
  for (const intent of records.all('intents')) wake = Math.min(wake, later(wakeOf(intent, now)))
  for (const reservation of records.all('reservations'))
    wake = Math.min(wake, reservations.wakeOfReservation(reservation))
  for (const demand of records.all('charging_demands')) wake = Math.min(wake, wakeOfDemand(demand))
  for (const { dueAt } of records.all('customer_requests')) wake = Math.min(wake, dueAt)
  for (const evse of records.all('location_evses')) wake = Math.min(wake, locations.wakeOfSilence(evse))
  for (const report of records.all('reports')) wake = Math.min(wake, deviceModel.wakeOfReport(report))
  for (const { reportDueAt, monitorsDueAt, displayDueAt } of records.all('device_models')) {
    wake = Math.min(wake, later(reportDueAt ?? wake), later(monitorsDueAt ?? wake), later(displayDueAt ?? wake))
  }
  return wake
}
