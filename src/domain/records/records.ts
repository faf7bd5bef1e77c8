/** All records of all blocks, of all subjects (subjects.ts); one missing in it does not compile where it is used. */
import type { Declaration, KeyOf, QueryOf, RecordOf } from './record.ts'
import * as subjects from './subjects.ts'

type Declared = Extract<(typeof subjects)[keyof typeof subjects], Declaration>

/** Every record that the `records.ts` of a subject declares and exports. */
export const RECORDS = Object.values<unknown>(subjects).filter(
  (exported): exported is Declared => exported instanceof Object && 'loadedWith' in exported,
)

/** Whatever this grant ordered and is still open is withdrawn. */
export interface EndedGrantInput {
  readonly kind: 'grantEnded'
  readonly grantId: string
}

/** What may happen to blocks; domain/blocks/rules.ts decides each. */
export type BlockInput =
  | subjects.CallInput
  | subjects.MeterInput
  | subjects.LogInput
  | subjects.FirmwareInput
  | subjects.CertificateInput
  | subjects.ProfileJobInput
  | subjects.PasswordInput
  | subjects.PaymentInput
  | subjects.BulkInput
  | subjects.AvailabilityInput
  | subjects.IntentInput
  | subjects.DeviceModelInput
  | subjects.MonitorInput
  | subjects.DisplayInput
  | subjects.CostInput
  | subjects.CustomerInput
  | subjects.ReservationInput
  | subjects.TimelineInput
  | EndedGrantInput
  | subjects.ChargingInput
  | subjects.LocalListInput
  | subjects.LimitGroupInput
  | subjects.PartnerInput
  | subjects.LocationInput

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
