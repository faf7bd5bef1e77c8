/**
 * Orders one thing of many charge points (BULK-B1). What is still to be done stands in the database: where a server
 * dies in the middle, the next look of whichever server goes on. Commands and logs are the core's
 * (core/reconcile/bulk-orders.ts); what needs no charge point is done here (without-station.ts).
 */

import {
  type BulkActor,
  type BulkOrder,
  type BulkRow,
  type BulkRowState,
  type BulkWhat,
  OPEN_ORDERS,
  OPEN_ROWS,
  REASONS,
  ROW_STATES,
} from '../../domain/bulk-orders/records.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { refuse } from '../../domain/refuse.ts'
import { mask } from '../../ocpp/mask.ts'
import { isCommanded } from '../../ocpp/orders/usual-commands.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { answerIs, auditIdOfOrder, orderIs } from '../audit/auditing.ts'
import { inDetail, orderWords, placeWords } from '../charge-points/order-words.ts'
import { carryOutOrders, countedByState, inGroups, noRoomFor, type UseCaseContext } from '../context.ts'
import type { Rollouts } from '../rollouts/rollouts.ts'
import { type Asked, type Chosen, choose } from './choose.ts'
import { lostRight } from './right.ts'
import { carryOutWithoutStation, followCampaign, type WithoutStationContext } from './without-station.ts'

export interface BulkContext
  extends Pick<UseCaseContext, 'reads' | 'writes' | 'core' | 'clock' | 'random' | 'secretKey' | 'isKeeper' | 'log'> {
  readonly rollouts: Pick<Rollouts, 'act' | 'rows'>
}

export interface BulkOrders {
  preview(asked: Asked): Promise<readonly Chosen[] | Refusal>
  /** Resolves when it is stored, with a row for each charge point. */
  order(asked: Asked, by: BulkActor): Promise<BulkOrder | Refusal>
  /** Refuses with 409 one that is over. */
  cancel(order: Pick<BulkOrder, 'accountId' | 'id'>): Promise<BulkOrder | Refusal>
  countsOf(order: Pick<BulkOrder, 'id'>): Promise<Counts>
  /** Undefined when it was sealed under a key that is no longer there. */
  whatOf(order: BulkOrder): BulkWhat | undefined
  /** Looks at all that are not over: a right may be gone. Never rejects. */
  look(): Promise<void>
  stop(): void
}

type Key = Pick<BulkOrder, 'accountId' | 'id'>

const LOOK_MS = 1_000
const PAGE = 500
const DAY_MS = 24 * 3600_000
/** Resets and the like are not for charge points that are away: so long one waits that goes away before its turn. */
const SHORT_WAIT_MS = 3600_000

