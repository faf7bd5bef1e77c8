/** All records of all blocks, from one list of subjects; one missing in it does not compile where it is used. */
import * as alerts from '../alerts/records.ts'
import * as budgets from '../budgets/records.ts'
import * as bulkOrders from '../bulk-orders/records.ts'
import * as certificates from '../certificates/records.ts'
import * as charging from '../charging/records.ts'
import * as configuration from '../configuration/records.ts'
import * as customerInformation from '../customer-information/records.ts'
import * as dataTransfers from '../data-transfers/records.ts'
import * as deviceModel from '../device-model/records.ts'
import * as displayMessages from '../display-messages/records.ts'
import * as firmware from '../firmware/records.ts'
import * as intents from '../intents/records.ts'
import * as limitGroups from '../limit-groups/records.ts'
import * as localLists from '../local-lists/records.ts'
import * as locations from '../locations/records.ts'
import * as logs from '../logs/records.ts'
import * as monitors from '../monitors/records.ts'
import * as outgoingCalls from '../outgoing-calls/records.ts'
import * as partners from '../partners/records.ts'
import * as passwordRotations from '../password-rotations/records.ts'
import * as payments from '../payments/records.ts'
import * as preferences from '../preferences/records.ts'
import * as profileJobs from '../profile-jobs/records.ts'
import * as reports from '../reports/records.ts'
import * as reservations from '../reservations/records.ts'
import * as runningCosts from '../running-costs/records.ts'
import * as signedValues from '../signed-values/records.ts'
import * as sites from '../sites/records.ts'
import * as tariffs from '../tariffs/fields.ts'
import * as timeline from '../timeline/records.ts'
import * as uptime from '../uptime/records.ts'
import type { Declaration, KeyOf, QueryOf, RecordOf } from './record.ts'

const SUBJECTS = [
  alerts,
  budgets,
  bulkOrders,
  certificates,
  charging,
  configuration,
  customerInformation,
  dataTransfers,
  deviceModel,
  displayMessages,
  firmware,
  intents,
  limitGroups,
  localLists,
  locations,
  logs,
  monitors,
  outgoingCalls,
  partners,
  passwordRotations,
  payments,
  preferences,
  profileJobs,
  reports,
  reservations,
  runningCosts,
  signedValues,
  sites,
  tariffs,
  timeline,
  uptime,
]

type Exported<Subject> = Subject extends unknown ? Subject[keyof Subject] : never
type Declared = Extract<Exported<(typeof SUBJECTS)[number]>, Declaration>

/** Every record that the `records.ts` of a subject declares and exports. */
export const RECORDS = SUBJECTS.flatMap((subject) => Object.values<unknown>(subject)).filter(
  (exported): exported is Declared => exported instanceof Object && 'loadedWith' in exported,
)

/** Whatever this grant ordered and is still open is withdrawn. */
export interface EndedGrantInput {
  readonly kind: 'grantEnded'
  readonly grantId: string
}

/** What may happen to blocks; domain/blocks/rules.ts decides each. */
export type BlockInput =
  | outgoingCalls.CallInput
  | signedValues.MeterInput
  | logs.LogInput
  | firmware.FirmwareInput
  | certificates.CertificateInput
  | profileJobs.ProfileJobInput
  | passwordRotations.PasswordInput
  | payments.PaymentInput
  | bulkOrders.BulkInput
  | uptime.AvailabilityInput
  | intents.IntentInput
  | deviceModel.DeviceModelInput
  | monitors.MonitorInput
  | displayMessages.DisplayInput
  | runningCosts.CostInput
  | customerInformation.CustomerInput
  | reservations.ReservationInput
  | timeline.TimelineInput
  | EndedGrantInput
  | charging.ChargingInput
  | localLists.LocalListInput
  | limitGroups.LimitGroupInput
  | partners.PartnerInput
  | locations.LocationInput

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

type Members = Readonly<Record<string, unknown>>

const NONE: readonly never[] = []

interface OfKind {
  readonly byKey: Map<unknown, Members>
  /** All of them, from the first question on. */
  list: readonly Members[] | undefined
}

/** The records of one charge point in memory, as its rules read them. */
export class RecordsOfChargePoint implements KnownRecords {
  readonly #kinds = new Map<string, OfKind>()

  constructor(changes: readonly RecordChange[] = []) {
    this.apply(changes)
  }

  find<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): RecordOfKind<Kind> | undefined {
    const known = this.#kinds.get(kind)
    return known && (known.byKey.get(keyWithin(declarationOf(kind), key)) as RecordOfKind<Kind> | undefined)
  }

  all<Kind extends RecordKind>(kind: Kind): readonly RecordOfKind<Kind>[] {
    const known = this.#kinds.get(kind)
    if (!known) return NONE
    known.list ??= [...known.byKey.values()]
    return known.list as unknown as readonly RecordOfKind<Kind>[]
  }

  apply(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const declaration = declarationOf(change.kind)
      // The others would pile up: they are never read here.
      if (declaration.loadedWith !== 'chargePoint') continue
      const known = this.#of(change.kind)
      known.list = undefined
      if ('put' in change) known.byKey.set(keyWithin(declaration, change.put), change.put)
      else known.byKey.delete(keyWithin(declaration, change.remove))
    }
  }

  #of(kind: string): OfKind {
    const known = this.#kinds.get(kind)
    if (known) return known
    const fresh = { byKey: new Map(), list: undefined }
    this.#kinds.set(kind, fresh)
    return fresh
  }
}

/** For a charge point without records. */
export const NO_RECORDS: KnownRecords = new RecordsOfChargePoint()

/** As `keyText`, among the records of one charge point, whose id is the first member of all their keys. */
function keyWithin(declaration: Declaration, members: Members): unknown {
  const [, second = '', third] = declaration.key
  return third === undefined ? members[second] : keyText(declaration, members)
}

/** The same for equal keys. */
export function keyText({ key }: Declaration, members: Members): string {
  return JSON.stringify(key.map((name) => members[name]))
}
