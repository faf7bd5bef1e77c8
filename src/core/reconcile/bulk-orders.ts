/** Carries out parts of bulk orders (BULK-B3 to BULK-B5): one order after the other, few stations at a time. */
import { createHash } from 'node:crypto'
import { type BulkOrder, type BulkPart, type BulkWhat, REASONS } from '../../domain/bulk-orders/records.ts'
import { nextPart, partOfLog, restartsUntil } from '../../domain/bulk-orders/rules.ts'
import type { SentCommand } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { bulkCall, isCommanded } from '../../ocpp/orders/usual-commands.ts'
import { type FileJob, fileToken, fileTokenHash } from '../../secrets/file-token.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { sendCommand } from '../operations/send-command.ts'
import { decideNow, isReachable } from './decide-now.ts'
import type { Subject, Task } from './subject.ts'

/** A fleet of 5,000 takes two minutes; a station without an answer holds a slot for a second. */
const PACE = { most: 20, perSecond: 50, burst: 20, longestMs: 1000 }

interface Due extends Task {
  readonly part: BulkPart
  readonly isLogOver?: true
}

export const bulkOrders: Subject<Due> = {
  name: 'bulk orders',
  records: ['bulk_parts', 'log_requests'],
  purposes: ['command'],
  due(station, now) {
    const { state } = station
    const over = state && partOfLog(state)
    if (over) return [{ key: '', part: over, isLogOver: true }]
    const part = state && isReachable(station) ? nextPart(state, now) : undefined
    return part ? [{ key: '', part }] : []
  },
  dueAgainAt: ({ state }, now) => state && restartsUntil(state, now),
  async order(context, station, { part: { orderId }, isLogOver }) {
    if (isLogOver) return decideNow(context, station.id, { kind: 'bulkLogOver', orderId })
    const order = await findOrder(context, station.chargePoint.accountId, orderId)
    const what = order && whatOf(context, order)
    if (!order || order.state === 'ending' || order.state === 'cancelled') {
      return takeBack(context, station, orderId, 'cancelled', order?.reason ?? REASONS.cancelled)
    }
    if (!what) return takeBack(context, station, orderId, 'refused', REASONS.sealed)
    const refused = await carryOut(context, station, order, what)
    if (refused && !isPassing(refused)) await takeBack(context, station, orderId, 'refused', refused.detail)
    // The charge point's queue or the disk is full: tried again.
    else if (refused?.status === 429 || refused?.status === 503) throw new Error(refused.detail)
    return undefined
  },
  pace: PACE,
}

async function carryOut(
  context: CoreContext,
  { id: chargePointId, chargePoint: { accountId }, version }: Station,
  { id: orderId, by, capabilities, expiresAt }: BulkOrder,
  what: BulkWhat,
): Promise<Refusal | undefined> {
  const grantId = by.kind === 'grant' ? by.id : undefined
  const now = context.clock.now()
  if (isCommanded(what) && version) {
    const sent: SentCommand | Refusal = await sendCommand(context, {
      accountId,
      chargePointId,
      ...bulkCall(what, version.protocol),
      waitMs: 0,
      capabilities,
      grantId,
      ttlMs: Math.max(1, expiresAt - now),
      bulkOrderId: orderId,
    })
    return 'refused' in sent ? sent : undefined
  }
  if (what.kind !== 'log') return undefined
  const { type, fromAt, toAt } = what
  const requestId = requestIdOf(orderId, chargePointId)
  const job: FileJob = { kind: 'log', chargePointId, requestId, createdAt: now }
  const tokenHash = fileTokenHash(fileToken(context.settings.secretKey, job))
  const log = { kind: 'logRequested', requestId, type, fromAt, toAt, createdAt: now, grantId, tokenHash } as const
  await decideNow(context, chargePointId, { kind: 'bulkLogOrdered', orderId, log })
  return undefined
}

/** Stable over attempts: 31 bits and above 0, as every charge point can count. */
function requestIdOf(orderId: string, chargePointId: string): number {
  return createHash('sha256').update(`${orderId}\0${chargePointId}`).digest().readUInt32BE() >>> 1 || 1
}

function isPassing({ status, code }: Refusal): boolean {
  return status === 429 || status === 503 || code === 'charge_point_offline' || code === 'bulk_part_over'
}

async function findOrder({ store }: CoreContext, accountId: string, id: string): Promise<BulkOrder | undefined> {
  const [order] = await store.listRecords('bulk_orders', { where: { accountId, id }, limit: 1 })
  return order
}

function whatOf({ sealed }: CoreContext, { id, what, isSealed }: BulkOrder): BulkWhat | undefined {
  const text = isSealed ? sealed.calls.open(what, id) : what
  return text === undefined ? undefined : (JSON.parse(text) as BulkWhat)
}

function takeBack(
  context: CoreContext,
  { id }: Station,
  orderId: string,
  into: 'cancelled' | 'refused',
  reason: string,
): Promise<unknown> {
  return decideNow(context, id, { kind: 'bulkRolledBack', orderId, into, reason })
}
