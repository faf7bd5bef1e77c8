/**
 * How many of a thing an account may have (CONFIG-A13): far more than a fleet needs, and too few to slow the stations
 * of other accounts. Two that are made in the same moment may both find room: the limit is no exact one.
 */

import { OPEN_ORDERS } from '../domain/bulk-orders/records.ts'
import { OPEN_STATES } from '../domain/firmware/records.ts'
import { OPEN_ROTATIONS } from '../domain/password-rotations/records.ts'
import type { Refusal } from '../domain/ports/refusal.ts'
import type { Reads } from '../domain/ports/storage.ts'
import { refuse } from '../domain/refuse.ts'

const LIMITS = {
  // Each has up to 500 variables and 500 keys, and the core holds all of them.
  configurations: { most: 100, what: 'configurations', way: 'delete one, or put its settings into another' },
  monitor_sets: { most: 100, what: 'sets of monitors', way: 'delete one, or put its monitors into another' },
  // Each card that changes is looked for in all of them.
  local_lists: { most: 20, what: 'local lists', way: 'delete one, or put its charge points into another' },
  firmware_images: { most: 200, what: 'firmware images', way: 'delete one' },
  model_abilities: { most: 500, what: 'station models', way: 'delete one' },
  // Each is looked at every second until it is over.
  firmware_campaigns: { most: 20, what: 'campaigns that are not over', way: 'cancel one' },
  password_rotations: { most: 20, what: 'password rotations that are not over', way: 'cancel one' },
  bulk_orders: { most: 100, what: 'bulk orders that are not over', way: 'cancel one' },
} as const

/** 409 where there is no room for another one. */
export async function noRoomFor(
  kind: keyof typeof LIMITS,
  reads: Pick<Reads, 'countRecords'>,
  accountId: string,
): Promise<Refusal | undefined> {
  const { most, what, way } = LIMITS[kind]
  const count =
    kind === 'firmware_campaigns'
      ? await reads.countRecords(kind, { where: { accountId, state: { in: OPEN_STATES } }, limit: most })
      : kind === 'password_rotations'
        ? await reads.countRecords(kind, { where: { accountId, state: { in: OPEN_ROTATIONS } }, limit: most })
        : kind === 'bulk_orders'
          ? await reads.countRecords(kind, { where: { accountId, state: { in: OPEN_ORDERS } }, limit: most })
          : await reads.countRecords(kind, { where: { accountId }, limit: most })
  return count < most ? undefined : refuse(409, `too_many_${kind}`, `An account has at most ${most} ${what}: ${way}.`)
}
