import { expect, it } from 'vitest'
import { at, Driver, MINUTE, ZERO } from '../../../test/support/sessions/driver.ts'
import type { EventData } from '../ports/storage-webhooks.ts'
import type { HistoryEntry } from '../timeline/records.ts'
import type { PaymentSettled, PaymentStatus } from './records.ts'

const SETTLED: PaymentSettled = {
  kind: 'paymentSettled',
  pspRef: 'psp-1',
  status: 'Settled',
  amountMicros: 12_340_000,
  settledAt: ZERO,
}
const PAYMENT = { id: 'psp-1', type: 'DirectPayment' }

class Paid {
  readonly driver: Driver
  readonly events: EventData[] = []
  readonly entries: HistoryEntry[] = []

  constructor(options: ConstructorParameters<typeof Driver>[0] = {}) {
    this.driver = new Driver({ forgetful: true, ...options })
    this.driver.commandId = 1
  }

  settle(more: Partial<PaymentSettled> = {}) {
    const { changes, outcome } = this.driver.send({ ...SETTLED, ...more })
    this.events.push(...(changes.events ?? []))
    for (const change of changes.records ?? []) {
      if (change.kind === 'connection_history' && 'put' in change) this.entries.push(change.put)
    }
    return outcome
  }

  charge(event: 'started' | 'ended', sequenceNumber: number, minutes: number) {
    return this.driver.sendAt(minutes, {
      kind: 'transactionEvent',
      event,
      transactionId: 'T',
      sequenceNumber,
      trigger: event === 'started' ? 'Authorized' : 'EVDeparted',
      at: at(minutes),
      activity: 'charging',
      evseId: 1,
      connectorId: 1,
      idToken: event === 'started' ? PAYMENT : undefined,
      samples: [],
      digest: `${event}${sequenceNumber}`,
    })
  }
}

it.each(['accept', 'reject'] as const)(
  'OCPP21-C7: a payment without Authorize is a session, and no card, where unknown cards are: %s',
  (unknownIdTokens) => {
    const paid = new Paid({ unknownIdTokens })
    const { outcome } = paid.charge('started', 0, 0)
    expect(outcome.authorisation).toEqual({ status: 'Accepted' })
    expect(paid.driver.session()).toMatchObject({ state: 'charging', idToken: 'psp-1' })
    expect([...paid.driver.idTokens.keys()]).toEqual([])
  },
)

it('OCPP21-C7: a blocked card that is called like a payment is not the payment', () => {
  const paid = new Paid({ idTokens: [{ id: 'psp-1', status: 'Blocked' }] })
  expect(paid.charge('started', 0, 0).outcome.authorisation).toEqual({ status: 'Accepted' })
})

it.each(['Settled', 'Canceled', 'Rejected', 'Failed'] satisfies PaymentStatus[])(
  'OCPP21-C7: %s twice is one settlement, on the session of its transaction',
  (status) => {
    const paid = new Paid()
    paid.charge('started', 0, 0)
    paid.charge('ended', 1, 10)
    paid.settle({ status, transactionId: 'T', detail: 'as the terminal says' })
    paid.driver.now += MINUTE
    paid.settle({ status, transactionId: 'T', detail: 'as the terminal says' })
    expect(paid.driver.session().payment).toMatchObject({ pspRef: 'psp-1', status, amountMicros: 12_340_000 })
    expect(paid.entries).toMatchObject([{ kind: 'payment', details: { pspRef: 'psp-1', status, amount: 12.34 } }])
    expect(paid.events).toMatchObject([
      {
        type: 'payment.settled',
        subject: 'CP1',
        data: { status, amount: 12.34, sessionId: 'session-1', transactionId: 'T' },
      },
    ])
  },
)

it('OCPP21-C7: without a transaction it is an entry of the charge point', () => {
  const paid = new Paid()
  paid.settle({ status: 'Canceled', amountMicros: 0 })
  expect(paid.driver.sessions).toEqual([])
  expect(paid.entries).toMatchObject([{ details: { pspRef: 'psp-1', status: 'Canceled', amount: 0 } }])
  expect(paid.events).toHaveLength(1)
})

it('OCPP21-C7: without a transaction it is that of the running session that began with the payment', () => {
  const paid = new Paid()
  paid.charge('started', 0, 0)
  paid.settle()
  expect(paid.driver.session().payment?.status).toBe('Settled')
})

