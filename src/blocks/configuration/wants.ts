/** What the configurations that mean a station want of it, taken together (CONFIG-A4). */
import { nameText } from '../device-model/variable-names.ts'
import type { IntentSource, Want } from '../intents/records.ts'
import type { Configuration } from './records.ts'

/**
 * One for each variable or key: the configuration with the greater priority decides, of equal ones the one that was
 * changed later. A station of 1.6 is set keys, one of 2.0.1 variables, one that never connected nothing yet.
 */
export function wantsOf(configurations: readonly Configuration[], protocol: string | undefined): readonly Want[] {
  const ranked = [...configurations].sort(
    (one, other) =>
      one.priority - other.priority || one.updatedAt - other.updatedAt || (one.name < other.name ? -1 : 1),
  )
  const wants = new Map<string, Want>()
  for (const configuration of ranked) {
    for (const want of wantsOfOne(configuration, protocol)) wants.set(want.key.toLowerCase(), want)
  }
  return [...wants.values()]
}

function wantsOfOne(configuration: Configuration, protocol: string | undefined): readonly Want[] {
  const { name, rebootPolicy, rebootWindow, variables, keys16 } = configuration
  const source: IntentSource = { configuration: name, rebootPolicy, ...(rebootWindow && { window: rebootWindow }) }
  if (protocol === undefined) return []
  if (protocol === 'ocpp1.6') {
    return keys16.map(({ key, value, isSecret }) => ({
      kind: 'configurationKey',
      key,
      desired: value,
      ...(isSecret && { isSecret }),
      source,
    }))
  }
  return variables.map(({ value, isSecret, ...variable }) => ({
    kind: 'variable',
    key: nameText(variable),
    desired: value,
    ...(isSecret && { isSecret }),
    variable,
    source,
  }))
}
