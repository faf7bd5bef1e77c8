/** The form of a rule as the API's body, and the faults of that body beside the fields of the form (ADMIN-D1). */

import type { WantedRule } from '../../application/alerts/rules.ts'
import { CreateAlertRuleSchema } from '../../application/alerts/schemas.ts'
import { check } from '../../application/check-schema.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import type { Fault } from '../../domain/message-log/fault.ts'

export const RULE_FIELDS = [
  'name',
  'kind',
  'after',
  'ids',
  'labels',
  'vendor',
  'model',
  'firmwareVersion',
  'mails',
  'webhooks',
  'quietFrom',
  'quietTo',
  'timeZone',
] as const
type RuleField = (typeof RULE_FIELDS)[number]

/** Sentences by field; `form` where no field is meant. */
export type RuleFaults = Partial<Readonly<Record<RuleField | 'form', string>>>

export type ReadRule = { readonly wanted: WantedRule } | { readonly faults: RuleFaults }

/** @param lineWord names a line of a field that has several */
export function readRule(form: URLSearchParams, lineWord: (line: number) => string): ReadRule {
  const mails = lines(form, 'mails')
  const labels = lines(form, 'labels').map((line) => [line, line.indexOf(':')] as const)
  const wrongLabel = labels.find(([, colon]) => colon < 1)
  const body = {
    name: text(form, 'name'),
    kind: text(form, 'kind'),
    ...optional('after', number(text(form, 'after'))),
    ...optional('selector', selector(form, labels)),
    targets: [...mails.map((mail) => ({ mail })), ...form.getAll('webhooks').map((webhookId) => ({ webhookId }))],
    ...optional('quietHours', quietHours(form)),
  }
  const checked = check(CreateAlertRuleSchema, body)
  const faults = checked.ok ? {} : ruleFaults(checked.faults, form, lineWord)
  if (wrongLabel) return { faults: { ...faults, labels: `“${wrongLabel[0].slice(0, 80)}” is not key:value` } }
  return checked.ok ? { wanted: checked.value as WantedRule } : { faults }
}

/** Of pointers into the API's body. A field has the sentence of its first fault. */
export function ruleFaults(
  faults: readonly Pick<Fault, 'pointer' | 'message'>[],
  form: URLSearchParams,
  lineWord: (line: number) => string,
): RuleFaults {
  const mails = lines(form, 'mails').length
  const told: Partial<Record<RuleField | 'form', string>> = {}
  for (const { pointer, message } of faults) {
    const [, first = '', second = '', third] = pointer.split('/')
    const at = Number(second)
    if (first === 'targets') {
      const field = Number.isInteger(at) && second !== '' && at >= mails ? 'webhooks' : 'mails'
      told[field] ??= field === 'mails' && second !== '' ? `${lineWord(at + 1)}: ${message}` : message
    } else if (first === 'selector') {
      const key = third === undefined ? '' : `“${third.slice(0, 80)}” `
      if (isField(second)) told[second] ??= key + message
      else told.kind ??= message
    } else if (first === 'quietHours') {
      told[QUIET[second] ?? 'quietFrom'] ??= message
    } else if (isField(first)) told[first] ??= message
    else told.form ??= message
  }
  return told
}

const QUIET: Readonly<Record<string, RuleField>> = { from: 'quietFrom', to: 'quietTo', timeZone: 'timeZone' }

/** What stands in the form before anything was typed. */
export function formOfRule({ name, kind, afterSeconds, selector, targets, quietHours: quiet }: AlertRule) {
  const labels = Object.entries(selector?.labels ?? {}).map(([key, value]) => `${key}:${value}`)
  const form = new URLSearchParams({
    ...{ name, kind },
    after: afterSeconds === undefined ? '' : String(afterSeconds),
    ids: (selector?.ids ?? []).join('\n'),
    labels: labels.join('\n'),
    vendor: selector?.vendor ?? '',
    model: selector?.model ?? '',
    firmwareVersion: selector?.firmwareVersion ?? '',
    mails: targets.flatMap((target) => ('mail' in target ? [target.mail] : [])).join('\n'),
    ...{ quietFrom: quiet?.from ?? '', quietTo: quiet?.to ?? '', timeZone: quiet?.timeZone ?? '' },
  })
  for (const target of targets) if ('webhookId' in target) form.append('webhooks', target.webhookId)
  return form
}

function isField(name: string): name is RuleField {
  return (RULE_FIELDS as readonly string[]).includes(name)
}

function text(form: URLSearchParams, name: RuleField): string {
  return form.get(name)?.trim() ?? ''
}

function lines(form: URLSearchParams, name: RuleField): readonly string[] {
  return (form.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** What is no number is told so by its schema. */
function number(typed: string): number | string | undefined {
  if (typed === '') return undefined
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(typed) ? Number(typed) : typed
}

/** Absent where nothing is chosen. */
function selector(form: URLSearchParams, labels: readonly (readonly [line: string, colon: number])[]) {
  const ids = lines(form, 'ids')
  const [vendor, model, firmwareVersion] = (['vendor', 'model', 'firmwareVersion'] as const).map((name) =>
    text(form, name),
  )
  const chosen = {
    ...(ids.length > 0 && { ids }),
    ...(labels.length > 0 && {
      labels: Object.fromEntries(
        labels
          .filter(([, colon]) => colon > 0)
          .map(([line, colon]) => [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]),
      ),
    }),
    ...(vendor && { vendor }),
    ...(model && { model }),
    ...(firmwareVersion && { firmwareVersion }),
  }
  return Object.keys(chosen).length > 0 ? chosen : undefined
}

/** Absent where neither begin nor end is typed. */
function quietHours(form: URLSearchParams) {
  const [from = '', to = '', timeZone = ''] = (['quietFrom', 'quietTo', 'timeZone'] as const).map((name) =>
    text(form, name),
  )
  return from === '' && to === '' ? undefined : { from, to, ...(timeZone !== '' && { timeZone }) }
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value }
}
