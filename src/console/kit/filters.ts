/** The filters of a list, declared once for form, chips, address, faults and query (CONSOLE-F1, CONSOLE-L1). */
import type { Namespace } from '../../application/words/in-languages.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import type { Frame } from '../../web/entries.tsx'
import { PAGE_SIZES } from '../../web/page-size.ts'
import type { WordOf } from '../../web/texts.ts'
import { inZone } from '../local-time.ts'
import type { Narrowing } from '../paths.ts'
import { type PageTexts, wordsIn } from './parts.tsx'

export type Asking = Pick<Frame, 'timeZone' | 'now'>

/** How a filter stands in the form. `kept`: it has no field, and stays; links set it. */
type FilterKind = 'text' | 'search' | 'choice' | 'time' | 'day' | 'tick' | 'kept'

interface More {
  /** Unless it is set, it stands with the others that are seldom used. */
  readonly rare?: boolean
  /** Links set it; it has no field until then. */
  readonly linked?: boolean
  readonly offered?: readonly string[]
  /** How addresses of earlier versions named it. */
  readonly formerly?: string
  /** Of two times: this one is later than that of the other filter. */
  readonly after?: string
}

export interface Filter<Value = unknown> extends More {
  readonly kind: FilterKind
  readonly label: (frame: Frame) => string
  readonly options?: ((frame: Frame) => Readonly<Record<string, string>>) | undefined
  /** Undefined: this cannot be looked for. */
  readonly read: (texts: readonly string[], asking: Asking) => Value | undefined
}

export type Filters = Readonly<Record<string, Filter>>

export type Requested<Declared extends Filters> = {
  readonly [Name in keyof Declared]?: Declared[Name] extends Filter<infer Value> ? Value : never
}

export interface ListQuery<Declared extends Filters> {
  readonly requested: Requested<Declared>
  /** As it was sent, empty ones left out: to be shown and to be kept in links. */
  readonly asked: Narrowing
  readonly isNarrowed: boolean
  readonly wrong: readonly string[]
}

export function readQuery<Declared extends Filters>(
  declared: Declared,
  sent: URLSearchParams,
  asking: Asking,
): ListQuery<Declared> {
  const asked: Record<string, readonly string[]> = {}
  const requested: Record<string, unknown> = {}
  const wrong: string[] = []
  for (const [name, { formerly, after, read }] of Object.entries(declared)) {
    const given = sent.getAll(formerly === undefined || sent.has(name) ? name : formerly)
    const texts = given.map((text) => text.trim()).filter((text) => text !== '')
    if (texts.length === 0) continue
    asked[name] = texts
    const value = read(texts, asking)
    const before = after === undefined ? undefined : requested[after]
    if (value === undefined || (before !== undefined && (before as number) >= (value as number))) wrong.push(name)
    else if (declared[name] !== pageSize) requested[name] = value
  }
  const isNarrowed = Object.keys(asked).some((name) => declared[name] !== pageSize)
  return { requested: requested as Requested<Declared>, asked, isNarrowed, wrong }
}

type Label = Filter['label']

export function labelsOf<Name extends Namespace>(page: Name): (name: WordOf<PageTexts<Name>>) => Label {
  return (name) => (frame) => String(wordsIn(page, frame)[name])
}

type Parse<Value> = (text: string, asking: Asking) => Value | undefined

const LONGEST = 255

function once<Value>(kind: FilterKind, label: Label, parse: Parse<Value>, more: Partial<Filter> = {}): Filter<Value> {
  const read = (texts: readonly string[], asking: Asking): Value | undefined =>
    texts.length === 1 && texts[0] !== undefined ? parse(texts[0], asking) : undefined
  return { ...more, kind, label, read }
}

/** Text that is searched literally. */
export function text(label: Label, { longest = LONGEST, ...more }: More & { readonly longest?: number } = {}) {
  return once('text', label, (typed) => (typed.length <= longest ? typed : undefined), more)
}

export function search(label: Label): Filter<string> {
  return { ...text(label), kind: 'search' }
}

export function parsed<Value>(label: Label, parse: Parse<Value>, more?: More): Filter<Value> {
  return once('text', label, (typed, asking) => (typed.length <= LONGEST ? parse(typed, asking) : undefined), more)
}

/** @param names of the values; they are their own names unless given */
export function choice<Value extends string>(
  label: Label,
  values: readonly Value[],
  names?: (frame: Frame) => Readonly<Record<Value, string>>,
  more?: More,
): Filter<Value> {
  const options: Filter['options'] = (frame) => {
    const named = names?.(frame)
    return Object.fromEntries(values.map((value) => [value, named?.[value] ?? value]))
  }
  return once('choice', label, among(values), { ...more, options })
}

export function chosen<Value>({ read, ...of }: Filter<string>, parse: (value: string, asking: Asking) => Value) {
  const both = (texts: readonly string[], asking: Asking): Value | undefined => {
    const value = read(texts, asking)
    return value === undefined ? undefined : parse(value, asking)
  }
  return { ...of, read: both } satisfies Filter<Value>
}

/** Repeated in the address; each value must be valid. */
export function repeated<Value>({ read, ...of }: Filter<Value>): Filter<readonly Value[]> {
  return {
    ...of,
    read: (texts, asking) => {
      const values = texts.map((one) => read([one], asking)).filter((value) => value !== undefined)
      return values.length < texts.length ? undefined : values
    },
  }
}

/** Milliseconds since the epoch, of a local time of the visitor or one with a zone of its own. */
export function time(label: Label, more?: More): Filter<number> {
  return once('time', label, (typed, { timeZone }) => parseInstant(inZone(typed, timeZone))?.ceilMs, more)
}

const DAY = /^\d{4}-\d\d-\d\d$/

export function day(label: Label): Filter<string> {
  const isDay = (typed: string): boolean => DAY.test(typed) && parseInstant(`${typed}T12:00:00Z`) !== undefined
  return once('day', label, (typed) => (isDay(typed) ? typed : undefined))
}

export function tick(label: Label, more?: More): Filter<true> {
  return once('tick', label, (typed) => (typed === 'true' ? true : undefined), more)
}

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
