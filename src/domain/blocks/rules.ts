/** Which rule decides which input of a block; an input without one does not compile. */

import {
  bulkOrdersAfterBoot,
  onBulkAnswered,
  onBulkLogOrdered,
  onBulkLogOver,
  onBulkOrdered,
  onBulkRolledBack,
  onBulkSent,
  onChargePointGone,
} from '../bulk-orders/rules.ts'
import {
  onCertificateInstalled,
  onCertificateRefused,
  onCertificateRevoked,
  onCertificateShown,
  onCertificatesReported,
  onCertificatesRevoked,
} from '../certificates/certificates.ts'
import {
  onCertificateAwaited,
  onCertificateFailureNoticed,
  onCertificateMade,
  onCertificateNotMade,
  onCertificateNotTaken,
  onCertificateQueued,
  onCertificateRequested,
} from '../certificates/requests.ts'
import { expireDemands, wakeOfDemand } from '../charging/demands.ts'
import { onCarScheduleReported, onCurrentSeen } from '../charging/evidence.ts'
import { followEvses, onEvseMissing, type ReportedEvses } from '../charging/evses.ts'
import { type ChangedCharges, followCharges } from '../charging/follow-charges.ts'
import { onExternalLimitReported, onProfilesMeddled, onProfilesReported } from '../charging/reported.ts'
import {
  chargingAfterBoot,
  onChargingAnswered,
  onChargingDemanded,
  onChargingNeedsReported,
  onChargingSent,
  onFormsExhausted,
  onModelChanged,
  onProfilesWithdrawn,
  onRawProfileRequested,
  onWiringSet,
} from '../charging/rules.ts'
import { onPhasesSeen } from '../charging/watts.ts'
import {
  endCustomerRequests,
  onCustomerInformationAnswered,
  onCustomerInformationDelivered,
  onCustomerInformationOrdered,
  onCustomerPage,
} from '../customer-information/rules.ts'
import {
  endSilentReports,
  onReportAnswered,
  onReportAsked,
  onReportInterrupted,
  onReportPage,
  onReportPlaced,
  onReportRequested,
  onValuesPlaced,
  onValuesReported,
  onVariablesGone,
  reportsAfterBoot,
  wakeOfReport,
} from '../device-model/rules.ts'
import { followMessages } from '../display-messages/desired-messages.ts'
import { onDisplayPage } from '../display-messages/rules.ts'
import {
  onFirmwareAnswered,
  onFirmwareBooted,
  onFirmwareCallOrdered,
  onFirmwareDue,
  onFirmwareOrdered,
  onFirmwareRecalled,
  onFirmwareStatus,
} from '../firmware/rules.ts'
import { onGrantEnded } from '../grants/ended-grant.ts'
import {
  expireIntents,
  intentsAfterBoot,
  onConfigurationsSettled,
  onIntentsAnswered,
  onIntentsFailed,
  onIntentsJudged,
  onIntentsRead,
  onIntentsReleased,
  onIntentsRequested,
  onIntentsSent,
  onIntentsWithdrawn,
  onResetSentForIntents,
} from '../intents/rules.ts'
import { wakeOf } from '../intents/states.ts'
import { onSharesGiven } from '../limit-groups/rules.ts'
import {
  localListAfterBoot,
  onLocalListAnswered,
  onLocalListRequested,
  onLocalListUnchanged,
  onLocalListVersionReported,
} from '../local-lists/rules.ts'
import {
  onLogAnswered,
  onLogCallOrdered,
  onLogDue,
  onLogFileStored,
  onLogRemoved,
  onLogRequested,
  onLogStatus,
} from '../logs/rules.ts'
import { keepEvents, onMonitorPage } from '../monitors/rules.ts'
import { onCallPutBack, onCallSent } from '../outgoing-calls/rules.ts'
import {
  onPasswordAnswered,
  onPasswordCallOrdered,
  onPasswordCancelled,
  onPasswordOrdered,
  onPasswordSeen,
  onPasswordsDue,
} from '../password-rotations/rules.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { ChargePointState, Outcome } from '../ports/sessions.ts'
import {
  onProfileCancelled,
  onProfileJobsDue,
  onProfileRequested,
  onProfileSeen,
  onProfileStepDone,
  onProfileStepFailed,
  onProfileStepLost,
  profilesAfterBoot,
} from '../profile-jobs/rules.ts'
import type { BlockInput } from '../records/records.ts'
import {
  expireReservations,
  onReservationAnswered,
  onReservationCancelled,
  onReservationOrdered,
  onReservationReported,
  wakeOfReservation,
} from '../reservations/rules.ts'
import { followCosts, onCostOver } from '../running-costs/rules.ts'
import { onMeterKeysSeen } from '../signed-values/rules.ts'
import { onConnected, onConnectionRefused, onDisconnected, onSecurityEventSeen } from '../timeline/rules.ts'
import { onAvailabilityOrdered } from '../uptime/rules.ts'

