import { expect, it } from 'vitest'
import { inputOf } from '../admission.ts'
import { ocpp21 } from './version.ts'

const AT = Date.UTC(2026, 7, 1, 10)
const SETTLEMENT = {
  pspRef: 'psp-1',
  status: 'Settled',
  settlementAmount: 12.34,
  settlementTime: '2026-08-01T09:59:00Z',
}

/** The input of a request as lenient validation leaves it; undefined: refused. */
function read(more: object) {
  const handler = ocpp21.fromChargePoint.NotifySettlement
  const valid = ocpp21.validateCall('NotifySettlement', { ...SETTLEMENT, ...more }, 'lenient')
  if (!handler || !valid.ok) return undefined
  return inputOf(handler, valid.payload, { messageId: 'm', payloadText: '{}', receivedAt: AT })
}

it.each<[string, object, object | undefined]>([
  [
    'as it should be',
    {},
    { kind: 'paymentSettled', status: 'Settled', amountMicros: 12_340_000, settledAt: AT - 60_000 },
  ],
  ['with a transaction', { transactionId: 'T' }, { kind: 'paymentSettled', transactionId: 'T' }],
  ['in other letters', { status: 'CANCELED' }, { status: 'Canceled' }],
  ['with a status that OCPP does not know', { status: 'Refunded' }, { kind: 'noted' }],
  ['with money that went back', { settlementAmount: -5 }, { amountMicros: -5_000_000 }],
  ['with all the money of the world', { settlementAmount: 1e300 }, { amountMicros: 1e15 }],
  ['without an amount', { settlementAmount: undefined }, { amountMicros: 0 }],
  ['without a time', { settlementTime: undefined }, { settledAt: AT }],
  ['of 1970', { settlementTime: '1970-01-01T00:00:00Z' }, { settledAt: AT }],
  ['with an empty reference', { pspRef: '' }, { kind: 'noted' }],
  ['without a reference', { pspRef: undefined }, undefined],
])('OCPP21-C7: NotifySettlement %s', (_, more, expected) => {
  if (expected) expect(read(more)).toMatchObject(expected)
  else expect(read(more)).toBeUndefined()
})
