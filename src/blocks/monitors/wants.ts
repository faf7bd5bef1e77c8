/** What the sets of monitors that mean a station want of it, taken together (MONITOR-A2). */
import type { Want } from '../intents/records.ts'
import { monitorKey } from './monitor-names.ts'
import type { Monitor, MonitorSet } from './records.ts'

/**
 * All that any of them wants. Of two for one variable, type and severity the one that was changed later says the value.
 */
export function monitorWantsOf(sets: readonly MonitorSet[], protocol: string | undefined): readonly Want[] {
  if (protocol === undefined) return []
  const wanted = new Map<string, { monitor: Monitor; sets: string[] }>()
  const ranked = [...sets].sort((one, other) => one.updatedAt - other.updatedAt || (one.name < other.name ? -1 : 1))
  for (const { name, monitors } of ranked) {
    for (const monitor of monitors) {
      const key = monitorKey(monitor).toLowerCase()
      const known = wanted.get(key)
      wanted.set(key, { monitor, sets: [...(known?.sets ?? []), name] })
    }
  }
  return [...wanted.values()].map(({ monitor, sets: names }) => ({
    kind: 'monitor',
    key: monitorKey(monitor),
    desired: monitor,
    source: { monitors: names },
  }))
}
