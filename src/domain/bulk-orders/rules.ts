/** What becomes of the part that one charge point has in a bulk order (BULK-B3 to BULK-B5). */
import { isLogOver, onLogRequested } from '../logs/rules.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { ChargePointState, Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { type BulkPart, type BulkRow, REASONS } from './records.ts'

const kept = recordsOf('bulk_parts')
const OVER: Outcome = { refused: 'bulk_part_over' }

/** The node that ordered it may have died before noting that: a part that is there stays unchanged. */
export function onBulkOrdered(draft: BlockDraft, { orderId, createdAt }: InputOf<'bulkOrdered'>): void {
  const { chargePointId } = draft.state
  if (kept.find(draft, { orderId })) return
  kept.put(draft, { chargePointId, orderId, state: 'waiting', createdAt })
  putRow(draft, orderId, { state: 'waiting' })
}

export function onBulkSent(draft: BlockDraft, { orderId, commandId }: InputOf<'bulkSent'>): Outcome | undefined {
  const part = kept.find(draft, { orderId })
  if (part?.state !== 'waiting') return OVER
  kept.put(draft, { ...part, state: 'sent' })
  putRow(draft, orderId, { state: 'sent', commandId })
}

/** An answer that comes after its time-out corrects what was reported. */
export function onBulkAnswered(draft: BlockDraft, reported: InputOf<'bulkAnswered'>): void {
  const { orderId, commandId, isAccepted, answer, reason, restarts } = reported
  const createdAt = kept.find(draft, { orderId })?.createdAt ?? draft.now
  end(draft, orderId, { state: isAccepted ? 'done' : 'failed', reason, commandId, answer })
  if (!restarts || answer === undefined) return
  const { chargePointId, records } = draft.state
  for (const { orderId: other, state } of records.all('bulk_parts')) {
    if (state === 'restarting') kept.remove(draft, { orderId: other })
  }
  const restart = { commandId, answer, answeredAt: draft.now }
  kept.put(draft, { chargePointId, orderId, state: 'restarting', createdAt, restart })
}

/** BULK-B10: it is back from a reset that it accepted. */
export function bulkOrdersAfterBoot(draft: BlockDraft): void {
  for (const { orderId, restart } of draft.state.records.all('bulk_parts')) {
    if (!restart) continue
    const { answeredAt, ...reported } = restart
    const backAfterMs = draft.now - answeredAt
    // Below zero: the clock was put back.
    if (backAfterMs >= 0 && backAfterMs <= LATEST_BACK_MS)
      end(draft, orderId, { state: 'done', ...reported, backAfterMs })
    else kept.remove(draft, { orderId })
  }
}

const LATEST_BACK_MS = 3600_000
/** So long nothing else is asked of a charge point that is about to restart: what is sent then is lost. */
const RESTART_MS = 120_000

export function onBulkLogOrdered(draft: BlockDraft, { orderId, log }: InputOf<'bulkLogOrdered'>): Outcome | undefined {
  const part = kept.find(draft, { orderId })
  if (part?.state !== 'waiting') return OVER
  const outcome = onLogRequested(draft, log)
  if (outcome?.refused === 'too_many_logs') {
    end(draft, orderId, { state: 'refused', reason: REASONS.tooManyLogs })
    return undefined
  }
  if (outcome) return outcome
  kept.put(draft, { ...part, state: 'sent', requestId: log.requestId })
  putRow(draft, orderId, { state: 'sent' })
}

export function onBulkLogOver(draft: BlockDraft, { orderId }: InputOf<'bulkLogOver'>): Outcome | undefined {
  const requestId = kept.find(draft, { orderId })?.requestId
  if (requestId === undefined) return OVER
  const log = recordsOf('log_requests').find(draft, { requestId })
  if (log?.state === 'uploaded') end(draft, orderId, { state: 'done' })
  else end(draft, orderId, { state: 'failed', reason: log ? (log.reason ?? log.state) : REASONS.logDeleted })
}

export function onBulkRolledBack(draft: BlockDraft, { orderId, into, reason }: InputOf<'bulkRolledBack'>): void {
  if (kept.find(draft, { orderId })?.state === 'waiting') end(draft, orderId, { state: into, reason })
}

export function onChargePointGone(draft: BlockDraft): void {
  for (const { orderId, restart } of draft.state.records.all('bulk_parts')) {
    if (restart) kept.remove(draft, { orderId })
    else end(draft, orderId, { state: 'cancelled', reason: REASONS.deleted })
  }
}

/** What may be done now: one at a time, and the oldest order first (BULK-B5). */
export function nextPart(state: Pick<ChargePointState, 'records'>, now: number): BulkPart | undefined {
  const parts = state.records.all('bulk_parts')
  const [first, ...others] = parts.filter((part) => part.state === 'waiting')
  if (!first || parts.some((part) => part.state === 'sent') || restartsUntil(state, now) !== undefined) return undefined
  return others.reduce((oldest, part) => (isOlder(part, oldest) ? part : oldest), first)
}

/** When the next part may be done although the charge point has not come back; undefined: it is not waited for. */
export function restartsUntil({ records }: Pick<ChargePointState, 'records'>, now: number): number | undefined {
  const { answeredAt = Number.NEGATIVE_INFINITY } =
    records.all('bulk_parts').find(({ restart }) => restart)?.restart ?? {}
  const until = answeredAt + RESTART_MS
  // An answer from the future: the clock was put back.
  return answeredAt <= now && until > now ? until : undefined
}

export function partOfLog({ records }: Pick<ChargePointState, 'records'>): BulkPart | undefined {
  return records.all('bulk_parts').find(({ chargePointId, requestId }) => {
    if (requestId === undefined) return false
    const log = records.find('log_requests', { chargePointId, requestId })
    return !log || isLogOver(log)
  })
}

function isOlder(one: BulkPart, other: BulkPart): boolean {
  return one.createdAt === other.createdAt ? one.orderId < other.orderId : one.createdAt < other.createdAt
}

type Reported = Pick<BulkRow, 'state' | 'reason' | 'commandId' | 'answer' | 'backAfterMs'>

function end(draft: BlockDraft, orderId: string, row: Reported): void {
  kept.remove(draft, { orderId })
  putRow(draft, orderId, row)
}

function putRow(draft: BlockDraft, orderId: string, row: Reported): void {
  const put: BulkRow = { orderId, stationId: draft.state.chargePointId, ...row, isOrdered: true, updatedAt: draft.now }
  draft.changeRecord({ kind: 'bulk_order_rows', put })
}
