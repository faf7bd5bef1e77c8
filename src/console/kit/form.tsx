/** Forms whose fields are declared: label, hint, value, and the fault beside the field that it is about (ADMIN-D1). */

import type { z } from '@hono/zod-openapi'
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { check, faultsOf, type Present } from '../../application/check-schema.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import {
  Action,
  Choice,
  Entry,
  type Faults,
  type Frame,
  Lines,
  NOTHING_TYPED,
  type OptionPair,
  type Options,
  Sealed,
  Submit,
  Tick,
  Ticks,
  type Typed,
  Warning,
} from '../../web/entries.tsx'
import { Disclosure } from '../../web/parts/table.tsx'
import type { Visit } from '../visit.tsx'
import { sharedWords } from './parts.tsx'
import { translated } from './translated.ts'

export interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: Child | undefined
  readonly value?: string | undefined
  readonly options?: Options | undefined
  readonly lines?: boolean | undefined
  readonly tick?: boolean | undefined
  readonly ticks?:
    | (Pick<Parameters<typeof Ticks>[0], 'names'> & {
        readonly of: readonly string[]
        readonly ticked?: readonly string[]
      })
    | undefined
  readonly type?: string | undefined
  readonly maxlength?: number | undefined
  /** What was typed is not shown again. */
  readonly secret?: boolean | undefined
  readonly required?: boolean | undefined
  readonly autocomplete?: string | undefined
  readonly inputmode?: 'email' | 'decimal' | 'numeric' | undefined
}

export interface FieldGroup {
  readonly legend?: string | undefined
  readonly hint?: string | undefined
  readonly fields: Fields
  readonly beside?: boolean | undefined
  readonly folded?: { readonly title: string; readonly open: boolean } | undefined
  readonly more?: Child | undefined
}

export type Fields = readonly (Field | FieldGroup | false | undefined)[]

/** Names to choose between, in the order in which people count: `Site 2` stands before `Site 10`. */
export function namesAsOptions({ language }: Pick<Frame, 'language'>, names: readonly string[]): readonly OptionPair[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  return asOptions([...names].sort(compare))
}

export function asOptions(values: readonly string[]): readonly OptionPair[] {
  return values.map((value) => [value, value])
}

export const FieldList: FC<{ fields: Fields; typed: Typed }> = ({ fields, typed }) => (
  <>{fields.map((part) => part && ('fields' in part ? Group(part, typed) : Control(part, typed)))}</>
)

function Group({ legend, hint, fields, beside, folded, more }: FieldGroup, typed: Typed) {
  const list = <FieldList fields={fields} typed={typed} />
  const inside = (
    <>
      {hint !== undefined && <p class="soft">{hint}</p>}
      {beside ? <div class="narrowing">{list}</div> : list}
      {more}
    </>
  )
  if (folded) {
    return (
      <details open={folded.open || undefined}>
        <summary>{folded.title}</summary>
        {inside}
      </details>
    )
  }
  if (legend === undefined) return inside
  return (
    <fieldset>
      <legend>{legend}</legend>
      {inside}
    </fieldset>
  )
}

function Control({ ticks, tick, lines, options, ...field }: Field, typed: Typed) {
  if (tick) return <Tick {...field} typed={typed} />
  if (ticks)
    return <Ticks {...field} typed={typed} options={ticks.of} ticked={ticks.ticked ?? []} names={ticks.names} />
  if (options) return <Choice {...field} typed={typed} options={options} />
  return lines ? <Lines {...field} typed={typed} /> : <Entry {...field} typed={typed} />
}

export interface FormProps {
  readonly visit: Visit
  readonly action: string
  readonly to: string
  readonly submit: string
  readonly title?: Child | undefined
  readonly lead?: string | undefined
  readonly typed?: Typed | undefined
  readonly fields?: Fields | undefined
  /** Acts once, however often it is sent. A name: on a page that is kept up to date. */
  readonly once?: boolean | string | undefined
  readonly danger?: boolean | undefined
  readonly file?: boolean | undefined
  readonly folded?: 'open' | 'closed' | undefined
  /** Where it is sent while the visitor types, so that `data-tried` of that page shows the outcome before sending. */
  readonly trial?: string | undefined
  readonly refused?: string | undefined
  readonly more?: Child | undefined
  readonly back?: string | undefined
  readonly data?: Readonly<Record<`data-${string}`, string>> | undefined
}

export const Form: FC<PropsWithChildren<FormProps>> = ({ children, ...form }) => {
  const { visit, action, to, submit, title, lead, fields = [], once, danger, file, data } = form
  const typed = shownTyped(visit.frame, fields, form.typed)
  const whole = (
    <form
      class="card"
      method="post"
      action={to}
      enctype={file ? 'multipart/form-data' : undefined}
      data-try={form.trial}
      {...data}
    >
      {title !== undefined && !form.folded && <h2>{title}</h2>}
      {lead !== undefined && <p class="soft">{lead}</p>}
      {typed.faults.form !== undefined && (
        <Warning>{[form.refused, typed.faults.form].filter(Boolean).join(' ')}</Warning>
      )}
      <Sealed csrf={visit.csrf(action)} once={typeof once === 'string' ? visit.nameOnce(once) : once && visit.once()} />
      <FieldList fields={fields} typed={typed} />
      {children}
      <Submit
        danger={danger}
        more={
          <>
            {form.more}
            {form.back !== undefined && <a href={form.back}>{sharedWords(visit.frame).cancel}</a>}
          </>
        }
      >
        {submit}
      </Submit>
    </form>
  )
  return form.folded ? (
    <Disclosure title={String(title)} open={form.folded === 'open'}>
      {whole}
    </Disclosure>
  ) : (
    whole
  )
}