it('OCPP21-C7: a transaction that is unknown leaves it an entry of the charge point', () => {
  const paid = new Paid()
  paid.settle({ transactionId: 'unknown' })
  expect(paid.entries).toMatchObject([{ details: { transactionId: 'unknown', sessionId: undefined } }])
})

it('OCPP21-C7: after a failed attempt another outcome counts; after a settlement none does', () => {
  const paid = new Paid()
  for (const status of ['Failed', 'Failed', 'Rejected', 'Settled', 'Canceled', 'Failed'] as const)
    paid.settle({ status })
  expect(paid.entries.map(({ details }) => details.status)).toEqual(['Failed', 'Rejected', 'Settled'])
})

it('OCPP21-C7: a payment that was canceled has no receipt, also where its charge point then says Settled', () => {
  const paid = new Paid({ settings: { receiptUrl: 'https://r.example/{pspRef}' } })
  expect(paid.settle({ status: 'Canceled' }).receipt).toBeUndefined()
  expect(paid.settle({ status: 'Settled' }).receipt).toBeUndefined()
  expect(paid.settle({ status: 'Canceled' }).receipt).toBeUndefined()
})

it.each<[string, string | undefined, Partial<PaymentSettled>, object | undefined]>([
  ['no setting', undefined, {}, undefined],
  ['a setting', 'https://r.example/{pspRef}', {}, { id: 'psp-1', url: 'https://r.example/psp-1' }],
  [
    'a strange reference',
    'https://r.example/{pspRef}',
    { pspRef: 'a/b' },
    { id: 'a/b', url: 'https://r.example/a%2Fb' },
  ],
  [
    'a long reference',
    'https://r.example/{pspRef}',
    { pspRef: 'x'.repeat(51) },
    { url: `https://r.example/${'x'.repeat(51)}` },
  ],
  ['an address too long', `https://r.example/${'a'.repeat(2000)}{pspRef}`, {}, undefined],
  ['no money', 'https://r.example/{pspRef}', { status: 'Failed' }, undefined],
  ['a receipt of the station', 'https://r.example/{pspRef}', { receiptUrl: 'https://s.example' }, undefined],
])('OCPP21-C7: our receipt: %s', (_, receiptUrl, more, expected) => {
  const paid = new Paid({ settings: { receiptUrl } })
  expect(paid.settle(more).receipt).toEqual(expected)
  expect(paid.settle(more).receipt).toEqual(expected)
})

it('OCPP21-C6: a code is used once at its EVSE, and a payment once', () => {
  const { driver } = new Paid()
  const claim = (pspRef: string, evseId: number, code: string) =>
    driver.send({ kind: 'webPaymentClaimed', pspRef, evseId, code, sessionId: 's' }).outcome.refused
  expect(claim('a', 1, 'code')).toBeUndefined()
  expect(claim('b', 1, 'code')).toBe('payment_code_used')
  expect(claim('b', 2, 'code')).toBeUndefined()
  expect(claim('a', 1, 'next')).toBe('payment_known')
})

it('OCPP21-C6: a payment whose start was refused may be tried again, with another code', () => {
  const { driver } = new Paid({ forgetful: false })
  const claim = (pspRef: string, code: string, sessionId: string) =>
    driver.send({ kind: 'webPaymentClaimed', pspRef, evseId: 1, code, sessionId }).outcome.refused
  const remoteStart = { virtualIdToken: 'a', remoteStartId: 1, requestedAt: ZERO, expiresAt: ZERO + MINUTE }
  expect(claim('a', 'one', 's')).toBeUndefined()
  driver.send({ kind: 'remoteStartRequested', sessionId: 's', idToken: 'a', remoteStart })
  expect(claim('a', 'two', 't')).toBe('payment_known')
  driver.send({ kind: 'remoteStartAnswered', sessionId: 's', outcome: 'rejected' })
  expect(driver.session().state).toBe('failed')
  expect(claim('a', 'one', 't')).toBe('payment_code_used')
  expect(claim('a', 'two', 't')).toBeUndefined()
  expect(claim('b', 'one', 'u')).toBe('payment_code_used')
})

it('OCPP21-C7: of a charge point the newest payments are kept', () => {
  const paid = new Paid()
  for (let number = 0; number < 210; number++) {
    paid.driver.now += 1000
    paid.settle({ pspRef: `psp-${number}` })
  }
  const kept = paid.driver.records.all('payments').map(({ pspRef }) => pspRef)
  expect(kept).toHaveLength(200)
  expect([kept.includes('psp-9'), kept.includes('psp-10'), kept.includes('psp-209')]).toEqual([false, true, true])
})
