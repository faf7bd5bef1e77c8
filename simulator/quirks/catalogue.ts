import { CHARGING_QUIRKS } from './charging.ts'
import { NETWORK_QUIRKS } from './network.ts'
import { WIRE_QUIRKS } from './on-the-wire.ts'
import type { Quirk } from './quirk.ts'
import { TRANSACTION_QUIRKS } from './transactions.ts'
import { VALUE_QUIRKS } from './values.ts'

/** Sorted by name. `ConnectOptions.quirks` takes the names; `pilotwire simulate --list-quirks` prints them. */
export const QUIRKS: readonly Quirk[] = [
  ...WIRE_QUIRKS,
  ...TRANSACTION_QUIRKS,
  ...VALUE_QUIRKS,
  ...NETWORK_QUIRKS,
  ...CHARGING_QUIRKS,
].sort((a, b) => (a.name < b.name ? -1 : 1))
