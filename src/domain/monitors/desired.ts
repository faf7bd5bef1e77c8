/** The monitors of a station, merged from all sets that select it (MONITOR-A2). */
import { intentName } from '../intents/put-intent.ts'
import type { Want } from '../intents/records.ts'
import { type MonitorSet, monitorKey } from './records.ts'

/** Names of the intents that it means, in the order of its monitors. */
export function namesOfMonitors({ monitors }: Pick<MonitorSet, 'monitors'>): readonly string[] {
  return monitors.map((monitor) => intentName({ kind: 'monitor', key: monitorKey(monitor) }))
}

/** Of all these the set changed last says the value. @param sets each with the monitor's place in it; at least one */
export function monitorWantOf(sets: readonly { readonly desired: MonitorSet; readonly at: number }[]): Want {
  const ranked = [...sets].sort(
    ({ desired: one }, { desired: other }) => one.updatedAt - other.updatedAt || (one.name < other.name ? -1 : 1),
  )
  const last = ranked.at(-1)
  const monitor = last?.desired.monitors[last.at]
  if (!monitor) throw new RangeError('A set of monitors does not have so many.')
  return {
    kind: 'monitor',
    key: monitorKey(monitor),
    desired: monitor,
    source: { monitors: ranked.map(({ desired }) => desired.name) },
  }
}