type Rules = {
  readonly [Kind in BlockInput['kind']]: (
    draft: BlockDraft,
    input: Extract<BlockInput, { readonly kind: Kind }>,
  ) => Outcome
}

const RULES: Rules = {
  callSent: onCallSent,
  callPutBack: onCallPutBack,
  meterKeysSeen: onMeterKeysSeen,
  logRequested: onLogRequested,
  logCallOrdered: onLogCallOrdered,
  logAnswered: onLogAnswered,
  logStatus: onLogStatus,
  logFileStored: onLogFileStored,
  logRemoved: onLogRemoved,
  logDue: onLogDue,
  firmwareOrdered: onFirmwareOrdered,
  firmwareCallOrdered: onFirmwareCallOrdered,
  firmwareAnswered: onFirmwareAnswered,
  firmwareStatus: onFirmwareStatus,
  firmwareDue: onFirmwareDue,
  firmwareRecalled: onFirmwareRecalled,
  certificateRequested: onCertificateRequested,
  certificateMade: onCertificateMade,
  certificateNotMade: onCertificateNotMade,
  certificateNotTaken: onCertificateNotTaken,
  certificateFailureNoticed: onCertificateFailureNoticed,
  certificateAwaited: onCertificateAwaited,
  certificateQueued: onCertificateQueued,
  certificateShown: onCertificateShown,
  certificateRefused: onCertificateRefused,
  certificateRevoked: onCertificateRevoked,
  certificatesRevoked: onCertificatesRevoked,
  certificatesReported: onCertificatesReported,
  certificateInstalled: onCertificateInstalled,
  profileRequested: onProfileRequested,
  profileStepDone: onProfileStepDone,
  profileStepFailed: onProfileStepFailed,
  profileStepLost: onProfileStepLost,
  profileCancelled: onProfileCancelled,
  profileSeen: onProfileSeen,
  profileJobsDue: onProfileJobsDue,
  passwordOrdered: onPasswordOrdered,
  passwordCallOrdered: onPasswordCallOrdered,
  passwordAnswered: onPasswordAnswered,
  passwordSeen: onPasswordSeen,
  passwordCancelled: onPasswordCancelled,
  passwordsDue: onPasswordsDue,
  bulkOrdered: onBulkOrdered,
  bulkSent: onBulkSent,
  bulkAnswered: onBulkAnswered,
  bulkLogOrdered: onBulkLogOrdered,
  bulkLogOver: onBulkLogOver,
  bulkRolledBack: onBulkRolledBack,
  chargePointGone: onChargePointGone,
  availabilityOrdered: onAvailabilityOrdered,
  intentsRequested: onIntentsRequested,
  intentsWithdrawn: onIntentsWithdrawn,
  configurationsSettled: onConfigurationsSettled,
  intentsSent: onIntentsSent,
  intentsAnswered: onIntentsAnswered,
  intentsFailed: onIntentsFailed,
  intentsRead: (draft, input) => {
    if (input.reported) onValuesReported(draft, input.reported)
    return onIntentsRead(draft, input)
  },
  intentsJudged: onIntentsJudged,
  intentsReleased: onIntentsReleased,
  intentsOverdue: (draft) => {
    expireIntents(draft)
    return {}
  },
  resetSentForIntents: onResetSentForIntents,
  reportRequested: onReportRequested,
  reportAsked: onReportAsked,
  reportAnswered: onReportAnswered,
  reportPage(draft, input) {
    if (input.meterKeys) onMeterKeysSeen(draft, input.meterKeys)
    return onReportPage(draft, input)
  },
  reportPlaced: onReportPlaced,
  reportInterrupted: onReportInterrupted,
  valuesReported: onValuesReported,
  eventsNotified(draft, input) {
    if (input.values.length > 0) onValuesReported(draft, input)
    keepEvents(draft, input)
    return {}
  },
  monitorPage: onMonitorPage,
  displayPage: onDisplayPage,
  costOver: onCostOver,
  customerInformationOrdered: onCustomerInformationOrdered,
  customerInformationAnswered: onCustomerInformationAnswered,
  customerPage: onCustomerPage,
  customerInformationDelivered: onCustomerInformationDelivered,
  customerInformationDue: (draft) => {
    endCustomerRequests(draft)
    return {}
  },
  reservationOrdered: onReservationOrdered,
  reservationCancelled: onReservationCancelled,
  reservationAnswered: onReservationAnswered,
  reservationReported: onReservationReported,
  valuesPlaced: onValuesPlaced,
  variablesGone: onVariablesGone,
  grantEnded: onGrantEnded,
  chargingDemanded: onChargingDemanded,
  rawProfileRequested: onRawProfileRequested,
  profilesWithdrawn: onProfilesWithdrawn,
  chargingSent: onChargingSent,
  chargingAnswered: onChargingAnswered,
  evseMissing: onEvseMissing,
  formsExhausted: onFormsExhausted,
  currentSeen: onCurrentSeen,
  phasesSeen: onPhasesSeen,
  profilesReported: onProfilesReported,
  externalLimitReported: onExternalLimitReported,
  chargingNeedsReported: onChargingNeedsReported,
  carScheduleReported: onCarScheduleReported,
  chargingModelChanged: onModelChanged,
  profilesMeddled: onProfilesMeddled,
  wiringSet: onWiringSet,
  sharesGiven: onSharesGiven,
  connected: onConnected,
  disconnected: onDisconnected,
  connectionRefused: onConnectionRefused,
  securityEventSeen: onSecurityEventSeen,
  localListRequested: onLocalListRequested,
  localListAnswered: onLocalListAnswered,
  localListUnchanged: onLocalListUnchanged,
  localListVersionReported: onLocalListVersionReported,
}

