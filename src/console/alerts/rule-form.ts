/** The form of a rule as the API's body, and the faults of that body beside the fields of the form (ADMIN-D1). */

import type { WantedRule } from '../../application/alerts/rules.ts'
import { CreateAlertRuleSchema, LONGEST_AFTER_SECONDS } from '../../application/alerts/schemas.ts'
import { check } from '../../application/check-schema.ts'
import type { AlertRule } from '../../domain/alerts/records.ts'
import type { Faults } from '../../web/entries.tsx'
import type { Language } from '../../web/in-languages.ts'
import {
  type FormFault,
  fieldFaults,
  fieldsOfSelector,
  labelFaults,
  linesOf,
  typedSelector,
  withoutAbsent,
} from '../selector/selector-form.ts'
import type { alertTexts } from './texts.ts'

const SELECTOR_FIELDS = ['ids', 'site', 'labels', 'vendor', 'model', 'firmwareVersion']
const QUIET: Readonly<Record<string, string>> = { from: 'quietFrom', to: 'quietTo', timeZone: 'timeZone' }
const RULE_FIELDS = ['name', 'kind', 'after', ...SELECTOR_FIELDS, 'mails', 'webhooks', ...Object.values(QUIET)]

type Words = ReturnType<typeof alertTexts>

export function readRule(
  form: URLSearchParams,
  words: Words,
): { readonly wanted: WantedRule } | { readonly faults: Faults } {
  const text = (name: string): string => form.get(name)?.trim() ?? ''
  const [selector, siteFaults] = withSite(typedSelector(form), text('site'), words)
  const quiet = { from: text('quietFrom'), to: text('quietTo'), timeZone: text('timeZone') || undefined }
  const mails = linesOf(form.get('mails')).map((mail) => ({ mail }))
  const checked = check(
    CreateAlertRuleSchema,
    withoutAbsent({
      name: text('name'),
      kind: text('kind'),
      after: typedSeconds(text('after')),
      selector: Object.keys(selector).length > 0 ? selector : undefined,
      targets: [...mails, ...form.getAll('webhooks').map((webhookId) => ({ webhookId }))],
      quietHours: quiet.from === '' && quiet.to === '' ? undefined : withoutAbsent(quiet),
    }),
  )
  const faults = [...labelFaults(form), ...siteFaults, ...(checked.ok ? [] : checked.faults)]
  if (checked.ok && faults.length === 0) return { wanted: checked.value as WantedRule }
  return { faults: ruleFaults(faults, form, words) }
}

/** Of pointers into the API's body. */
export function ruleFaults(faults: readonly FormFault[], form: URLSearchParams, words: Words): Faults {
  const mails = linesOf(form.get('mails')).length
  const onForm = ({ pointer, message }: FormFault): FormFault => {
    const [, first, second = '', third] = pointer.split('/')
    if (first === 'after') return { pointer, message: words.afterWrong(LONGEST_AFTER_SECONDS / 60) }
    if (first === 'selector' && third === 'site' && form.get('site')) return { pointer: '/site', message }
    if (first === 'quietHours') return { pointer: `/${QUIET[second] ?? 'quietFrom'}`, message }
    if (first === 'selector' && third !== undefined) return { pointer, message: `“${third.slice(0, 80)}” ${message}` }
    if (first !== 'targets') return { pointer, message }
    if (second !== '' && Number(second) >= mails) return { pointer: '/webhooks', message }
    return { pointer: '/mails', message: second === '' ? message : `${words.line(Number(second) + 1)}: ${message}` }
  }
  return fieldFaults(faults.map(onForm), RULE_FIELDS)
}

/** What stands in the form before anything was typed. */
export function formOfRule(rule: AlertRule, language: Language): URLSearchParams {
  const { name, kind, afterSeconds, selector = {}, targets, quietHours: quiet } = rule
  const { site = '', ...labels } = selector.labels ?? {}
  // A site without a name is none that could be chosen.
  const fields = fieldsOfSelector(site === '' ? selector : { ...selector, labels })
  const mails = targets.flatMap((target) => ('mail' in target ? [target.mail] : []))
  return new URLSearchParams([
    ...fields.filter(([field]) => SELECTOR_FIELDS.includes(field)),
    ['site', site],
    ['name', name],
    ['kind', kind],
    ['after', afterSeconds === undefined ? '' : minutesText(afterSeconds, language)],
    ['mails', mails.join('\n')],
    ['quietFrom', quiet?.from ?? ''],
    ['quietTo', quiet?.to ?? ''],
    ['timeZone', quiet?.timeZone ?? ''],
    ...targets.flatMap((target): [string, string][] => ('webhookId' in target ? [['webhooks', target.webhookId]] : [])),
  ])
}

/** Any number of seconds as the minutes that mean it when they are typed. */
export function minutesText(seconds: number, language: Language): string {
  const minutes = String(Number((seconds / 60).toFixed(2)))
  return language === 'de' ? minutes.replace('.', ',') : minutes
}

/** Two decimals of a minute name every second. What is no number of minutes is refused by its schema. */
function typedSeconds(minutes: string): number | string | undefined {
  if (minutes === '') return undefined
  return /^\d{1,9}([.,]\d{1,2})?$/.test(minutes) ? Math.round(Number(minutes.replace(',', '.')) * 60) : minutes
}

/** The site that was chosen is the label `site`; no line of the labels may say otherwise. */
function withSite(
  selector: Record<string, unknown>,
  site: string,
  words: Words,
): readonly [selector: Record<string, unknown>, faults: readonly FormFault[]] {
  if (site === '') return [selector, []]
  const labels = selector.labels as Readonly<Record<string, string>> | undefined
  const isOther = labels?.site !== undefined && labels.site !== site
  const faults = isOther ? [{ pointer: '/selector/labels', message: words.siteTwice }] : []
  return [{ ...selector, labels: { ...labels, site } }, faults]
}
