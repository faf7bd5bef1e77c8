/** Who cannot carry out an order, and why: judged when it is ordered, and again when its turn comes (BULK-B2). */
import { REASONS, type BulkWhat } from '../../domain/bulk-orders/records.ts'
import type { Capability } from '../../domain/ports/capability.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { bulkCall, isCommanded } from '../../ocpp/orders/usual-commands.ts'
import { AWAY, mayWait, NEVER_CONNECTED, objectionTo } from '../../ocpp/orders/objection.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { MAX_LABELS, tooManyLabels } from '../charge-points/labels.ts'

export interface Judged {
  readonly what: BulkWhat
  /** What the caller may have a charge point do; absent: everything. */
  readonly capabilities?: readonly Capability[] | undefined
  readonly ttlMs?: number | undefined
}

/** Undefined: it can, now or as soon as it is there. */
export function objectionOf(
  { what, capabilities, ttlMs }: Judged,
  view: ChargePointView,
  isOnline: boolean,
): string | undefined {
  const { registrationStatus, labels = {}, status } = view
  if (what.kind === 'label') {
    return tooManyLabels(labels, what.labels) ? `It would have more than ${MAX_LABELS} labels.` : undefined
  }
  if (what.kind === 'configuration' || what.kind === 'firmware') return undefined
  const version = versionOf(status.protocol)
  if (!version) return NEVER_CONNECTED.detail
  if (!isCommanded(what)) {
    return registrationStatus === 'Accepted' ? undefined : REASONS.notAccepted
  }
  const call = bulkCall(what, version.protocol)
  const isBooted = status.bootedAt !== undefined
  const objection = objectionTo(call, version, { registrationStatus, isBooted }, capabilities)
  if (objection) return objection.detail
  return isOnline || ttlMs !== undefined || mayWait(call.method) ? undefined : AWAY.detail
}
