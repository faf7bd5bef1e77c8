/** One of a resource is created, found, changed and deleted; read from text, and shown as the API shows it. */
import type { Fault, Parsed } from '../../domain/message-log/fault.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFaults } from '../../domain/refuse.ts'
import { type Field, formName, KINDS, memberOf } from '../../domain/resources/field.ts'
import * as declared from '../../domain/resources/resource.ts'
import type { UseCaseContext } from '../context.ts'
import { apiName, RULES } from './kinds.ts'

type Resource = declared.Resource
type Row = declared.Row
export type Texts = Readonly<Record<string, string | undefined>>
/** As they are stored; whether every field has one is for the schema or `readTyped` to say. */
type Members = Readonly<Record<string, unknown>>

type ResourceContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now' | 'random'>

export async function create(
  of: Resource,
  { reads, writes, now, random }: ResourceContext,
  accountId: string,
  members: Members,
): Promise<Row | Refusal> {
  for (const [name, { kind }] of declared.settable(of, true)) {
    const id = members[name] as string | undefined
    if (kind === 'chargePoint' && id !== undefined && (await reads.findChargePoint(id))?.accountId !== accountId)
      return noSuch('charge point')
  }
  const contradictory = contradictions(of, members)
  if (contradictory.length > 0) return refuseFaults(contradictory)
  const at = now()
  const kept = Object.entries({ version: 1, createdAt: at, updatedAt: at }).filter(([name]) => name in of.fields)
  const id = (of.idPrefix ?? '') + random(12).toString('hex')
  const made = { [declared.idName(of)]: id, accountId, ...Object.fromEntries(kept), ...members }
  if ((await of.store.create?.(writes, made)) !== 'exists' || !of.exists) return withDerived(of, reads, made)
  return refuse(409, existsCode(of), of.exists(members[of.calledBy] as string | undefined))
}

export const existsCode = (of: Resource): string => `${declared.nounOf(of).replaceAll(' ', '_')}_exists`

export async function get(of: Resource, reads: Reads, accountId: string, id: string): Promise<Row | Refusal> {
  return (await of.store.get(reads, accountId, id)) ?? missing(of)
}

export async function change(
  of: Resource,
  { reads, writes, now }: Changing,
  before: Row,
  members: Members,
): Promise<Row | Refusal> {
  return settle(of, { reads, writes, now }, before, { ...before, ...members }, () =>
    of.store.change?.(writes, before.accountId, declared.idOf(of, before), members, now()),
  )
}

/** A whole one instead of `before`: what is fixed or kept stays. */
export async function replace(of: Resource, context: Changing, before: Row, members: Members) {
  const { writes, now } = context
  const kept = Object.entries(before).filter(
    ([member]) => !declared.settable(of, false).some(([name, field]) => memberOf(name, field) === member),
  )
  return settle(of, context, before, { ...Object.fromEntries(kept), ...members }, () =>
    of.store.replace?.(writes, before.accountId, declared.idOf(of, before), members, now()),
  )
}

type Changing = Pick<ResourceContext, 'reads' | 'writes' | 'now'>

async function settle(
  of: Resource,
  { reads }: Changing,
  { accountId }: Row,
  after: Members,
  store: () => Promise<Row | undefined> | undefined,
): Promise<Row | Refusal> {
  const faults = contradictions(of, after)
  if (faults.length > 0) return refuseFaults(faults)
  if (of.exists && (await of.isTaken?.(reads, { ...after, accountId })))
    return refuse(409, existsCode(of), of.exists(after[of.calledBy] as string | undefined))
  const stored = await store()
  return stored ? withDerived(of, reads, stored) : missing(of)
}

/** As it is read: what the store finds is no part of what was written. */
async function withDerived(of: Resource, reads: Reads, row: Row): Promise<Row> {
  const isWhole = !declared.fieldsOf(of).some(([, { isDerived }]) => isDerived)
  return isWhole ? row : ((await of.store.get(reads, row.accountId, declared.idOf(of, row))) ?? row)
}

