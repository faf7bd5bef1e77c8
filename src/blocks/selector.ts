/** Which stations a selector means (ALERT-R3). */
import type { Selector } from './alerts/records.ts'

/** What is known of a station. */
export interface Selectable {
  readonly id: string
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly firmwareVersion?: string | undefined
}

export function selects(selector: Selector, station: Selectable): boolean {
  const { ids, labels = {}, vendor, model, firmwareVersion } = selector
  return (
    (ids === undefined || ids.includes(station.id)) &&
    Object.entries(labels).every(([key, value]) => station.labels?.[key] === value) &&
    (vendor === undefined || vendor === station.vendor) &&
    (model === undefined || model === station.model) &&
    (firmwareVersion === undefined || firmwareVersion === station.firmwareVersion)
  )
}