/** What an input changes in the draft, and what it is answered. Pure; never throws for what a charge point may send. */
export function decideBlock(draft: BlockDraft, input: BlockInput): Outcome {
  const rule = RULES[input.kind] as (draft: BlockDraft, input: BlockInput) => Outcome
  return rule(draft, input)
}

/** A charge point booted: what blocks make of it, in the same commit. */
export function bootedInBlocks(draft: BlockDraft, firmwareVersion: string | undefined): void {
  onFirmwareBooted(draft, firmwareVersion)
  bulkOrdersAfterBoot(draft)
}

/** What a boot that was accepted means for blocks. */
export function blocksAfterBoot(draft: BlockDraft, firmwareVersion: string | undefined): void {
  intentsAfterBoot(draft, firmwareVersion)
  reportsAfterBoot(draft, firmwareVersion)
  profilesAfterBoot(draft)
  chargingAfterBoot(draft, firmwareVersion)
  localListAfterBoot(draft)
}

/** What charges and EVSEs mean for blocks, whatever changed them. @returns whether anything changed */
export function followInBlocks(draft: BlockDraft, changes: ChangedCharges & ReportedEvses): boolean {
  const { records } = draft.state
  const isDemanded = records.all('charging_demands').length > 0
  const isLimited = (isDemanded || records.all('charging_profiles').length > 0) && followCharges(draft, changes)
  const isThere = isDemanded && followEvses(draft, changes)
  const { costAvailable, costEnabled = costAvailable } = records.all('device_models')[0]?.limits ?? {}
  const isReported = costEnabled === 1 && followCosts(draft, changes)
  const isOver = records.all('intents').length > 0 && followMessages(draft, changes)
  return isLimited || isThere || isReported || isOver
}

/** Time passed. */
export function tickBlocks(draft: BlockDraft): void {
  expireIntents(draft)
  endSilentReports(draft)
  expireReservations(draft)
  expireDemands(draft)
  endCustomerRequests(draft)
}

/** When the next tick can change something, or something is to be sent. */
export function wakeOfBlocks({ records }: ChargePointState, now: number): number {
  let wake = Number.POSITIVE_INFINITY
  // What could have been sent already waits for something else than the clock.
  const later = (at: number): number => (at > now ? at : Number.POSITIVE_INFINITY)
  for (const intent of records.all('intents')) wake = Math.min(wake, later(wakeOf(intent, now)))
  for (const reservation of records.all('reservations')) wake = Math.min(wake, wakeOfReservation(reservation))
  for (const demand of records.all('charging_demands')) wake = Math.min(wake, wakeOfDemand(demand))
  for (const { dueAt } of records.all('customer_requests')) wake = Math.min(wake, dueAt)
  for (const report of records.all('reports')) wake = Math.min(wake, wakeOfReport(report))
  for (const { reportDueAt, monitorsDueAt, displayDueAt } of records.all('device_models')) {
    wake = Math.min(wake, later(reportDueAt ?? wake), later(monitorsDueAt ?? wake), later(displayDueAt ?? wake))
  }
  return wake
}
