/** How a field of each kind stands in a table, among facts and in a form. */
import { isHidden, textOf } from '../../application/resource/orders.ts'
import { type Field, formName, type Kind, type Words } from '../../domain/resources/field.ts'
import {
  fieldsOf,
  idOf,
  lowerFirst,
  type Resource,
  type Row,
  settable,
  stored,
} from '../../domain/resources/resource.ts'
import type { Frame } from '../../web/entries.tsx'
import type { Column } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { asOptions, type Field as Control } from '../kit/form.tsx'
import { sharedWords } from '../kit/parts.tsx'
import { shownMicros } from '../shown-figures.tsx'

export function inWords({ language }: Pick<Frame, 'language'>, words: Words = ['', '']): string {
  return words[language === 'de' ? 1 : 0]
}

interface Style {
  readonly text?: (frame: Frame, value: never, row: Row, of: Resource) => string
  /** Behind it where it stands alone. */
  readonly unit?: (row: Row, of: Resource) => string
  /** Others say it, so it has no line of its own among the facts. */
  readonly isUnit?: true
  readonly column?: Pick<Column<Row>, 'kind' | 'width'>
  readonly control?: Pick<Control, 'inputmode'>
}

const currencyOf = (row: Row, of: Resource): string =>
  fieldsOf(of).flatMap(([name, field]) => (field.kind === 'currency' ? String(stored(row, name, field)) : []))[0] ?? ''

export const STYLES: Readonly<Record<Kind, Style>> = {
  amount: {
    text: (frame, micros: number, row, of) => shownMicros(frame, micros, currencyOf(row, of)),
    unit: currencyOf,
    column: { kind: 'number', width: 160 },
    control: { inputmode: 'decimal' },
  },
  chargePoint: {},
  choice: {},
  currency: { isUnit: true, column: { width: 88 } },
  flag: {},
  integer: { column: { kind: 'number', width: 88 } },
  json: { isUnit: true },
  time: { text: shownTime, column: { kind: 'time', width: 160 } },
  word: {},
}

export function shownField(frame: Frame, of: Resource, row: Row, name: string, field: Field): string | undefined {
  const value = isHidden(of, row, field) ? undefined : stored(row, name, field)
  if (value === undefined || value === '') return field.absent && inWords(frame, field.absent)
  return STYLES[field.kind].text?.(frame, value as never, row, of) ?? String(value)
}

export function called(frame: Frame, of: Resource, row: Row): string {
  const { name } = of.fields
  const own = name && shownField(frame, of, row, 'name', name)
  if (own) return own
  const field = of.fields[of.calledBy]
  return (field && shownField(frame, of, row, of.calledBy, field)) ?? idOf(of, row)
}

/** Of a new one unless a row is given. */
export function controlsOf(frame: Frame, of: Resource, row?: Row): readonly Control[] {
  return settable(of, !row).map(([name, field]) => ({
    name: formName(name, field),
    label: inWords(frame, field.label),
    hint: field.absent && sharedWords(frame).leftEmpty(lowerFirst(inWords(frame, field.absent))),
    value: row ? textOf(row, name, field) : field.initial,
    required: !field.optional && field.unless === undefined,
    options: field.options && asOptions(field.optional ? ['', ...field.options] : field.options),
    ...STYLES[field.kind].control,
  }))
}
