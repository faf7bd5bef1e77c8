/**
 * The filters that BENCH-B3 tries: common ones, the costliest of each operator, and combinations that no row can match.
 */
import type { SearchFilter } from '../../src/domain/ports/search-filter.ts'

export interface FilterCase {
  readonly what: string
  readonly filter: SearchFilter
}

const ABSENT_TRANSACTIONS = Array.from({ length: 100 }, (_value, position) => String(7_000_003 + 1000 * position))
const ABSENT_TEXTS = Array.from({ length: 100 }, (_value, position) => `LOG-9999-${position}`)
const ABOVE_EVERY_NUMBER = 1e15

/** @param transactionIds 100 that occur in the window */
export function filterCases(transactionIds: readonly string[]): readonly FilterCase[] {
  return [
    { what: 'no filter', filter: {} },
    { what: 'status = error', filter: { status: [{ op: 'in', values: ['error'] }] } },
    { what: 'a rare method', filter: { methods: ['UpdateFirmware'] } },
    { what: 'method in 3', filter: { methods: ['UpdateFirmware', 'BootNotification', 'Heartbeat'] } },
    { what: '3 methods excluded', filter: { excludeMethods: ['MeterValues', 'StatusNotification', 'Authorize'] } },
    { what: 'connector = 9', filter: { connectorId: [{ op: 'in', values: [9] }] } },
    { what: 'connector not in 3', filter: { connectorId: [{ op: 'nin', values: [7, 8, 9] }] } },
    { what: 'connector absent', filter: { connectorId: [{ op: 'exists', value: false }] } },
    { what: 'connector > 1 and < 2', filter: { connectorId: [above(1), { op: 'lt', value: 2 }] } },
    { what: 'one transaction', filter: { transactionId: [{ op: 'in', values: ['7000003'] }] } },
    { what: 'transaction in 100', filter: { transactionId: [{ op: 'in', values: transactionIds }] } },
    { what: 'transaction in 100 absent', filter: { transactionId: [{ op: 'in', values: ABSENT_TRANSACTIONS }] } },
    { what: 'transaction in 100 absent texts', filter: { transactionId: [{ op: 'in', values: ABSENT_TEXTS }] } },
    { what: 'transaction not in 100', filter: { transactionId: [{ op: 'nin', values: ABSENT_TRANSACTIONS }] } },
    { what: 'transaction > none', filter: { transactionId: [above(ABOVE_EVERY_NUMBER)] } },
    { what: 'transaction > 0', filter: { transactionId: [above(0)] } },
    {
      what: 'error and transaction in 100',
      filter: {
        status: [{ op: 'in', values: ['error'] }],
        transactionId: [{ op: 'in', values: transactionIds }],
      },
    },
    {
      what: 'contradiction: present and absent',
      filter: {
        transactionId: [
          { op: 'exists', value: true },
          { op: 'exists', value: false },
        ],
      },
    },
    {
      what: 'contradiction: 2 methods, a connector they lack, excluded statuses',
      filter: {
        methods: ['GetConfiguration', 'Authorize'],
        connectorId: [{ op: 'in', values: [1] }],
        status: [{ op: 'nin', values: ['pending', 'dropped'] }],
      },
    },
  ]
}

function above(value: number): { readonly op: 'gt'; readonly value: number } {
  return { op: 'gt', value }
}
