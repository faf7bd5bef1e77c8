/** A set of monitors as the fields of a form; what is wrong is told by the schema of the API (MONITOR-A1). */
import { check } from '../../application/check-schema.ts'
import type { AskedMonitor } from '../../application/monitors/orders.ts'
import { PutMonitorsSchema } from '../../application/monitors/schemas.ts'
import { refuseFaults } from '../../application/refuse.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Monitor, MonitorSet } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { instanced, instancedText, placeOf, rowsOf } from '../configuration/form.ts'
import { fieldsOfSelector, labelFaults, typedSelector } from '../selector/selector-form.ts'

const FIELDS = ['place', 'component', 'variable', 'type', 'value', 'severity', 'when'] as const
/** Empty ones that stand below those that are filled in. */
const EMPTY_ROWS = 3
const IN_TRANSACTIONS = 'transactions'

export type MonitorRow = Readonly<Record<(typeof FIELDS)[number], string>>
const EMPTY: MonitorRow = {
  place: '',
  component: '',
  variable: '',
  type: 'UpperThreshold',
  value: '',
  severity: '5',
  when: '',
}

/** Those that are filled in, and some empty ones. */
export function shownRows(form: URLSearchParams): readonly MonitorRow[] {
  return [...filledRows(form), ...Array.from({ length: EMPTY_ROWS }, () => EMPTY)]
}

/** A choice alone fills in nothing. */
function filledRows(form: URLSearchParams): readonly MonitorRow[] {
  return rowsOf(form, FIELDS).filter((row) =>
    [row.place, row.component, row.variable, row.value].some((typed) => typed.trim() !== ''),
  )
}

export function readMonitors(
  form: URLSearchParams,
  badPlace: string,
): { readonly selector: Selector; readonly monitors: readonly AskedMonitor[] } | Refusal {
  const faults: Fault[] = labelFaults(form).map((fault) => ({ ...fault, code: 'invalid_value' }))
  const monitors = filledRows(form).map(({ place, component, variable, type, value, severity, when }, at) => {
    const placed = placeOf(place)
    if (!placed) faults.push({ pointer: `/monitors/${at}/place`, code: 'invalid_value', message: badPlace })
    return {
      component: { ...instanced(component), ...placed },
      variable: instanced(variable),
      type,
      value: value.trim() === '' ? undefined : Number(value.trim().replace(',', '.')),
      severity: Number(severity),
      ...(when === IN_TRANSACTIONS && { transaction: true }),
    }
  })
  const checked = check(PutMonitorsSchema, { selector: typedSelector(form), monitors })
  if (!checked.ok) faults.push(...checked.faults)
  return !checked.ok || faults.length > 0 ? refuseFaults(faults) : checked.value
}

/** What stands in the form before anything was typed. */
export function formOf({ selector, monitors }: MonitorSet): URLSearchParams {
  return new URLSearchParams([...fieldsOfSelector(selector), ...monitors.flatMap(fieldsOf)])
}

function fieldsOf({ component, variable, type, value, severity, transaction }: Monitor): [string, string][] {
  const { evseId, connectorId } = component
  return [
    ['place', [evseId, connectorId].filter((one) => one !== undefined).join('/')],
    ['component', instancedText(component)],
    ['variable', instancedText(variable)],
    ['type', type],
    ['value', String(value)],
    ['severity', String(severity)],
    ['when', transaction ? IN_TRANSACTIONS : ''],
  ]
}
