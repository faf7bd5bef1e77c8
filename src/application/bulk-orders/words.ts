/** A bulk order in a few words, as the audit log names it (BULK-B7, ADMIN-C7). */
import { type BulkRowState, type BulkWhat, ROW_STATES } from '../../domain/bulk-orders/records.ts'
import { orderWords, placeWords } from '../charge-points/order-words.ts'

export type Counts = Readonly<Partial<Record<BulkRowState, number>>>

/** @example bulkWords({ kind: 'reset', type: 'hard' }) === 'reset hard' */
export function bulkWords(what: BulkWhat): string {
  switch (what.kind) {
    case 'reset':
      return `reset ${what.type}`
    case 'unlock':
      return `unlock ${placeWords(what.evseId, what.connectorId)}`.trim()
    case 'availability':
      return `${what.available ? 'available' : 'unavailable'} ${placeWords(what.evseId, what.connectorId)}`.trim()
    case 'command':
      return orderWords(what.method, what.request)
    case 'label':
      return `labels ${Object.keys(what.labels).join(', ')}`
    case 'log':
      return `log ${what.type}`
    case 'configuration':
      return `configuration ${what.name}`
    case 'firmware':
      return `firmware ${what.firmwareId}`
  }
}

/** @example countWords({ done: 57, refused: 2 }) === '57 done, 2 refused' */
export function countWords(counts: Counts): string {
  return ROW_STATES.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`])).join(', ')
}
