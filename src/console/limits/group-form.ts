/** CONSOLE-G3: a limit group as the fields of a form; the schema of the API judges it. */
import { check } from '../../application/check-schema.ts'
import { PutLimitGroupSchema } from '../../application/limit-groups/schemas.ts'
import type { DesiredGroup, LimitGroup } from '../../domain/limit-groups/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import type { Faults } from '../../web/entries.tsx'
import { typedNumber } from '../kit/form.tsx'
import {
  CHOOSING_FIELDS,
  fieldFaults,
  fieldsOfSelector,
  labelFaults,
  typedSelector,
  withoutAbsent,
} from '../selector/selector-form.ts'

export const STEP_FIELDS = {
  connection: ['name', 'limit', 'unit', 'phases', 'bufferAmps', 'parent'],
  stations: ['own', ...CHOOSING_FIELDS],
  sharing: ['strategy', 'minAmps', 'minWatts', 'fallbackAmps', 'safeAmps', 'leaseSeconds'],
} as const
export type StepName = keyof typeof STEP_FIELDS

const FIELDS: readonly string[] = Object.values(STEP_FIELDS).flat()
const NUMBERS = ['bufferAmps', 'minAmps', 'minWatts', 'fallbackAmps', 'safeAmps', 'leaseSeconds'] as const

export function readGroup(form: URLSearchParams): DesiredGroup | Refusal {
  const limit = typedNumber(form, 'limit') ?? Number.NaN
  const parent = form.get('parent') || undefined
  const body = withoutAbsent({
    ...(form.get('own') === 'none' ? {} : { selector: typedSelector(form) }),
    [form.get('unit') === 'W' ? 'watts' : 'amps']: limit,
    parent,
    phases: typedNumber(form, 'phases'),
    strategy: form.get('strategy') || undefined,
    ...Object.fromEntries(NUMBERS.map((name) => [name, typedNumber(form, name)])),
  })
  const checked = check(PutLimitGroupSchema, body)
  const labels = labelFaults(form)
  if (!checked.ok) return refuseFaults([...checked.faults, ...labels])
  return labels.length > 0 ? refuseFaults(labels) : checked.value
}

export function formOf({ desired }: LimitGroup): URLSearchParams {
  const { selector, parent = '', amps, watts, phases = 3, strategy = 'equal' } = desired
  const text = (value: number | undefined): string => (value === undefined ? '' : String(value))
  return new URLSearchParams([
    ...fieldsOfSelector(selector ?? {}),
    ['own', selector ? 'chosen' : 'none'],
    ['limit', text(amps ?? watts)],
    ['unit', watts === undefined ? 'A' : 'W'],
    ['phases', String(phases)],
    ['parent', parent],
    ['strategy', strategy],
    ...NUMBERS.map((name): [string, string] => [name, text(desired[name])]),
  ])
}

export function groupFaults({ detail, errors = [] }: Refusal): Faults {
  if (errors.length === 0) return { form: detail }
  const placed = errors.map(({ pointer, message }) => ({
    pointer: ['', '/amps', '/watts'].includes(pointer) ? '/limit' : pointer,
    message,
  }))
  return fieldFaults(placed, FIELDS)
}

/** The first step of the wizard whose field is wrong; a refusal about none is about its stations. */
export function stepOfFaults(faults: Faults): StepName {
  const steps = Object.keys(STEP_FIELDS) as StepName[]
  return steps.find((step) => STEP_FIELDS[step].some((name: string) => name in faults)) ?? 'stations'
}
