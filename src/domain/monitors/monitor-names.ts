/** How monitors are called, and when two are the same (MONITOR-A2). */
import { nameText } from '../device-model/variable-names.ts'
import type { Monitor, MonitoredVariable } from './records.ts'

/** `Component.Variable#UpperThreshold/5`: a charge point has one for a variable, a type and a severity. (N04.) */
export function monitorKey({
  component,
  variable,
  type,
  severity,
}: MonitoredVariable & { readonly type: string; readonly severity: number }): string {
  return `${nameText({ component, variable, attribute: 'Actual' })}#${type}/${severity}`
}

/** What it does, beside what it is called. */
export function monitorText({ value, transaction }: Pick<Monitor, 'value' | 'transaction'>): string {
  return transaction ? `${value} in transactions` : String(value)
}
