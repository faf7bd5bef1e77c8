/** What no charge point could be set, whichever is meant (MONITOR-A1). */
import type { Fault } from '../message-log/fault.ts'
import { monitorKey } from './monitor-names.ts'
import type { Monitor } from './records.ts'

export function monitorFaults(monitors: readonly Monitor[]): readonly Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  monitors.forEach((monitor, at) => {
    const add = (member: string, code: string, message: string): void =>
      void faults.push({ pointer: `/monitors/${at}/${member}`, code, message })
    const key = monitorKey(monitor).toLowerCase()
    if (seen.has(key)) add('type', 'duplicate_key', 'stands twice for this variable with this severity')
    seen.add(key)
    const { component, type, value } = monitor
    if (component.connectorId !== undefined && component.evseId === undefined) {
      add('component/connectorId', 'invalid_value', 'needs its evseId')
    }
    const isPeriod = type === 'Periodic' || type === 'PeriodicClockAligned'
    if (isPeriod && !(Number.isInteger(value) && value > 0))
      add('value', 'invalid_value', 'is a number of seconds above 0')
    if (type === 'Delta' && value < 0) add('value', 'invalid_value', 'is how far the variable moves, so not below 0')
  })
  return faults
}
