import { check, faultsOf } from '../../application/check-schema.ts'
import { SelectorSchema } from '../../application/schemas/charge-points.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import { filledIn, withoutAbsent } from '../kit/form.tsx'
import type { Visit } from '../visit.tsx'

/** Members that are one text each, and fields of the same name. */
export const PLAIN_MEMBERS = ['vendor', 'model', 'firmwareVersion'] as const

/** Lists by lines. A label that is no `key:value` keeps an impossible key, which the schema refuses. */
export function typedSelector(form: URLSearchParams): Record<string, unknown> {
  const not = withoutAbsent({ ids: typedIds(form, 'notIds'), labels: typedLabels(form, 'notLabels') })
  return withoutAbsent({
    ids: typedIds(form, 'ids'),
    labels: typedLabels(form, 'labels'),
    ...filledIn(form, PLAIN_MEMBERS),
    not: Object.keys(not).length > 0 ? not : undefined,
  })
}

function typedIds(form: URLSearchParams, name: string): readonly string[] | undefined {
  const ids = linesOf(form.get(name))
  return ids.length > 0 ? ids : undefined
}

export function typedLabels(form: URLSearchParams, name: string): Readonly<Record<string, string>> | undefined {
  const labels = linesOf(form.get(name)).map((line): [string, string] => {
    const colon = line.indexOf(':')
    return colon > 0 ? [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] : [line, '']
  })
  return labels.length > 0 ? Object.fromEntries(labels) : undefined
}

/** Labels without a colon, which would otherwise be labels with an empty value. */
export function labelFaults(form: URLSearchParams): readonly Fault[] {
  return (['labels', 'notLabels'] as const).flatMap((name) => {
    const wrong = linesOf(form.get(name)).find((line) => line.indexOf(':') < 1)
    if (wrong === undefined) return []
    const pointer = name === 'labels' ? '/selector/labels' : '/selector/not/labels'
    return [{ pointer, code: 'invalid_value', message: `“${wrong.slice(0, 80)}” is not key:value, such as site:north` }]
  })
}

export async function selectedBy(
  { site, accountId }: Pick<Visit, 'site' | 'accountId'>,
  form: URLSearchParams,
): Promise<readonly string[] | undefined> {
  const asked = check(SelectorSchema, typedSelector(form))
  if (!asked.ok || labelFaults(form).length > 0) return undefined
  return (await selectChargePoints(site.reads, accountId, asked.value)).map(({ id }) => id)
}

export function selectorFaults(form: URLSearchParams): readonly Fault[] {
  return [...labelFaults(form), ...faultsOf(check(SelectorSchema, typedSelector(form)))]
}

export function fieldsOfSelector({ ids, labels, not, ...plain }: Selector): readonly [string, string][] {
  return [
    ['ids', (ids ?? []).join('\n')],
    ['labels', labelLines(labels)],
    ['notIds', (not?.ids ?? []).join('\n')],
    ['notLabels', labelLines(not?.labels)],
    ...PLAIN_MEMBERS.map((name): [string, string] => [name, plain[name] ?? '']),
  ]
}

export function labelLines(labels: Readonly<Record<string, string>> = {}): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}:${value}`)
    .join('\n')
}

export function typedWindow(form: URLSearchParams): Record<string, unknown> | undefined {
  const { start, end, timeZone } = filledIn(form, ['start', 'end', 'timeZone'])
  const days = form.getAll('days')
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

export const CHOOSING_FIELDS = [
  ...['ids', 'labels', 'notIds', 'notLabels', ...PLAIN_MEMBERS],
  ...['start', 'end', 'timeZone', 'days'],
] as const

export function linesOf(text: string | null): readonly string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
