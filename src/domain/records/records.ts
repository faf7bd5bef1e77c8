/**
 * All records there are, whichever block declares them, and all that happens to them. Types, lists and tables
 * (storage/schema/records.ts) follow from this one list: what is missing in it does not compile where it is used.
 */
import {
  alertAcknowledgements,
  alertMailings,
  alertNotices,
  alertRules,
  alerts,
  stationCare,
} from '../alerts/records.ts'
import { budgetSums } from '../budgets/records.ts'
import { type BulkInput, bulkOrderRows, bulkOrders, bulkParts } from '../bulk-orders/records.ts'
import {
  type CertificateInput,
  certificateAuthorities,
  certificateRequests,
  installedCertificates,
  revokedCertificates,
  stationCertificates,
} from '../certificates/records.ts'
import {
  type ChargingInput,
  chargingDemands,
  chargingForms,
  chargingProfiles,
  chargingStations,
  modelAbilities,
  wirings,
} from '../charging/records.ts'
import { configurations } from '../configuration/records.ts'
import { type CustomerInput, customerRequests } from '../customer-information/records.ts'
import { dataTransfers } from '../data-transfers/records.ts'
import {
  type DeviceModelInput,
  deviceModels,
  modelQuirks,
  reports,
  stationModels,
  unansweredReports,
  valueBatches,
  variables,
} from '../device-model/records.ts'
import { type DisplayInput, stationMessages } from '../display-messages/records.ts'
import {
  campaignResumptions,
  campaignRows,
  type FirmwareInput,
  firmwareCampaigns,
  firmwareImages,
  firmwareUpdates,
} from '../firmware/records.ts'
import { type IntentInput, intents } from '../intents/records.ts'
import {
  type LimitGroupInput,
  limitGroupInputs,
  limitGroups,
  limitMinutes,
  limitPlans,
  limitShares,
} from '../limit-groups/records.ts'
import { type LocalListInput, localListEntries, localLists, stationLists } from '../local-lists/records.ts'
import { type LogInput, logRequests } from '../logs/records.ts'
import { eventTallies, type MonitorInput, monitorSets, stationEvents, stationMonitors } from '../monitors/records.ts'
import { type CallInput, outgoingCalls } from '../outgoing-calls/records.ts'
import { type PasswordInput, passwordChanges, passwordRotations } from '../password-rotations/records.ts'
import { preferences } from '../preferences/records.ts'
import { type ProfileJobInput, profileJobs } from '../profile-jobs/records.ts'
import { reportMails, sentReports, sessionReports } from '../reports/records.ts'
import { type ReservationInput, reservations } from '../reservations/records.ts'
import { type CostInput, runningCosts } from '../running-costs/records.ts'
import { type MeterInput, meterKeys, meters, signedValues } from '../signed-values/records.ts'
import { sitePlaces } from '../sites/records.ts'
import { connectionHistory, refusedConnections, type TimelineInput, timelineRepetitions } from '../timeline/records.ts'
import { type AvailabilityInput, availabilityOrders } from '../uptime/records.ts'
import type { Declaration, KeyOf, QueryOf, RecordOf } from './record.ts'

/** Every record, each declared once in the `records.ts` of its subject. */
export const RECORDS = [
  outgoingCalls,
  signedValues,
  meters,
  meterKeys,
  logRequests,
  firmwareImages,
  firmwareUpdates,
  firmwareCampaigns,
  campaignRows,
  campaignResumptions,
  certificateRequests,
  stationCertificates,
  revokedCertificates,
  certificateAuthorities,
  installedCertificates,
  profileJobs,
  passwordRotations,
  passwordChanges,
  bulkOrders,
  bulkOrderRows,
  bulkParts,
  availabilityOrders,
  intents,
  deviceModels,
  reports,
  valueBatches,
  variables,
  stationModels,
  reservations,
  runningCosts,
  customerRequests,
  unansweredReports,
  modelQuirks,
  configurations,
  monitorSets,
  stationMonitors,
  stationMessages,
  stationEvents,
  eventTallies,
  alertRules,
  alerts,
  alertNotices,
  alertMailings,
  alertAcknowledgements,
  stationCare,
  connectionHistory,
  timelineRepetitions,
  dataTransfers,
  refusedConnections,
  budgetSums,
  preferences,
  chargingDemands,
  chargingProfiles,
  chargingStations,
  chargingForms,
  modelAbilities,
  wirings,
  localLists,
  localListEntries,
  stationLists,
  limitGroups,
  limitGroupInputs,
  limitShares,
  limitPlans,
  limitMinutes,
  sessionReports,
  reportMails,
  sentReports,
  sitePlaces,
] as const

/** What of this grant is still waited for is not wanted any more. */
export interface EndedGrantInput {
  readonly kind: 'grantEnded'
  readonly grantId: string
}

/** What may happen to blocks; domain/blocks/rules.ts decides each. */
export type BlockInput =
  | CallInput
  | MeterInput
  | LogInput
  | FirmwareInput
  | CertificateInput
  | ProfileJobInput
  | PasswordInput
  | BulkInput
  | AvailabilityInput
  | IntentInput
  | DeviceModelInput
  | MonitorInput
  | DisplayInput
  | CostInput
  | CustomerInput
  | ReservationInput
  | TimelineInput
  | EndedGrantInput
  | ChargingInput
  | LocalListInput
  | LimitGroupInput

type Declared = (typeof RECORDS)[number]
type DeclarationOf<Kind extends RecordKind> = Extract<Declared, { readonly name: Kind }>

/** The name of a record, which is its table's as well. */
export type RecordKind = Declared['name']
/** A whole record of a kind. */
export type RecordOfKind<Kind extends RecordKind> = RecordOf<DeclarationOf<Kind>>
/** What names one record of a kind. */
export type RecordKey<Kind extends RecordKind> = KeyOf<DeclarationOf<Kind>>
/** Which records of a kind a list has, and from where on. */
export type RecordQuery<Kind extends RecordKind> = QueryOf<DeclarationOf<Kind>>

/** A record that is written whole. */
export type RecordPut = {
  readonly [Kind in RecordKind]: { readonly kind: Kind; readonly put: RecordOfKind<Kind> }
}[RecordKind]

/** `put` writes the record whole, whether it was there or not; removing what is not there changes nothing. */
export type RecordChange =
  | RecordPut
  | { readonly [Kind in RecordKind]: { readonly kind: Kind; readonly remove: RecordKey<Kind> } }[RecordKind]

/** The records of one charge point that decisions see: those that are loaded with it. */
export interface KnownRecords {
  find<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): RecordOfKind<Kind> | undefined
  /** In the order in which they first came; those of the database in the order of their keys. */
  all<Kind extends RecordKind>(kind: Kind): readonly RecordOfKind<Kind>[]
}

/** Whether what was committed of it may be in its place a moment later only (STORE-J5). */
export function isPlacedLater(kind: RecordKind): boolean {
  return PLACED_LATER.has(kind)
}

const PLACED_LATER: ReadonlySet<string> = new Set(RECORDS.flatMap((one) => (one.placedLater ? [one.name] : [])))

const DECLARATIONS: ReadonlyMap<string, Declaration> = new Map(RECORDS.map((one) => [one.name, one]))

/** @throws for a name that is none, which only a caller without types can have */
export function declarationOf(kind: RecordKind): Declaration {
  const found = DECLARATIONS.get(kind)
  if (!found) throw new Error(`There is no record ${kind}.`)
  return found
}
