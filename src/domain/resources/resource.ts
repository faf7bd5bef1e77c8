/** A resource as one declaration: API, rights, pages and command follow, each in its room (docs/add-a-field.md). */
import type { Permission } from '../accounts/roles.ts'
import type { Reads, Writes } from '../ports/storage.ts'
import { type Field, type Fields, KINDS, memberOf, type StoredOf } from './field.ts'

/** One as the rooms have it, whatever its fields are: `stored` reads them. */
export type Row = object & { readonly accountId: string }

/** What the API says of an operation, where that does not follow from the resource. */
interface Operation {
  readonly summary?: string
  readonly describe?: string
  readonly answer?: string
}
export type Act = 'list' | 'get' | 'create' | 'change' | 'replace' | 'delete'
type Operations = { readonly [A in Act]?: Operation } & { readonly list: Operation }

export interface Store<R, Changed> {
  /** All of an account, or a page of them where `id` says that there are pages. */
  list(reads: Reads, accountId: string, page?: { limit: number; afterId: string | undefined }): Promise<readonly R[]>
  get(reads: Reads, accountId: string, id: string): Promise<R | undefined>
  /** Of one whose id is no member of its own. */
  id?(row: R): string
  create?(writes: Writes, made: R): Promise<'created' | 'exists'>
  change?(writes: Writes, accountId: string, id: string, values: Changed, at: number): Promise<R | undefined>
  /** Whole: what `values` lack is gone. */
  replace?(writes: Writes, accountId: string, id: string, values: Changed, at: number): Promise<R | undefined>
  delete?(on: { reads: Reads; writes: Writes }, accountId: string, id: string, at: number): Promise<boolean>
}

/** An operation without its function of the store does not compile. */
type StoreFor<Ops, S> = S & Required<Pick<S, keyof Ops & keyof S>>

interface Declared<Name extends string, Fs extends Fields, Ops extends Operations, R, Changed> {
  /** As operations have it: `Tariff` makes `createTariff`, `/2/tariffs`, `tariffId` and `pilotwire tariff`. */
  readonly name: Name
  readonly fields: Fs
  /** The field that a person calls it by; there is one for each of its values, absence included. */
  readonly calledBy: keyof Fs & string
  /** Whose it is (OIDC-C14), who may call the API, and who sees and changes it on pages (ADMIN-A1). */
  readonly rights: { owner: 'account'; api: 'credential'; see: Permission; change: Permission }
  readonly operations: Ops
  readonly store: StoreFor<Ops, Store<R, Changed>>
  /** Of a random id. */
  readonly idPrefix?: string
  readonly exists?: (value: string | undefined) => string
  /** Why this row cannot be, whatever its fields are by themselves; asked before a change. */
  readonly isTaken?: (reads: Reads, row: Row) => Promise<boolean>
  /** Where its words in the API are others. */
  readonly api?: { readonly tag: string; readonly id: string; readonly missing: string }
  /** Fields that a phone has room for; absent: it has no pages (their words stand in `locales`). */
  readonly pages?: { readonly narrow: readonly (keyof Fs & string)[] }
  readonly command?: {
    readonly does: string
    readonly list: string
    readonly set: string
    readonly examples: readonly string[]
  }
}

/** As the rooms have one. */
export type Resource = Declared<string, Fields, Operations, Row, object>

type Of<Name extends string, Ops extends Operations> = Resource & { readonly name: Name; readonly operations: Ops }

/** Its store has a member for each field, also for those that may be absent. */
type Whole<Fs extends Fields, R> = [Exclude<keyof StoredOf<Fs>, keyof R>] extends [never] ? unknown : never

export function resource<
  const Name extends string,
  const Fs extends Fields,
  const Ops extends Operations,
  R extends StoredOf<Fs> & Row,
  Changed,
>(declared: Declared<Name, Fs, Ops, R, Changed> & Whole<Fs, R>): Of<Name, Ops> {
  return declared as unknown as Of<Name, Ops>
}

type IdOf<A, Name extends string> = A extends 'list' ? `list${Name}s` : `${A & string}${Name}`
/** The names of its operations in the API. */
export type OperationIdOf<O> = O extends Of<infer Name, infer Ops> ? IdOf<keyof Ops, Name> : never

export const operationId = <A extends Act>({ name }: Pick<Resource, 'name'>, act: A): IdOf<A, string> =>
  `${act}${name}${act === 'list' ? 's' : ''}` as IdOf<A, string>

/** In addresses, commands and forms: `id-token` for `IdToken`. */
export const slugOf = ({ name }: Resource): string => name.replaceAll(/(?!^)[A-Z]/g, '-$&').toLowerCase()
export const pathOf = (of: Resource): string => `/${slugOf(of)}s`
export const nounOf = (of: Resource): string => slugOf(of).replaceAll('-', ' ')
export const idName = ({ name, api }: Resource): string => api?.id ?? `${lowerFirst(name)}Id`
export const idOf = (of: Resource, row: Row): string => of.store.id?.(row) ?? String(heldIn(row, idName(of)))
export const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

export const fieldsOf = ({ fields }: Resource): readonly (readonly [name: string, field: Field])[] =>
  Object.entries(fields)
/** Those that pages and commands show. */
export const visible = (of: Resource) => fieldsOf(of).filter(([, { isKept }]) => !isKept)
/** Those that a request may have: of a new one, or of one that is changed. */
export const settable = (of: Resource, isNew: boolean) => visible(of).filter(([, { fixed }]) => isNew || !fixed)

export function stored(row: object, name: string, field: Field): unknown {
  return heldIn(row, memberOf(name, field)) ?? KINDS[field.kind].absent
}

const heldIn = (row: object, member: string): unknown => (row as Readonly<Record<string, unknown>>)[member]
