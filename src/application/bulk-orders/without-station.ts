/** Bulk orders carried out without the core: labels, configurations by intents, firmware by a campaign (BULK-B4). */

import {
  type BulkOrder,
  type BulkRow,
  type BulkRowState,
  type BulkWhat,
  REASONS,
} from '../../domain/bulk-orders/records.ts'
import type { CampaignRow, RowState } from '../../domain/firmware/records.ts'
import { changeChargePoint } from '../charge-points/register.ts'
import { type ConfigurationContext, keepDesired } from '../configuration/orders.ts'
import { draftCampaign } from '../firmware/campaigns.ts'
import type { Rollouts } from '../rollouts/rollouts.ts'
import { isOnlyIds } from './choose.ts'

export type WithoutStationContext = ConfigurationContext & { readonly rollouts: Pick<Rollouts, 'act' | 'rows'> }

/** Rows of one step; between two of them others have their turn. */
const PAGE = 50

/** @returns false: another server has changed the order meanwhile */
export async function carryOutWithoutStation(
  place: WithoutStationContext,
  order: BulkOrder,
  what: BulkWhat,
  become: (change: Pick<BulkOrder, 'state'> & { readonly campaignId?: string | undefined }) => Promise<boolean>,
): Promise<boolean> {
  if (what.kind === 'firmware') return startCampaign(place, order, what, become)
  for (;;) {
    const page = await waiting(place, order, PAGE)
    if (page.length === 0) return become({ state: 'running' })
    const now = await place.reads.getRecord('bulk_orders', { accountId: order.accountId, id: order.id })
    if (now?.state !== 'ordering') return false
    if (what.kind === 'configuration') await configure(place, order, what.name)
    else await put(place, await Promise.all(page.map((row) => labelled(place, row, what))))
  }
}

function waiting(
  { reads }: WithoutStationContext,
  { id: orderId }: BulkOrder,
  limit: number,
): Promise<readonly BulkRow[]> {
  return reads.listRecords('bulk_order_rows', { where: { orderId, state: 'waiting' }, limit })
}

async function labelled(place: WithoutStationContext, row: BulkRow, what: BulkWhat): Promise<BulkRow> {
  const before = await place.reads.findChargePoint(row.stationId)
  const labels = what.kind === 'label' ? what.labels : {}
  const after = before && (await changeChargePoint(place, before, { labels }))
  if (!after) return over(place, row, 'cancelled', REASONS.deleted)
  return 'refused' in after ? over(place, row, 'refused', after.detail) : over(place, row, 'done')
}

/** All of them at once: one change of the configuration, however many they are. */
async function configure(place: WithoutStationContext, order: BulkOrder, name: string): Promise<void> {
  const { accountId, total } = order
  const rows = await waiting(place, order, total)
  const before = await place.reads.getRecord('configurations', { accountId, name })
  if (!before) {
    await endAll(place, rows, 'refused', REASONS.configurationDeleted)
    return
  }
  const { selector } = before
  const known = new Set(selector.ids)
  const added = isOnlyIds(selector) ? rows.map(({ stationId }) => stationId).filter((id) => !known.has(id)) : []
  const more = { selector: { ids: [...known, ...added] }, revision: before.revision + 1, updatedAt: place.now() }
  const after = added.length === 0 ? before : { ...before, ...more }
  await keepDesired(place, 'configurations', before, after)
  await endAll(place, rows, 'done')
}

async function startCampaign(
  place: WithoutStationContext,
  order: BulkOrder,
  { firmwareId }: Extract<BulkWhat, { kind: 'firmware' }>,
  become: (change: Pick<BulkOrder, 'state'> & { readonly campaignId?: string | undefined }) => Promise<boolean>,
): Promise<boolean> {
  const { accountId, by, campaignId } = order
  if (campaignId !== undefined) {
    await place.rollouts.act({ accountId, id: campaignId }, 'start')
    return become({ state: 'running', campaignId })
  }
  const rows = await waiting(place, order, order.total)
  const [first] = rows
  if (!first) return become({ state: 'running' })
  const selector = { ids: rows.map(({ stationId }) => stationId) }
  const grantId = by.kind === 'grant' ? by.id : undefined
  const campaign = await draftCampaign(place, accountId, { selector, firmwareId }, grantId)
  if ('refused' in campaign) {
    await endAll(place, rows, 'refused', campaign.detail)
    return become({ state: 'running' })
  }
  await place.writes.putRecords('firmware_campaigns', [campaign])
  // Started once the order names it: after a crash no second one is started.
  await become({ state: 'ordering', campaignId: campaign.id })
  return false
}

const AS_ROW: Readonly<Record<RowState, BulkRowState>> = {
  planned: 'waiting',
  waiting: 'waiting',
  running: 'sent',
  succeeded: 'done',
  failed: 'failed',
  rejected: 'failed',
  skipped: 'refused',
  cancelled: 'cancelled',
  notRecallable: 'failed',
}

export async function followCampaign(
  place: WithoutStationContext,
  order: BulkOrder,
  campaignId: string,
): Promise<void> {
  const rows = new Map((await place.rollouts.rows(campaignId)).map((row) => [row.chargePointId, row]))
  const campaign = await place.reads.getRecord('firmware_campaigns', { accountId: order.accountId, id: campaignId })
  const isOver = !campaign || ['cancelled', 'done'].includes(campaign.state)
  for (const state of ['waiting', 'sent'] as const) {
    const { id: orderId, total: limit } = order
    const open = await place.reads.listRecords('bulk_order_rows', { where: { orderId, state }, limit })
    await put(
      place,
      open.map((row) => following(place, row, rows.get(row.stationId), isOver)).filter((row) => row !== undefined),
    )
  }
}

function following(
  place: WithoutStationContext,
  row: BulkRow,
  seen: CampaignRow | undefined,
  isOver: boolean,
): BulkRow | undefined {
  const state = seen ? AS_ROW[seen.state] : isOver ? 'cancelled' : row.state
  if (state === row.state) return undefined
  return over(place, row, state, seen ? seen.reason : REASONS.deleted)
}

function over({ now }: WithoutStationContext, row: BulkRow, state: BulkRowState, reason?: string): BulkRow {
  const { reason: _, ...rest } = row
  return { ...rest, state, updatedAt: now(), reason }
}

function endAll(
  place: WithoutStationContext,
  rows: readonly BulkRow[],
  state: BulkRowState,
  reason?: string,
): Promise<void> {
  return put(
    place,
    rows.map((row) => over(place, row, state, reason)),
  )
}

async function put({ writes }: WithoutStationContext, rows: readonly BulkRow[]): Promise<void> {
  if (rows.length > 0) await writes.putRecords('bulk_order_rows', rows)
}
