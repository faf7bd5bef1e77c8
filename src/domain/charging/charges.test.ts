import { expect, it } from 'vitest'
import { at, Driver, ZERO } from '../../../test/support/sessions/driver.ts'
import { started } from '../../../test/support/sessions/inputs.ts'
import { chargesOf } from './charges.ts'

it('SESSION-A6, SESSION-T1: what is replayed from a queue was taken for the charge of its connector', () => {
  const driver = new Driver({ idTokens: [{}, { id: 'OTHER' }] }, started(0))
  driver.send({ ...started(-60, { idToken: { id: 'OTHER', type: 'ISO14443' } }), at: { ...at(-60), receivedAt: ZERO } })
  expect(chargesOf({ transactions: driver.transactions }).map(({ transactionId }) => transactionId)).toEqual(['100'])
})
