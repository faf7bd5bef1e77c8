/** ADMIN-D1: the form of a rule as the API's body, and its faults beside the fields. */
import type { RequestedRule } from '../../application/alerts/rules.ts'
import { CreateAlertRuleSchema, MAX_AFTER_SECONDS } from '../../application/alerts/schemas.ts'
import type { Language } from '../../application/words/in-languages.ts'
import type { AlertRule, AlertTarget } from '../../domain/alerts/records.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Faults, Frame } from '../../web/entries.tsx'
import { checkedForm, type FormFault, faultsAt, filledIn, placedFaults, withoutAbsent } from '../kit/form.tsx'
import { type PageTexts, wordsIn } from '../kit/parts.tsx'
import { fieldsOfSelector, labelFaults, linesOf, typedSelector } from '../selector/selector-form.ts'

const SELECTOR_FIELDS = ['ids', 'site', 'labels', 'vendor', 'model', 'firmwareVersion']
const TARGETS = {
  '/targets': ['mails', 'webhooks'],
  '/escalation/targets': ['escalateMails', 'escalateWebhooks'],
} as const
const QUIET_FIELDS = { from: 'quietFrom', to: 'quietTo', timeZone: 'timeZone' } as const
const RULE_FIELDS = [
  ...['name', 'kind', 'after', 'escalateAfter', ...SELECTOR_FIELDS, ...Object.values(QUIET_FIELDS)],
  ...Object.values(TARGETS).flat(),
]

type Words = PageTexts<'alerts'>

export function readRule(
  form: URLSearchParams,
  words: Words,
): { readonly requested: RequestedRule } | { readonly faults: Faults } {
  const text = (name: string): string => form.get(name)?.trim() ?? ''
  const [selector, siteFaults] = withSite(typedSelector(form), text('site'), words)
  const { quietFrom = '', quietTo = '', timeZone } = filledIn(form, Object.values(QUIET_FIELDS))
  const hasQuiet = quietFrom !== '' || quietTo !== ''
  const escalation = { after: typedSeconds(text('escalateAfter')), targets: targetsIn(form, '/escalation/targets') }
  const body = {
    name: text('name'),
    kind: text('kind'),
    after: typedSeconds(text('after')),
    selector: Object.keys(selector).length > 0 ? selector : undefined,
    targets: targetsIn(form, '/targets'),
    quietHours: hasQuiet ? withoutAbsent({ from: quietFrom, to: quietTo, timeZone }) : undefined,
    escalation: escalation.after === undefined && escalation.targets.length === 0 ? undefined : escalation,
  }
  const checked = checkedForm(CreateAlertRuleSchema, body, [...labelFaults(form), ...siteFaults])
  if (!('refused' in checked)) return { requested: checked as RequestedRule }
  return { faults: ruleFaults(checked.errors ?? [], form, words) }
}

export function ruleFaults(faults: readonly FormFault[], form: URLSearchParams, words: Words): Faults {
  const onForm = ({ pointer, message }: FormFault): FormFault => {
    const [, first, second = '', third] = pointer.split('/')
    const tooLong = words.afterWrong(MAX_AFTER_SECONDS / 60)
    if (pointer === '/escalation/after') return { pointer: '/escalateAfter', message: tooLong }
    if (first === 'after') return { pointer, message: tooLong }
    if (first === 'quietHours') {
      return { pointer: `/${QUIET_FIELDS[second as keyof typeof QUIET_FIELDS] ?? 'quietFrom'}`, message }
    }
    if (first === 'selector' && third === 'site' && form.get('site')) return { pointer: '/site', message }
    if (first === 'selector' && third !== undefined) return { pointer, message: `“${third.slice(0, 80)}” ${message}` }
    const place = first === 'targets' ? '/targets' : pointer.startsWith('/escalation/targets') && '/escalation/targets'
    if (!place) return { pointer, message }
    const [mails, webhooks] = TARGETS[place]
    const at = pointer.slice(place.length + 1).split('/')[0] ?? ''
    if (at === '') return { pointer: `/${mails}`, message }
    if (Number(at) >= linesOf(form.get(mails)).length) return { pointer: `/${webhooks}`, message }
    return { pointer: `/${mails}`, message: `${words.line(Number(at) + 1)}: ${message}` }
  }
  return placedFaults(faultsAt(faults.map(onForm)), RULE_FIELDS)
}

export function formOfRule(rule: AlertRule, language: Language): URLSearchParams {
  const { name, kind, afterSeconds, selector = {}, targets, quietHours: quiet, escalation } = rule
  const { site = '', ...labels } = selector.labels ?? {}
  // A site without a name is none that could be chosen.
  const fields = fieldsOfSelector(site === '' ? selector : { ...selector, labels })
  return new URLSearchParams([
    ...fields.filter(([field]) => SELECTOR_FIELDS.includes(field)),
    ['site', site],
    ['name', name],
    ['kind', kind],
    ['after', afterSeconds === undefined ? '' : minutesText(afterSeconds, language)],
    ...fieldsOfTargets(targets, '/targets'),
    ['escalateAfter', escalation ? minutesText(escalation.afterSeconds, language) : ''],
    ...fieldsOfTargets(escalation?.targets ?? [], '/escalation/targets'),
    ['quietFrom', quiet?.from ?? ''],
    ['quietTo', quiet?.to ?? ''],
    ['timeZone', quiet?.timeZone ?? ''],
  ])
}

function targetsIn(form: URLSearchParams, place: keyof typeof TARGETS): readonly AlertTarget[] {
  const [mails, webhooks] = TARGETS[place]
  return [
    ...linesOf(form.get(mails)).map((mail) => ({ mail })),
    ...form.getAll(webhooks).map((webhookId) => ({ webhookId })),
  ]
}

function fieldsOfTargets(targets: readonly AlertTarget[], place: keyof typeof TARGETS): readonly [string, string][] {
  const [mails, webhooks] = TARGETS[place]
  return [
    [mails, targets.flatMap((target) => ('mail' in target ? [target.mail] : [])).join('\n')],
    ...targets.flatMap((target): [string, string][] => ('webhookId' in target ? [[webhooks, target.webhookId]] : [])),
  ]
}

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
): readonly [selector: Record<string, unknown>, faults: readonly Fault[]] {
  if (site === '') return [selector, []]
  const labels = selector.labels as Readonly<Record<string, string>> | undefined
  const isOther = labels?.site !== undefined && labels.site !== site
  const faults = isOther ? [{ pointer: '/selector/labels', code: 'invalid_value', message: words.siteTwice }] : []
  return [{ ...selector, labels: { ...labels, site } }, faults]
}

/** In minutes, unless they are no whole ones. */
export function lasting(frame: Pick<Frame, 'language'>, seconds: number): string {
  if (seconds === 0) return wordsIn('alerts', frame).atOnce
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
