import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { AWAY, NEVER_CONNECTED } from '../../ocpp/orders/objection.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { CoreContext } from '../context.ts'
import { isNotOwner } from '../groups/store-refusals.ts'
import type { Station } from '../memory/station.ts'

export interface FoundStation {
  readonly station: Station
  readonly version: OcppVersion
}

export async function findStation(
  context: CoreContext,
  accountId: string,
  chargePointId: string,
): Promise<FoundStation | Refusal> {
  const station = context.stations.current(chargePointId) ?? (await context.stations.load(chargePointId))
  if (!station || station.chargePoint.accountId !== accountId) {
    return NO_CHARGE_POINT
  }
  const last = versionOf(station.state?.status.protocol)
  if (last) station.spoke(last)
  const { version } = station
  if (!version) {
    return NEVER_CONNECTED
  }
  return { station, version }
}

/** SESSION-O9: not sent to an offline charge point, unless the order may wait. */
export function refuseWhenAway(station: Station, ttlMs: number | undefined): Refusal | undefined {
  if (station.connection !== undefined || ttlMs !== undefined) return undefined
  return AWAY
}

/** The order does not fit the queue's state; nothing was stored. */
export class OrderRefused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Other errors are bugs or disk failures. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof OrderRefused) {
    if (error.code === QUEUE_FULL.code) return QUEUE_FULL
    return refuse(409, error.code, 'The order does not match the current state.')
  }
  return isNotOwner(error) ? MOVED : NOT_STORED
}

const NOT_STORED = refuse(503, 'not_stored', 'The order could not be stored; nothing was sent. Try again later.')
/** Another node may take the order (core/nodes/across-nodes.ts). */
const MOVED = refuse(503, 'not_stored', 'The charge point went to another node; nothing was sent. Try again later.')

/** Compares the text, which is all that crosses nodes. */
export function isMoved(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'detail' in value && value.detail === MOVED.detail
}

export const NO_CHARGE_POINT = noSuch('charge point')
export const NO_SESSION = noSuch('session')
export const QUEUE_FULL = refuse(
  429,
  'queue_full',
  'Too many commands wait for this charge point; try again when some are done.',
)
