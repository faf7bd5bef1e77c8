/** A set of monitors as the fields of a form; what is wrong is told by the schema of the API (MONITOR-A1). */
import { check } from '../../application/check-schema.ts'
import { type AskedMonitor, PutMonitorsSchema } from '../../application/monitors/orders.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { MONITOR_TYPES, type Monitor, type MonitorSet } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import { instanced, instancedText, placeOf, placeText, wrongPlace } from '../configuration/form.ts'
import { asOptions } from '../kit/form.tsx'
import { filledRows, type RowField } from '../kit/rows.tsx'
import { monitorTexts } from '../kit/texts.ts'
import { fieldsOfSelector, labelFaults, typedSelector } from '../selector/selector-form.ts'

const IN_TRANSACTIONS = 'transactions'
const SEVERITIES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']

export const MONITOR_FIELDS = [
  { name: 'place', label: (frame) => monitorTexts(frame).place, size: 6 },
  { name: 'component', label: (frame) => monitorTexts(frame).component },
  { name: 'variable', label: (frame) => monitorTexts(frame).variable },
  {
    name: 'type',
    label: (frame) => monitorTexts(frame).type,
    options: (frame) => MONITOR_TYPES.map((type) => [type, monitorTexts(frame).types[type]]),
    usual: 'UpperThreshold',
  },
  { name: 'value', label: (frame) => monitorTexts(frame).value, size: 6 },
  {
    name: 'severity',
    label: (frame) => monitorTexts(frame).severity,
    options: () => asOptions(SEVERITIES),
    usual: '5',
  },
  {
    name: 'when',
    label: (frame) => monitorTexts(frame).when,
    options: (frame) => [
      ['', monitorTexts(frame).always],
      [IN_TRANSACTIONS, monitorTexts(frame).inTransactions],
    ],
  },
] as const satisfies readonly RowField[]

export function readMonitors(
  form: URLSearchParams,
): { readonly selector: Selector; readonly monitors: readonly AskedMonitor[] } | Refusal {
  const faults: Fault[] = labelFaults(form).map((fault) => ({ ...fault, code: 'invalid_value' }))
  const monitors = filledRows(form, MONITOR_FIELDS).map(
    ({ place, component, variable, type, value, severity, when }, at) => {
      const placed = placeOf(place)
      if (!placed) faults.push(wrongPlace(`/monitors/${at}/place`))
      return {
        component: { ...instanced(component), ...placed },
        variable: instanced(variable),
        type,
        value: value.trim() === '' ? undefined : Number(value.trim().replace(',', '.')),
        severity: Number(severity),
        ...(when === IN_TRANSACTIONS && { transaction: true }),
      }
    },
  )
  const checked = check(PutMonitorsSchema, { selector: typedSelector(form), monitors })
  if (!checked.ok) faults.push(...checked.faults)
  return !checked.ok || faults.length > 0 ? refuseFaults(faults) : checked.value
}

export function formOf({ selector, monitors }: MonitorSet): URLSearchParams {
  return new URLSearchParams([...fieldsOfSelector(selector), ...monitors.flatMap(fieldsOf)])
}

function fieldsOf({ component, variable, type, value, severity, transaction }: Monitor): [string, string][] {
  return [
    ['place', placeText(component)],
    ['component', instancedText(component)],
    ['variable', instancedText(variable)],
    ['type', type],
    ['value', String(value)],
    ['severity', String(severity)],
    ['when', transaction ? IN_TRANSACTIONS : ''],
  ]
}
