/** What of a charge concerns limits: that it began, ended, or went on after a pause (CHARGING-S8). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { Session, Transaction } from '../ports/sessions.ts'
import { evseOf } from './charges.ts'
import { putStation, staleAt, stationOf } from './rows.ts'

export interface ChangedCharges {
  readonly sessions?: readonly Session[] | undefined
  readonly transactions?: readonly Transaction[] | undefined
}

/** Stations forget limits while a charge pauses: sent again when it goes on. @returns whether anything changed */
export function followCharges(draft: BlockDraft, { sessions = [], transactions = [] }: ChangedCharges): boolean {
  const { state } = draft
  const isEnded = endForeign(draft, transactions)
  if (state.records.all('charging_demands').length === 0) return isEnded
  const resumed = sessions.flatMap((session) => {
    const wasPaused = state.sessions.get(session.id)?.state === 'suspended'
    const evseId = evseOf(session)
    return wasPaused && session.state === 'charging' && evseId !== undefined ? [evseId] : []
  })
  const isOther = transactions.some(({ transactionId, open }) => state.transactions.get(transactionId)?.open !== open)
  if (resumed.length === 0 && !isOther) return isEnded
  for (const evseId of resumed) staleAt(draft, evseId)
  const station = stationOf(draft)
  const now = Object.fromEntries(resumed.map((evseId) => [evseId, draft.now]))
  putStation(draft, { ...station, resumedAt: { ...station.resumedAt, ...now } })
  return true
}

/** What others set for a charge, as with its start, ends with it. */
function endForeign(draft: BlockDraft, transactions: readonly Transaction[]): boolean {
  const { chargePointId, records } = draft.state
  let isEnded = false
  for (const { source, id, evseId, purpose, transactionId } of records.all('charging_profiles')) {
    if (source !== 'reported' || purpose !== 'TxProfile') continue
    const ofIt = (one: Transaction): boolean =>
      transactionId === undefined ? evseId === 0 || evseId === evseOf(one) : transactionId === one.transactionId
    if (!transactions.some((one) => !one.open && ofIt(one))) continue
    draft.changeRecord({ kind: 'charging_profiles', remove: { chargePointId, source, id } })
    isEnded = true
  }
  return isEnded
}
