/** CONSOLE-G3: a limit group as the fields of a form; the schema of the API judges it. */
import { PutLimitGroupSchema } from '../../application/limit-groups/schemas.ts'
import { STRATEGIES } from '../../domain/limit-groups/group.ts'
import type { DesiredGroup, LimitGroup } from '../../domain/limit-groups/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Faults, Frame, OptionPair, Typed } from '../../web/entries.tsx'
import { checkedForm, type Fields, namesAsOptions, placedFaults, typedNumber, typedWith } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { selectorFields } from '../selector/choosing.tsx'
import { CHOOSING_FIELDS, fieldsOfSelector, labelFaults, typedSelector } from '../selector/selector-form.ts'

export const STEP_FIELDS = {
  connection: ['name', 'limit', 'unit', 'phases', 'bufferAmps', 'parent'],
  stations: ['own', ...CHOOSING_FIELDS],
  sharing: ['strategy', 'minAmps', 'minWatts', 'fallbackAmps', 'safeAmps', 'leaseSeconds'],
} as const
export type StepName = keyof typeof STEP_FIELDS

const FIELDS: readonly string[] = Object.values(STEP_FIELDS).flat()
const NUMBERS = ['bufferAmps', 'minAmps', 'minWatts', 'fallbackAmps', 'safeAmps', 'leaseSeconds'] as const

export interface Choices {
  readonly parents: readonly string[]
  readonly selected?: readonly string[] | undefined
}

interface FieldsProps extends Choices {
  readonly frame: Frame
  readonly typed: Typed
  readonly trial: string
  readonly named?: boolean | undefined
}

export function fieldsOf(step: StepName, { frame, typed, trial, parents, selected, named }: FieldsProps): Fields {
  const words = wordsIn('limitGroupForm', frame)
  switch (step) {
    case 'connection':
      return [
        named && { name: 'name', label: words.name, hint: words.nameHint, required: true, maxlength: 64 },
        {
          beside: true,
          hint: words.limitHint,
          fields: [
            { name: 'limit', label: words.limit, inputmode: 'decimal', required: true },
            { name: 'unit', label: words.unit, value: 'A', options: words.units },
            { name: 'phases', label: words.phases, value: '3', options: choice(['3', '1'], words.phasesOf) },
          ],
        },
        { name: 'bufferAmps', label: words.bufferAmps, hint: words.bufferHint, inputmode: 'decimal' },
        parents.length > 0 && {
          name: 'parent',
          label: words.parent,
          options: [['', words.noParent], ...namesAsOptions(frame, parents)],
        },
      ]
    case 'stations':
      return [
        { name: 'own', label: words.own, value: 'chosen', options: words.ownOf },
        selectorFields(frame, typed, trial, selected),
      ]
    case 'sharing':
      return [
        { name: 'strategy', label: words.strategy, value: 'equal', options: choice(STRATEGIES, words.strategies) },
        { name: 'minAmps', label: words.minAmps, hint: words.minAmpsHint, inputmode: 'decimal' },
        { name: 'fallbackAmps', label: words.fallbackAmps, hint: words.fallbackHint, inputmode: 'decimal' },
        { name: 'safeAmps', label: words.safeAmps, hint: words.safeHint, inputmode: 'decimal' },
        { name: 'minWatts', label: words.minWatts, hint: words.minWattsHint, inputmode: 'decimal' },
        { name: 'leaseSeconds', label: words.leaseSeconds, hint: words.leaseHint, inputmode: 'numeric' },
      ]
  }
}

/** In the order that is given: numbers as names would come first by themselves. */
function choice(names: readonly string[], words: Readonly<Record<string, string>>): readonly OptionPair[] {
  return names.map((name) => [name, words[name] ?? name])
}

export function readGroup(form: URLSearchParams): DesiredGroup | Refusal {
  const limit = typedNumber(form, 'limit') ?? Number.NaN
  const parent = form.get('parent') || undefined
  const body = {
    ...(form.get('own') === 'none' ? {} : { selector: typedSelector(form) }),
    [form.get('unit') === 'W' ? 'watts' : 'amps']: limit,
    parent,
    phases: typedNumber(form, 'phases'),
    strategy: form.get('strategy') || undefined,
    ...Object.fromEntries(NUMBERS.map((name) => [name, typedNumber(form, name)])),
  }
  return checkedForm(PutLimitGroupSchema, body, labelFaults(form))
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

export function groupFaults(refusal: Refusal): Faults {
  const { faults } = typedWith(new URLSearchParams(), refusal, { '': 'limit', amps: 'limit', watts: 'limit' })
  return placedFaults(faults, FIELDS)
}

/** The first step of the wizard whose field is wrong; a refusal about none is about its stations. */
export function stepOfFaults(faults: Faults): StepName {
  const steps = Object.keys(STEP_FIELDS) as StepName[]
  return steps.find((step) => STEP_FIELDS[step].some((name: string) => name in faults)) ?? 'stations'
}
