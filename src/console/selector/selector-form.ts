/** A selector and hours of the day as fields of a form. What is wrong with them is told by the schemas of the API. */
import type { Selector } from '../../domain/records/selector.ts'
import type { Faults } from '../../web/entries.tsx'

/** As the schemas name it. */
export interface FormFault {
  readonly pointer: string
  readonly message: string
}

/**
 * As it was typed: lists by lines. A label that is no `key:value` keeps an impossible key, which the schema refuses.
 */
export function typedSelector(form: URLSearchParams): Record<string, unknown> {
  const text = (name: string): string | undefined => form.get(name)?.trim() || undefined
  const ids = linesOf(form.get('ids'))
  const labels = linesOf(form.get('labels')).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return colon > 0 ? [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] : [line, '']
  })
  return withoutAbsent({
    ids: ids.length > 0 ? ids : undefined,
    labels: labels.length > 0 ? Object.fromEntries(labels) : undefined,
    vendor: text('vendor'),
    model: text('model'),
    firmwareVersion: text('firmwareVersion'),
  })
}

/** Labels without a colon, which would otherwise be labels with an empty value. */
export function labelFaults(form: URLSearchParams): readonly FormFault[] {
  const wrong = linesOf(form.get('labels')).find((line) => line.indexOf(':') < 1)
  return wrong === undefined
    ? []
    : [{ pointer: '/selector/labels', message: `“${wrong.slice(0, 80)}” is not key:value, such as site:north` }]
}

export function fieldsOfSelector({
  ids,
  labels,
  vendor,
  model,
  firmwareVersion,
}: Selector): readonly [string, string][] {
  return [
    ['ids', (ids ?? []).join('\n')],
    [
      'labels',
      Object.entries(labels ?? {})
        .map(([key, value]) => `${key}:${value}`)
        .join('\n'),
    ],
    ['vendor', vendor ?? ''],
    ['model', model ?? ''],
    ['firmwareVersion', firmwareVersion ?? ''],
  ]
}

/** Undefined where nothing of it was filled in. */
export function typedWindow(form: URLSearchParams): Record<string, unknown> | undefined {
  const text = (name: string): string | undefined => form.get(name)?.trim() || undefined
  const [start, end, timeZone, days] = [text('start'), text('end'), text('timeZone'), form.getAll('days')]
  if (start === undefined && end === undefined && days.length === 0) return undefined
  return withoutAbsent({ start, end, timeZone, days: days.length > 0 ? days : undefined })
}

export function fieldsOfWindow(
  window:
    | {
        readonly start: string
        readonly end: string
        readonly timeZone: string
        readonly days?: readonly string[] | undefined
      }
    | undefined,
  usualTimeZone: string,
): readonly [string, string][] {
  if (!window) return [['timeZone', usualTimeZone]]
  const { start, end, timeZone, days = [] } = window
  return [['start', start], ['end', end], ['timeZone', timeZone], ...days.map((day): [string, string] => ['days', day])]
}

/** `/selector/labels/x` and `/window/start` are the fields `labels` and `start`; what has no field stands above all. */
export function fieldFaults(faults: readonly FormFault[], fields: readonly string[]): Faults {
  const found: Record<string, string> = {}
  for (const { pointer, message } of faults) {
    const [top = '', below = ''] = pointer.split('/').slice(1)
    const name = top === 'selector' || top === 'window' ? below : top
    const field = fields.includes(name) ? name : 'form'
    const sentence = field === 'form' ? `${placeText(pointer)} ${message}` : message
    found[field] = found[field] === undefined ? sentence : `${found[field]}. ${sentence}`
  }
  return found
}

/** `/variables/0/value` is the value of the first row. */
function placeText(pointer: string): string {
  const [top = '', at = '', ...rest] = pointer.split('/').slice(1)
  return /^\d+$/.test(at) ? `${[`${top} ${Number(at) + 1}`, ...rest].join(' ')}:` : pointer.slice(1)
}

export const CHOOSING_FIELDS = [
  'ids',
  'labels',
  'vendor',
  'model',
  'firmwareVersion',
  'start',
  'end',
  'timeZone',
  'days',
] as const

export function linesOf(text: string | null): readonly string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function withoutAbsent(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