interface DeletionProps {
  readonly visit: Visit
  readonly action: string
  /** The path of what goes. */
  readonly of: string
  readonly ask: string
  readonly what: string
  readonly sent?: Readonly<Record<string, string>>
}

/** Asks first, and names what goes (CONSOLE-A19). */
export const Deletion: FC<DeletionProps> = ({ visit: { frame, csrf }, action, of, ask, what, sent }) => {
  const words = sharedWords(frame)
  const texts = { ask, order: words.deleteOf(what), text: words.delete }
  return <Action to={`${of}/delete`} csrf={csrf(action)} style="danger" sent={sent} {...texts} />
}

/** In the language of the page, each beside its field (ADMIN-D4). */
export function shownTyped(frame: Frame, fields: Fields, typed: Typed = NOTHING_TYPED): Typed {
  const placed = Object.entries(placedFaults(typed.faults, namesOf(fields)))
  return {
    form: typed.form,
    faults: Object.fromEntries(placed.map(([name, sentence]) => [name, translated(frame, sentence)])),
  }
}

function namesOf(fields: Fields): readonly string[] {
  return fields.flatMap((part) => (part ? ('fields' in part ? namesOf(part.fields) : [part.name]) : []))
}

/** A form as the body of the API. @param before faults that its schema does not know */
export function checkedForm<Body>(
  schema: z.ZodType<Body>,
  body: Readonly<Record<string, unknown>>,
  before: readonly Fault[] = [],
): Present<Body> | Refusal {
  const checked = check(schema, withoutAbsent(body))
  if (checked.ok && before.length === 0) return checked.value
  return refuseFaults([...before, ...faultsOf(checked)])
}

export function withoutAbsent(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

export interface FormFault {
  readonly pointer: string
  readonly message: string
}

type FieldNames = Readonly<Record<string, string>>

/** @param names of fields that are not called as the member, or the first step to it, that is wrong */
export function typedWith(
  form: URLSearchParams,
  { errors = [], detail }: Pick<Refusal, 'errors' | 'detail'>,
  names?: FieldNames,
): Typed {
  return { form, faults: errors.length === 0 ? { form: detail } : faultsAt(errors, names) }
}

export function faultsAt(errors: readonly FormFault[], names: FieldNames = {}): Faults {
  const nameOf = (path: string): string => names[path] ?? names[path.replace(/\/.*/, '')] ?? path
  return joined(errors.map(({ pointer, message }) => [nameOf(pointer.replace('/', '')), message]))
}

/**
 * Each fault beside the field that it is about or that holds what it is about: `/selector/labels/x` and `/window/start`
 * are the fields `labels` and `start`, `/not/ids` is `notIds`. What has no field stands above all.
 */
export function placedFaults(faults: Faults, fields: readonly string[]): Faults {
  const longestFirst = fields.toSorted((one, other) => other.length - one.length)
  return joined(
    Object.entries(faults).map(([name, message]) => {
      const path = name
        .replace(/^(?:selector|window)\/(?=.)/, '')
        .replace(/^not\/(.)/, (_, one) => `not${one.toUpperCase()}`)
      const field = longestFirst.find((one) => `${path}/`.startsWith(`${one.replace(/^\//, '')}/`))
      const inside = field === undefined ? '' : path.slice(field.replace(/^\//, '').length + 1)
      if (field !== undefined) return [field, inside.includes('/') ? `${placeText(inside)}: ${message}` : message]
      return name === 'form' || name === '' ? ['form', message] : ['form', `${placeText(name)}: ${message}`]
    }),
  )
}

function joined(faults: readonly (readonly [name: string, message: string])[]): Faults {
  const found: Record<string, string> = {}
  for (const [name, message] of faults) found[name] = found[name] === undefined ? message : `${found[name]}. ${message}`
  return found
}

function placeText(path: string): string {
  return path
    .split('/')
    .map((step) => (/^\d+$/.test(step) ? Number(step) + 1 : step))
    .join(' ')
}

/** Empty fields become absent members. */
export function filledIn<Name extends string>(
  form: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const filled: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = form.get(name)?.trim() ?? ''
    if (text !== '') filled[name] = text
  }
  return filled
}

/** With a comma or a point; what is no number is left to the schema to refuse. */
export function typedNumber(form: URLSearchParams, name: string): number | undefined {
  const text = form.get(name)?.trim() ?? ''
  return text === '' ? undefined : Number(text.replace(',', '.'))
}

const MINUTE_MS = 60_000

/** In so many minutes, as a schema expects it; what is no number of minutes is no time, which the schema refuses. */
export function timeAfter(form: URLSearchParams, name: string, now: number): string | undefined {
  const minutes = typedNumber(form, name)
  if (minutes === undefined) return undefined
  const at = now + minutes * MINUTE_MS
  return Number.isFinite(at) && Math.abs(at) < 8e15 ? isoTime(at) : ''
}
