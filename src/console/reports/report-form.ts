/** ADMIN-D1: the form of a report as the API's body, and its faults beside the fields. */
import { check } from '../../application/check-schema.ts'
import { PutReportSchema, type RequestedReport, reportParams } from '../../application/reports/orders.ts'
import type { SessionReport } from '../../domain/reports/records.ts'
import type { Faults } from '../../web/entries.tsx'
import { type FormFault, fieldFaults, linesOf } from '../selector/selector-form.ts'

const FIELDS = ['name', 'groupBy', 'labelKey', 'schedule', 'format', 'mails']
const BY_LABEL = 'label:'

export function readReport(
  form: URLSearchParams,
  lineWord: (line: number) => string,
): { readonly name: string; readonly requested: RequestedReport } | { readonly faults: Faults } {
  const text = (name: string): string => form.get(name)?.trim() ?? ''
  const byLabel = text('groupBy') === 'label'
  const named = check(reportParams, { name: text('name') })
  const checked = check(PutReportSchema, {
    kind: 'sessions',
    groupBy: byLabel ? BY_LABEL + text('labelKey') : text('groupBy'),
    schedule: text('schedule'),
    format: text('format') || undefined,
    targets: linesOf(form.get('mails')).map((mail) => ({ mail })),
  })
  if (named.ok && checked.ok) return { name: named.value.name, requested: checked.value as RequestedReport }
  const onForm = ({ pointer, message }: FormFault): FormFault => {
    const [, first, at] = pointer.split('/')
    if (first === 'groupBy' && byLabel) return { pointer: '/labelKey', message }
    if (first !== 'targets') return { pointer, message }
    return { pointer: '/mails', message: at === undefined ? message : `${lineWord(Number(at) + 1)}: ${message}` }
  }
  const faults = [...(named.ok ? [] : named.faults), ...(checked.ok ? [] : checked.faults)]
  return { faults: fieldFaults(faults.map(onForm), FIELDS) }
}

export function formOfReport({ name, groupBy, schedule, format, targets }: SessionReport): URLSearchParams {
  const labelKey = labelOf(groupBy)
  return new URLSearchParams({
    name,
    groupBy: labelKey === undefined ? groupBy : 'label',
    labelKey: labelKey ?? '',
    schedule,
    format,
    mails: targets.map(({ mail }) => mail).join('\n'),
  })
}

export function labelOf(groupBy: SessionReport['groupBy']): string | undefined {
  return groupBy.startsWith(BY_LABEL) ? groupBy.slice(BY_LABEL.length) : undefined
}
