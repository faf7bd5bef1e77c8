/**
 * What narrows a list, declared once: from it come the form, its chips, the address, the faults and the query
 * (CONSOLE-F1, CONSOLE-L1).
 */
import { parseInstant } from '../../domain/message-log/instant.ts'
import type { Frame } from '../../web/layout.tsx'
import { PAGE_SIZES } from '../../web/page-size.ts'
import { inZone } from '../local-time.ts'
import type { Narrowing } from '../paths.ts'

/** Whose zone times are meant in, and when. */
export type Asking = Pick<Frame, 'timeZone' | 'now'>

/** How a filter stands in the form. `kept`: it has no field, and stays; links set it. */
type FilterKind = 'text' | 'search' | 'choice' | 'time' | 'day' | 'tick' | 'kept'

interface More {
  /** Unless it is set, it stands with the others that are seldom wanted. */
  readonly rare?: boolean
  /** Links set it; it has no field until then. */
  readonly linked?: boolean
  /** What may be typed, for the browser to offer. */
  readonly offered?: readonly string[]
  /** How addresses of earlier versions named it. */
  readonly formerly?: string
  /** Of two times: this one is later than that of the other filter. */
  readonly after?: string
}

/** Something that a list can be narrowed by. Its name is that of the address. */
export interface Filter<Value = unknown> extends More {
  readonly kind: FilterKind
  readonly label: (frame: Frame) => string
  /** What there is to choose between. */
  readonly options?: ((frame: Frame) => Readonly<Record<string, string>>) | undefined
  /** Undefined: this cannot be looked for. */
  readonly read: (texts: readonly string[], asking: Asking) => Value | undefined
}

/** The filters of a list, by their names in the address. */
export type Filters = Readonly<Record<string, Filter>>

export type Wanted<Declared extends Filters> = {
  readonly [Name in keyof Declared]?: Declared[Name] extends Filter<infer Value> ? Value : never
}

/** What a list's address asks for. */
export interface ListQuery<Declared extends Filters> {
  readonly wanted: Wanted<Declared>
  /** As it was sent, empty ones left out: to be shown and to be kept in links. */
  readonly asked: Narrowing
  readonly isNarrowed: boolean
  /** Names of filters whose values cannot be looked for. */
  readonly wrong: readonly string[]
}

/** Empty filters are as if they were not there, and so is what the list does not know. */
export function readQuery<Declared extends Filters>(
  declared: Declared,
  sent: URLSearchParams,
  asking: Asking,
): ListQuery<Declared> {
  const asked: Record<string, readonly string[]> = {}
  const wanted: Record<string, unknown> = {}
  const wrong: string[] = []
  for (const [name, { formerly, after, read }] of Object.entries(declared)) {
    const given = sent.getAll(formerly === undefined || sent.has(name) ? name : formerly)
    const texts = given.map((text) => text.trim()).filter((text) => text !== '')
    if (texts.length === 0) continue
    asked[name] = texts
    const value = read(texts, asking)
    const before = after === undefined ? undefined : wanted[after]
    if (value === undefined || (before !== undefined && (before as number) >= (value as number))) wrong.push(name)
    else if (declared[name] !== pageSize) wanted[name] = value
  }
  const isNarrowed = Object.keys(asked).some((name) => declared[name] !== pageSize)
  return { wanted: wanted as Wanted<Declared>, asked, isNarrowed, wrong }
}

type Label = Filter['label']
type WordOf<Texts> = { [Name in keyof Texts]: Texts[Name] extends string ? Name : never }[keyof Texts]

/** Labels by the names of a page's words. */
export function labelsOf<Texts>(texts: (frame: Frame) => Texts): (name: WordOf<Texts>) => Label {
  return (name) => (frame) => String(texts(frame)[name])
}

type Parse<Value> = (text: string, asking: Asking) => Value | undefined

const LONGEST = 255

function once<Value>(kind: FilterKind, label: Label, parse: Parse<Value>, more: Partial<Filter> = {}): Filter<Value> {
  const read = (texts: readonly string[], asking: Asking): Value | undefined =>
    texts.length === 1 && texts[0] !== undefined ? parse(texts[0], asking) : undefined
  return { ...more, kind, label, read }
}

/** Text that is looked for as it is. */
export function text(label: Label, { longest = LONGEST, ...more }: More & { readonly longest?: number } = {}) {
  return once('text', label, (typed) => (typed.length <= longest ? typed : undefined), more)
}

/** The field that stands before all others. */
export function search(label: Label): Filter<string> {
  return { ...text(label), kind: 'search' }
}

/** Text of which `parse` makes something. */
export function parsed<Value>(label: Label, parse: Parse<Value>, more?: More): Filter<Value> {
  return once('text', label, (typed, asking) => (typed.length <= LONGEST ? parse(typed, asking) : undefined), more)
}

type Names = Filter['options']

/** @param names of the values; they are their own names unless given */
export function choice<Value extends string>(
  label: Label,
  values: readonly Value[],
  names?: (frame: Frame) => Readonly<Record<Value, string>>,
  more?: More,
): Filter<Value> {
  const options: Names = (frame) => {
    const named = names?.(frame)
    return Object.fromEntries(values.map((value) => [value, named?.[value] ?? value]))
  }
  return once('choice', label, among(values), { ...more, options })
}

/** A choice of which `parse` makes something. */
export function chosen<Value>({ read, ...of }: Filter<string>, parse: (value: string, asking: Asking) => Value) {
  const both = (texts: readonly string[], asking: Asking): Value | undefined => {
    const value = read(texts, asking)
    return value === undefined ? undefined : parse(value, asking)
  }
  return { ...of, read: both } satisfies Filter<Value>
}

/** Repeated in the address; each of its values must be one. */
export function repeated<Value>({ read, ...of }: Filter<Value>): Filter<readonly Value[]> {
  return {
    ...of,
    read: (texts, asking) => {
      const values = texts.map((one) => read([one], asking)).filter((value) => value !== undefined)
      return values.length < texts.length ? undefined : values
    },
  }
}

/** Milliseconds since the epoch, of a time as the clocks of whoever looks show it, or with a zone of its own. */
export function time(label: Label, more?: More): Filter<number> {
  return once('time', label, (typed, { timeZone }) => parseInstant(inZone(typed, timeZone))?.ceilMs, more)
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** A day of the calendar, as it is written. */
export function day(label: Label): Filter<string> {
  const isDay = (typed: string): boolean => DAY.test(typed) && parseInstant(`${typed}T12:00:00Z`) !== undefined
  return once('day', label, (typed) => (isDay(typed) ? typed : undefined))
}

/** A box. */
export function tick(label: Label, more?: More): Filter<true> {
  return once('tick', label, (typed) => (typed === 'true' ? true : undefined), more)
}

/** What links set, such as a tab or how the list is sorted. */
export function kept<Value extends string>(
  values: readonly Value[],
  isOther: (typed: string) => typed is Value = (_typed): _typed is Value => false,
): Filter<Value> {
  const read = among(values)
  return once(
    'kept',
    () => '',
    (typed, asking) => (isOther(typed) ? typed : read(typed, asking)),
  )
}

/** How long a page is stays in the address, and narrows nothing: pages have it as `frame.pageSize`. */
export const pageSize = kept(PAGE_SIZES)

function among<Value extends string>(values: readonly Value[]): Parse<Value> {
  return (typed) => values.find((value) => value === typed)
}
