/** The form of a rule as the API's body, and the faults of that body beside the fields of the form (ADMIN-D1). */

import type { WantedRule } from '../../application/alerts/rules.ts'
import { CreateAlertRuleSchema } from '../../application/alerts/schemas.ts'
import { check } from '../../application/check-schema.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import type { Faults } from '../../web/entries.tsx'
import {
  type FormFault,
  fieldFaults,
  fieldsOfSelector,
  labelFaults,
  linesOf,
  typedSelector,
  withoutAbsent,
} from '../selector/selector-form.ts'

const SELECTOR_FIELDS = ['ids', 'labels', 'vendor', 'model', 'firmwareVersion']
const QUIET: Readonly<Record<string, string>> = { from: 'quietFrom', to: 'quietTo', timeZone: 'timeZone' }
const RULE_FIELDS = ['name', 'kind', 'after', ...SELECTOR_FIELDS, 'mails', 'webhooks', ...Object.values(QUIET)]

/** Makes the sentence for a line of a field that has several. */
type LineWord = (line: number) => string

export function readRule(
  form: URLSearchParams,
  lineWord: LineWord,
): { readonly wanted: WantedRule } | { readonly faults: Faults } {
  const text = (name: string): string => form.get(name)?.trim() ?? ''
  const selector = typedSelector(form)
  const quiet = { from: text('quietFrom'), to: text('quietTo'), timeZone: text('timeZone') || undefined }
  const mails = linesOf(form.get('mails')).map((mail) => ({ mail }))
  const checked = check(
    CreateAlertRuleSchema,
    withoutAbsent({
      name: text('name'),
      kind: text('kind'),
      after: number(text('after')),
      selector: Object.keys(selector).length > 0 ? selector : undefined,
      targets: [...mails, ...form.getAll('webhooks').map((webhookId) => ({ webhookId }))],
      quietHours: quiet.from === '' && quiet.to === '' ? undefined : withoutAbsent(quiet),
    }),
  )
  const faults = [...labelFaults(form), ...(checked.ok ? [] : checked.faults)]
  if (checked.ok && faults.length === 0) return { wanted: checked.value as WantedRule }
  return { faults: ruleFaults(faults, form, lineWord) }
}

/** Of pointers into the API's body. */
export function ruleFaults(faults: readonly FormFault[], form: URLSearchParams, lineWord: LineWord): Faults {
  const mails = linesOf(form.get('mails')).length
  const onForm = ({ pointer, message }: FormFault): FormFault => {
    const [, first, second = '', third] = pointer.split('/')
    if (first === 'quietHours') return { pointer: `/${QUIET[second] ?? 'quietFrom'}`, message }
    if (first === 'selector' && third !== undefined) return { pointer, message: `“${third.slice(0, 80)}” ${message}` }
    if (first !== 'targets') return { pointer, message }
    if (second !== '' && Number(second) >= mails) return { pointer: '/webhooks', message }
    return { pointer: '/mails', message: second === '' ? message : `${lineWord(Number(second) + 1)}: ${message}` }
  }
  return fieldFaults(faults.map(onForm), RULE_FIELDS)
}

/** What stands in the form before anything was typed. */
export function formOfRule({ name, kind, afterSeconds, selector, targets, quietHours: quiet }: AlertRule) {
  const mails = targets.flatMap((target) => ('mail' in target ? [target.mail] : []))
  return new URLSearchParams([
    ...[...fieldsOfSelector(selector ?? {})].filter(([field]) => SELECTOR_FIELDS.includes(field)),
    ['name', name],
    ['kind', kind],
    ['after', afterSeconds === undefined ? '' : String(afterSeconds)],
    ['mails', mails.join('\n')],
    ['quietFrom', quiet?.from ?? ''],
    ['quietTo', quiet?.to ?? ''],
    ['timeZone', quiet?.timeZone ?? ''],
    ...targets.flatMap((target): [string, string][] => ('webhookId' in target ? [['webhooks', target.webhookId]] : [])),
  ])
}

/** What is no number is told so by its schema. */
function number(typed: string): number | string | undefined {
  if (typed === '') return undefined
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(typed) ? Number(typed) : typed
}
