/** A bulk order in a few words, as the audit log names it (BULK-B7, ADMIN-C7). */
import { type BulkRowState, type BulkWhat, ROW_STATES } from '../../domain/bulk-orders/records.ts'
import { inDetail, orderWords, placeWords } from '../charge-points/order-words.ts'

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
