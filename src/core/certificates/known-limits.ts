import type { StoredVariable } from '../../domain/device-model/records.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { NetworkSlots } from '../../ocpp/version.ts'

type Store = Pick<CoreStore, 'listRecords'>

const PRIORITY = 'ocppcommctrlr.networkconfigurationpriority'
const ACTIVE = 'ocppcommctrlr.activenetworkprofile'
const HIGHEST_SLOT = 1000
const DEFAULT_SLOT = 2
const OTHER_SLOT = 1
const MAX_SLOTS = 20

/** CERT-C26: keeps the slot in use as a fallback (B09, B10). Undefined: the device model has none. */
export async function networkSlots(store: Store, chargePointId: string): Promise<NetworkSlots | undefined> {
  const rows = await read(store, chargePointId, [PRIORITY, ACTIVE])
  const priority = slotsOf(rows.get(PRIORITY)?.value)
  const offered = slotsOf(rows.get(PRIORITY)?.characteristics.valuesList)
  const [active = priority[0]] = slotsOf(rows.get(ACTIVE)?.value)
  const free = [...offered, ...priority].find((slot) => slot !== active)
  if (active === undefined) return undefined
  const keys = [active, ...(free === undefined ? [] : [free])].map(
    (slot) => `networkconfiguration[${slot}].ocppinterface`,
  )
  const interfaces = await read(store, chargePointId, keys)
  const ocppInterface = keys
    .map((key) => interfaces.get(key)?.value)
    .find((value) => value !== undefined && value !== '')
  return {
    slot: free ?? (active === DEFAULT_SLOT ? OTHER_SLOT : DEFAULT_SLOT),
    priority: [active, ...priority.filter((slot) => slot !== active && slot !== free)],
    ocppInterface,
  }
}

async function read(
  store: Store,
  chargePointId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredVariable>> {
  const rows = await store.listRecords('variables', { where: { chargePointId, key: { in: keys } }, limit: keys.length })
  return new Map(rows.filter(({ gone }) => !gone).map((row) => [row.key, row]))
}

function slotsOf(text: string | undefined): readonly number[] {
  const numbers = (text ?? '').split(',', MAX_SLOTS).map((part) => (/^\s*\d{1,4}\s*$/.test(part) ? Number(part) : -1))
  return [...new Set(numbers)].filter((slot) => slot >= 0 && slot <= HIGHEST_SLOT)
}