export function startBulkOrders(parts: BulkContext): BulkOrders {
  const { reads, writes, core, clock, random, secretKey, log, isKeeper } = parts
  const box = sealedBox(secretKey, 'outgoingCalls', random)
  const place: WithoutStationContext = { ...parts, settings: parts, now: clock.now, after: clock.after }
  const { carryOut, look, isStopped, stop } = carryOutOrders({
    clock,
    log,
    isKeeper,
    everyMs: LOOK_MS,
    name: 'bulk order',
    open: () => recordPages(reads, 'bulk_orders', { state: { in: OPEN_ORDERS } }),
    step: (order) => step(order),
  })

  const step = async ({ accountId, id }: Key): Promise<void> => {
    const order = await reads.getRecord('bulk_orders', { accountId, id })
    if (!order || order.state === 'done' || order.state === 'cancelled') return
    const what = whatOf(order)
    const lost = what ? await lostRight(reads, order.by, what.kind, clock.now()) : REASONS.sealed
    if (lost !== undefined && order.state !== 'ending') {
      await become(order, { state: 'ending', reason: lost })
      return step(order)
    }
    if (order.state === 'ending' || !what) return end(order)
    if (order.by.kind === 'grant') await takeBackUnshared(order, order.by.id)
    if (order.state === 'ordering') {
      if (!(await orderAll(order, what))) return step(order)
    } else {
      if (order.campaignId !== undefined) await followCampaign(place, order, order.campaignId)
      else if (order.expiresAt <= clock.now()) await takeBack(order, 'failed', REASONS.notInTime)
      if (!(await hasOpen(order)) && (await become(order, { state: 'done' }))) await tellAudit(order, what)
    }
  }

  /** @returns false: another server has changed it meanwhile */
  const orderAll = async (order: BulkOrder, what: BulkWhat): Promise<boolean> => {
    const isOfCore = isCommanded(what) || what.kind === 'log'
    if (!isOfCore) return carryOutWithoutStation(place, order, what, (change) => become(order, change))
    const { accountId, id: orderId, createdAt } = order
    for await (const page of waitingRows(order)) {
      const left = page.filter(({ isOrdered }) => !isOrdered)
      await inGroups(left.map((row) => () => decide(accountId, row, { kind: 'bulkOrdered', orderId, createdAt })))
      const now = await reads.getRecord('bulk_orders', { accountId, id: orderId })
      if (now?.state !== 'ordering') return false
    }
    return become(order, { state: 'running' })
  }

  const end = async (order: BulkOrder): Promise<void> => {
    const { accountId, campaignId: id } = order
    if (id !== undefined) {
      await parts.rollouts.act({ accountId, id }, 'cancel')
      await followCampaign(place, order, id)
    }
    await takeBack(order, 'cancelled', order.reason ?? REASONS.cancelled)
    const what = whatOf(order)
    if ((await become(order, { state: 'cancelled' })) && what) await tellAudit(order, what)
  }

  const takeBack = async (
    order: BulkOrder,
    into: Extract<BulkRowState, 'cancelled' | 'failed'>,
    reason: string,
    matchesSelector: (row: BulkRow) => boolean = () => true,
  ): Promise<void> => {
    const { accountId, id: orderId } = order
    for await (const page of waitingRows(order)) {
      const meant = page.filter(matchesSelector)
      await putRows(meant.filter(({ isOrdered }) => !isOrdered).map((row) => ended(row, into, reason)))
      await inGroups(
        meant
          .filter(({ isOrdered }) => isOrdered)
          .map((row) => () => decide(accountId, row, { kind: 'bulkRolledBack', orderId, into, reason })),
      )
    }
  }

  /** OIDC-C8: what is not shared any more is not reached any more. */
  const takeBackUnshared = async (order: BulkOrder, grantId: string): Promise<void> => {
    const grant = await reads.findGrant(grantId)
    const { chargePoints = [] } = grant ?? {}
    if (!grant || chargePoints === 'all' || grant.updatedAt < order.createdAt) return
    const shared = new Set(chargePoints)
    const isUnshared = ({ stationId }: BulkRow): boolean => !shared.has(stationId)
    await takeBack(order, 'cancelled', REASONS.notShared, isUnshared)
  }

  const decide = async (accountId: string, row: BulkRow, input: BlockInput): Promise<void> => {
    const outcome = await core.decideBlock({ accountId, chargePointId: row.stationId, input })
    if (!('status' in outcome)) return
    if (outcome.status !== 404) throw new Error(outcome.detail)
    await putRows([ended(row, 'cancelled', REASONS.deleted)])
  }

  async function* waitingRows({ id: orderId }: Pick<BulkOrder, 'id'>): AsyncGenerator<readonly BulkRow[]> {
    for await (const page of recordPages(reads, 'bulk_order_rows', { orderId, state: 'waiting' })) {
      yield page
      if (isStopped()) return
    }
  }

  const ended = (row: BulkRow, state: BulkRowState, reason: string): BulkRow => ({
    ...row,
    state,
    reason,
    isOrdered: true,
    updatedAt: clock.now(),
  })

  const putRows = async (rows: readonly BulkRow[]): Promise<void> => {
    for (let at = 0; at < rows.length; at += PAGE) await writes.putRecords('bulk_order_rows', rows.slice(at, at + PAGE))
  }

  const become = (
    seen: BulkOrder,
    change: Partial<Pick<BulkOrder, 'state' | 'reason' | 'campaignId'>>,
  ): Promise<boolean> => {
    const put = { ...seen, ...change, updatedAt: clock.now() }
    return writes.changeRecordsIf([{ kind: 'bulk_orders', put }], { kind: 'bulk_orders', put: seen })
  }

  const hasOpen = async ({ id: orderId }: Key): Promise<boolean> =>
    (await reads.countRecords('bulk_order_rows', { where: { orderId, state: { in: OPEN_ROWS } }, limit: 1 })) > 0

  const countsOf: BulkOrders['countsOf'] = ({ id: orderId }) =>
    countedByState(ROW_STATES, (state) =>
      reads.countRecords('bulk_order_rows', { where: { orderId, state }, limit: MAX_COUNTED }),
    )

  const tellAudit = async (order: BulkOrder, what: BulkWhat): Promise<void> => {
    const { id, auditId } = order
    if (auditId === undefined) return
    const words = `${bulkWords(what)} of ${manyWords(order.total)}: ${countWords(await countsOf(order))}, ${id}`
    await writes.setAuditOutcome(auditId, 'done', words)
  }

  const whatOf: BulkOrders['whatOf'] = ({ id, what, isSealed }) => {
    const text = isSealed ? box.open(what, id) : what
    return text === undefined ? undefined : (JSON.parse(text) as BulkWhat)
  }

  return {
    countsOf,
    whatOf,
    preview: (asked) => choose(parts, asked),
    async order(asked, by) {
      const { accountId, selector, what, capabilities, ttlMs } = asked
      const full = await noRoomFor('bulk_orders', reads, accountId)
      if (full) return full
      const chosen = await choose(parts, asked)
      if ('refused' in chosen) return chosen
      orderIs(bulkWords(what), manyWords(chosen.length))
      const now = clock.now()
      const id = newUuid(now, random)
      await putRows(
        chosen.map(({ id: stationId, objection }) => {
          const row = { orderId: id, stationId, updatedAt: now }
          return objection === undefined
            ? { ...row, state: 'waiting', isOrdered: false }
            : { ...row, state: 'refused', reason: objection, isOrdered: true }
        }),
      )
      const text = JSON.stringify(what)
      const isSealed = mask(text, what) !== text
      const longest = ttlMs ?? (what.kind === 'reset' || what.kind === 'unlock' ? SHORT_WAIT_MS : DAY_MS)
      const order: BulkOrder = {
        accountId,
        id,
        state: 'ordering',
        selector,
        by,
        total: chosen.length,
        what: isSealed ? box.seal(text, id) : text,
        isSealed,
        capabilities,
        auditId: await auditIdOfOrder(),
        expiresAt: now + longest,
        createdAt: now,
        updatedAt: now,
      }
      await writes.putRecords('bulk_orders', [order])
      answerIs([countWords(await countsOf(order)), id].filter(Boolean).join(', '))
      // The caller need not wait: what is stored is carried out.
      void carryOut(order)
      return order
    },
    async cancel({ accountId, id }) {
      for (;;) {
        const order = await reads.getRecord('bulk_orders', { accountId, id })
        if (!order || !(OPEN_ORDERS as readonly string[]).includes(order.state) || !(await hasOpen(order))) {
          return refuse(409, 'bulk_order_over', 'The bulk order is over already.')
        }
        if (order.state !== 'ending' && !(await become(order, { state: 'ending' }))) continue
        await carryOut(order)
        return { ...order, state: 'cancelled' }
      }
    },
    look,
    stop,
  }
}