/** Fields that exclude each other. */
function contradictions(of: Resource, members: Members): readonly Fault[] {
  return declared.fieldsOf(of).flatMap(([name, field]) => {
    const other = field.unless === undefined ? undefined : of.fields[field.unless]
    if (!other || !members[memberOf(name, field)] || !members[memberOf(field.unless ?? '', other)]) return []
    const message = `cannot stand beside ${apiName(field.unless ?? '', other)}: send one of them, or replace the whole`
    return [{ pointer: `/${apiName(name, field)}`, code: 'invalid_value', message }]
  })
}

export async function remove(
  of: Resource,
  context: Omit<ResourceContext, 'random'>,
  accountId: string,
  id: string,
): Promise<Refusal | undefined> {
  return (await of.store.delete?.(context, accountId, id, context.now())) ? undefined : missing(of)
}

const missing = (of: Resource): Refusal => noSuch(of.api?.missing ?? declared.nounOf(of))

/** What a form or a command says of a new one, or of `before`. */
export async function save(
  of: Resource,
  context: ResourceContext,
  accountId: string,
  texts: Texts,
  before?: Row,
): Promise<Row | Refusal> {
  const read = readTyped(of, texts, !before)
  if (!read.ok) return refuseFaults(read.faults)
  if (!before) return create(of, context, accountId, read.value)
  // A form and a command say all of it: what is empty there is gone.
  return of.operations.replace ? replace(of, context, before, read.value) : change(of, context, before, read.value)
}

/** What a request says; what it leaves out is as in `before`, or as if it were left out of a new one. */
export function membersOf(of: Resource, body: Members, before: Row | object = {}): Members {
  const members = declared.settable(of, !('accountId' in before)).map(([name, field]) => {
    const value = body[apiName(name, field)]
    const kept = declared.stored(before, name, field)
    return [
      memberOf(name, field),
      value === undefined ? kept : RULES[field.kind].toStored(value as never, field),
    ] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** By names of fields. An absent text was left out, and so was an empty one of a kind that has a value for that. */
export function readTyped(of: Resource, texts: Texts, isNew: boolean): Parsed<Members> {
  const faults: Fault[] = []
  const members = declared.settable(of, isNew).flatMap(([name, field]) => {
    const { absent } = KINDS[field.kind]
    const [text, { read, fault }] = [texts[name]?.trim(), RULES[field.kind]]
    const mayLack = field.optional || (field.unless !== undefined && Boolean(texts[field.unless]?.trim()))
    const isLeftOut = mayLack && (text === undefined || text === '')
    const value = isLeftOut ? absent : read(text ?? '', field)
    if (value === undefined && !isLeftOut)
      faults.push({ pointer: `/${formName(name, field)}`, code: 'invalid_value', message: fault })
    return value === undefined ? [] : [[memberOf(name, field), value]]
  })
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: Object.fromEntries(members) }
}

/** As it would be typed; undefined: there is nothing. */
export function textOf(row: Row, name: string, field: Field): string | undefined {
  const value = shown(row, name, field)
  if (value === undefined) return undefined
  return field.kind === 'json' ? JSON.stringify(value) : String(value)
}

/** As the API and the command line show it. */
export function represent(of: Resource, row: Row): Members & { readonly id: string } {
  const present = declared.fieldsOf(of).filter(([, field]) => !isHidden(of, row, field))
  const fields = present.map(([name, field]) => [apiName(name, field), shown(row, name, field)])
  return { id: declared.idOf(of, row), ...Object.fromEntries(fields) }
}

function shown(row: Row, name: string, field: Field): unknown {
  const value = declared.stored(row, name, field) as never
  return value === undefined ? undefined : RULES[field.kind].toShown(value, field)
}

/** It has the field that excludes this one. */
export function isHidden(of: Resource, row: Row, { unless = '' }: Field): boolean {
  const other = of.fields[unless]
  return other !== undefined && declared.stored(row, unless, other) !== undefined
}
