/**
 * A record is declared once: tables, change sets, loaders, lists and look-ups follow (docs/adding-a-block.md). Times in
 * records are ms since the epoch.
 */

/** What a column holds. `flag`: 0 or 1. `json`: text that only we read. */
export type ColumnType = 'integer' | 'text' | 'flag' | 'json'

export interface Column<Value = unknown> {
  readonly type: ColumnType
  readonly isOptional: boolean
  /** What is put is added to what is there (RECORD-D9). */
  readonly isSum?: true | undefined
  /** The version of the record that has it first; rows of older ones hold nothing in it. */
  readonly since: number
  readonly value?: Value | undefined
}

export interface OptionalColumn<Value> extends Column<Value> {
  readonly isOptional: true
}

export type Columns = Readonly<Record<string, Column>>

const column = <Value>(type: ColumnType): Column<Value> => ({ type, isOptional: false, since: 1 })

export const integer = (): Column<number> => column('integer')
export const text = <Value extends string = string>(): Column<Value> => column('text')
export const flag = (): Column<boolean> => column('flag')
/** Anything that JSON can spell; no part of a key, an index or a condition. */
export const json = <Value>(): Column<Value> => column('json')

/** An integer to which each put adds its own: the writer need not know the total. */
export const sum = (): Column<number> => ({ ...column<number>('integer'), isSum: true })

export function optional<Value>(of: Column<Value>): OptionalColumn<Value> {
  return { ...of, isOptional: true }
}

/** Came with this version: the upgrade to it fills what older rows do not have (RECORD-D3). */
export function since<C extends Column>(version: number, of: C): C {
  return { ...of, since: version }
}

/** A record as a row of an older version has it. */
export type OlderRecord = Readonly<Record<string, unknown>>
export type Upgrade = (older: OlderRecord) => OlderRecord

export interface Declaration<
  Name extends string = string,
  C extends Columns = Columns,
  Key extends string = string,
  Indexed extends string = string,
> {
  readonly name: Name
  /** Each row says which version wrote it. */
  readonly version: number
  readonly key: readonly Key[]
  readonly columns: C
  /** Beside the key; each begins with what is looked for. */
  readonly indexes: readonly (readonly Indexed[])[]
  /** It belongs to the state of its charge point: decisions see it, and only they change it. */
  readonly loadedWith: 'chargePoint' | undefined
  /** What is there stays as it was put first: putting it again changes nothing. */
  readonly writtenOnce: boolean
  /** No decision reads it, so an engine may place it a moment after the commit (STORE-J5). Only decisions change it. */
  readonly placedLater: boolean
  /** The core remembers what it read of it, and forgets that whenever one is written (RECORD-D8). */
  readonly isRegistration: boolean
  /** The column with the time by which old ones are removed (`removeOldRecords`). */
  readonly age: string | undefined
  readonly upgrades: readonly Upgrade[]
  /** Its table is older than records: no row says a version, and its indexes have these names. */
  readonly unversioned: readonly string[] | undefined
}

/**
 * Declares a record. Its version is one more than there are `upgrades`, which go from version to version. With a column
 * `chargePointId` it is removed with its charge point. @throws when the declaration contradicts itself
 */
export function record<
  const Name extends string,
  const C extends Columns,
  const Key extends keyof C & string,
  const Indexed extends keyof C & string = never,
>(
  name: Name,
  said: Pick<Declaration<Name, C, Key, Indexed>, 'key' | 'columns'> &
    Partial<Omit<Declaration<Name, C, Key, Indexed>, 'name' | 'version'>> & { readonly age?: Indexed | undefined },
): Declaration<Name, C, Key, Indexed> {
  const declared = {
    name,
    version: (said.upgrades?.length ?? 0) + 1,
    indexes: [],
    loadedWith: undefined,
    writtenOnce: false,
    placedLater: false,
    isRegistration: false,
    age: undefined,
    upgrades: [],
    unversioned: undefined,
    ...said,
  }
  const fault = contradiction(declared)
  if (fault !== undefined) throw new Error(`The record ${name} ${fault}.`)
  return declared
}

function contradiction(declared: Declaration): string | undefined {
  const { columns, key, indexes, loadedWith, writtenOnce, placedLater, age, version, unversioned } = declared
  if (key.length === 0) return 'has no key'
  if (key.some((name) => columns[name]?.isOptional)) return 'has an optional column in its key'
  if ([...key, ...indexes.flat()].some((name) => columns[name]?.type === 'json'))
    return 'has JSON in its key or an index'
  if (loadedWith === 'chargePoint' && key[0] !== 'chargePointId') {
    return 'is loaded with its charge point, so its key must begin with chargePointId'
  }
  if (loadedWith && writtenOnce) return 'is part of the state of its charge point, which changes'
  if (placedLater && (loadedWith || writtenOnce)) return 'is placed later, so its last version alone is known'
  const isSummed = Object.values(columns).some(({ isSum }) => isSum)
  if (isSummed && (loadedWith || writtenOnce || placedLater))
    return 'has a sum, which no decision sees and each put changes'
  if (age !== undefined && !indexes.some(([first]) => first === age)) return 'has no index that begins with its age'
  if (unversioned && version > 1) return 'says no version, so it has no upgrades'
  const tooNew = Object.keys(columns).find((name) => (columns[name]?.since ?? 1) > version)
  return tooNew === undefined ? undefined : `has no upgrade to the version of ${tooNew}`
}

type ValueOf<C> = C extends Column<infer Value> ? Value : never
type OptionalOf<C extends Columns> = {
  [Name in keyof C]: C[Name] extends { readonly isOptional: true } ? Name : never
}[keyof C]

/** The record itself: a member per column. */
export type RecordOf<D extends Declaration> = {
  readonly [Name in Exclude<keyof D['columns'], OptionalOf<D['columns']>>]: ValueOf<D['columns'][Name]>
} & {
  readonly [Name in OptionalOf<D['columns']>]?: ValueOf<D['columns'][Name]> | undefined
}

/** The members that tell it from others of its kind. */
export type KeyOf<D extends Declaration> = { readonly [Name in D['key'][number]]: ValueOf<D['columns'][Name]> }

/** Of a column in a list's condition. `from` is part of the range, `below` is not. */
export type Condition<Value> =
  | Value
  | { readonly in: readonly Value[] }
  | { readonly from?: Value | undefined; readonly below?: Value | undefined }

/** One page of a list, in the order of the key. */
export interface QueryOf<D extends Declaration> {
  /** The key, or an index, must begin with the columns that are named here (RECORD-D4). */
  readonly where?: {
    readonly [Name in D['key'][number] | D['indexes'][number][number]]?:
      | Condition<ValueOf<D['columns'][Name]>>
      | undefined
  }
  /** The other way round: the greatest key first. */
  readonly newestFirst?: true | undefined
  /** Behind the last one of the page before. */
  readonly after?: KeyOf<D> | undefined
  readonly limit: number
}
