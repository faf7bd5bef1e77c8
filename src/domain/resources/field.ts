/**
 * A field of a resource, as data. What a room needs of each kind stands in a table of that room, so a new kind does not
 * compile until every room has it.
 */
export type Words = readonly [english: string, german: string]

/**
 * What an option of the command line calls its value, its column, the end of its member's name, and what stands for a
 * value that was left out.
 */
export const KINDS = {
  amount: { option: 'amount', column: 'integer', suffix: 'Micros', absent: 0 },
  chargePoint: { option: 'id', column: 'text', suffix: '', absent: undefined },
  choice: { option: 'name', column: 'text', suffix: '', absent: undefined },
  /** A value of several parts, as JSON; its `shape` names what is known of it. */
  json: { option: 'json', column: 'json', suffix: '', absent: undefined },
  currency: { option: 'code', column: 'text', suffix: '', absent: undefined },
  flag: { option: 'flag', column: 'integer', suffix: '', absent: undefined },
  integer: { option: 'number', column: 'integer', suffix: '', absent: undefined },
  time: { option: 'time', column: 'integer', suffix: '', absent: undefined },
  word: { option: 'text', column: 'text', suffix: '', absent: '' },
} as const
export type Kind = keyof typeof KINDS

/** What a `json` holds: its schema stands in `SHAPES` (application/resource/shapes.ts). */
export interface Shape<T = unknown> {
  readonly name: string
  /** Its type; never a value. */
  readonly holds?: T
}

export interface Field {
  readonly kind: Kind
  /** On pages. */
  readonly label?: Words
  /** In the description of the API. */
  readonly describe?: string
  /** A request may leave it out. */
  readonly optional?: true
  /** Its table, and what sessions keep of a row, is older than the field and may lack it. */
  readonly added?: true
  /** Set once, never changed. */
  readonly fixed?: true
  /** No request has it, and neither do pages and commands. */
  readonly isKept?: true
  /** Its names in the API, and in forms and options, where they are not its own. */
  readonly names?: { readonly api?: string; readonly form?: string }
  /** What the option of the command line says; `describe` unless given. */
  readonly flag?: string
  /** In the form of a new one. */
  readonly initial?: string
  /** What the pages say where it was left out, and the form where it is empty. */
  readonly absent?: Words
  readonly options?: readonly [string, ...string[]]
  readonly shape?: Shape
  /** One has this field or that other one, not both; without `optional` a request must have one of them. */
  readonly unless?: string
  /** No column: the store finds it. */
  readonly isDerived?: true
}
export type Fields = Readonly<Record<string, Field>>

type KindOf<F extends Field> = (typeof KINDS)[F['kind']]
type Member<Name, F extends Field> = `${Name & string}${KindOf<F>['suffix']}`
type HeldBy<F extends Field> = F extends { readonly shape: Shape<infer T> } ? T : unknown
type TextOf<F extends Field> = F extends { readonly options: readonly (infer Option extends string)[] }
  ? Option
  : string
type ValueOf<F extends Field> = { integer: number; text: TextOf<F>; json: HeldBy<F> }[KindOf<F>['column']]
type MayLack<F extends Field> = F extends { readonly added: true }
  ? true
  : [F, KindOf<F>['absent']] extends [{ readonly optional: true }, undefined]
    ? true
    : false

/** What is stored of one: a member per field. */
export type StoredOf<Fs extends Fields> = {
  readonly [Name in keyof Fs as MayLack<Fs[Name]> extends true ? never : Member<Name, Fs[Name]>]: ValueOf<Fs[Name]>
} & {
  readonly [Name in keyof Fs as MayLack<Fs[Name]> extends true ? Member<Name, Fs[Name]> : never]?:
    | ValueOf<Fs[Name]>
    | undefined
}

/** The members of what is stored that hold fields of a kind. */
export type MembersOf<Fs extends Fields, K extends Kind> = {
  [Name in keyof Fs]: Fs[Name]['kind'] extends K ? Member<Name, Fs[Name]> : never
}[keyof Fs]

export function memberOf(name: string, { kind }: Pick<Field, 'kind'>): string {
  return name + KINDS[kind].suffix
}

export function formName(name: string, { names }: Pick<Field, 'names'>): string {
  return names?.form ?? name
}

/** What is kept of each one, if it has the field; see `create` of application/resource. */
export const version = { kind: 'integer', isKept: true } as const
export const keptTime = { kind: 'time', isKept: true } as const
