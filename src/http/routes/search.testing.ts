/** For tests of the search: a hundred rows whose attributes follow from their number. */
import { logIdAt } from '../../commands/log-id.ts'
import type { Command } from '../../storage/store.ts'
import { command, START } from '../testing.ts'

export const PATH = '/2/evse-controllers/CP1/commands/search'
export const FROM = '2026-08-01T00:00:00Z'
export const METHODS = ['Heartbeat', 'StatusNotification', 'MeterValues', 'StartTransaction']
export const STATUSES = ['success', 'error', 'timeout', 'dropped', 'pending'] as const

export interface Page {
  readonly data: readonly { readonly id: string; readonly messageId: string; readonly createdAt: string }[]
  readonly meta: {
    readonly nextCursor?: string
    readonly total?: { readonly value: number; readonly isExact: boolean }
  }
}

/** Row n comes n·10 ms after the start; its attributes follow from n. */
function row(n: number): Command {
  const { answeredAt, response, ...base } = command(logIdAt(START + n * 10) + (n % 3))
  const status = STATUSES[n % 5] ?? 'success'
  return {
    ...base,
    messageId: `m${n}`,
    method: METHODS[n % 4] ?? '',
    ...(n % 3 !== 0 && { connectorId: n % 3 }),
    ...(n % 7 < 5 && { transactionId: n % 7 === 4 ? 'tx-4' : String(n % 7) }),
    status,
    ...(status === 'success' && response !== undefined && { response, answeredAt: answeredAt ?? 0 }),
    ...(status === 'error' && { error: { code: 'GenericError', description: '=1+1', details: { n } } }),
  }
}

export const ROWS = 100
export const rows = Array.from({ length: ROWS }, (_, n) => row(n))

/** Their message ids, newest first. */
export const messages = (keep: (one: Command) => boolean): string[] =>
  rows
    .filter(keep)
    .map((one) => one.messageId)
    .reverse()