/** Above what an account can have. */
const MAX_COUNTED = 10_000_000

/** A bulk order in a few words, as the audit log names it (BULK-B7, ADMIN-C7). */

export type Counts = Readonly<Partial<Record<BulkRowState, number>>>

/** @example bulkWords({ kind: 'reset', type: 'hard' }) === 'Reset (hard)' */
export function bulkWords(what: BulkWhat): string {
  switch (what.kind) {
    case 'reset':
      return inDetail('Reset', what.type)
    case 'unlock':
      return inDetail('Unlock', placeWords(what.evseId, what.connectorId))
    case 'availability':
      return inDetail(what.available ? 'Available' : 'Unavailable', placeWords(what.evseId, what.connectorId))
    case 'command':
      return orderWords(what.method, what.request)
    case 'label':
      return inDetail('Labels', Object.keys(what.labels).join(', '))
    case 'log':
      return inDetail('Log', what.type)
    case 'configuration':
      return inDetail('Configuration', what.name)
    case 'firmware':
      return inDetail('Firmware', what.firmwareId)
  }
}

/** @example manyWords(59) === '59 charge points' */
export function manyWords(total: number): string {
  return total === 1 ? '1 charge point' : `${total} charge points`
}

/** @example countWords({ done: 57, refused: 2 }) === '57 done, 2 refused' */
export function countWords(counts: Counts): string {
  return ROW_STATES.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`])).join(', ')
}
