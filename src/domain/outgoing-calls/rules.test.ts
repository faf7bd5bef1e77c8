import { expect, it } from 'vitest'
import { aCall } from '../../../test/support/records.ts'
import { Driver } from '../../../test/support/sessions/driver.ts'
import type { StoredCall } from './records.ts'

const CALL = aCall({ id: 7, messageId: 'm-7', expiresAt: 1000 })

function withCall(call: StoredCall): Driver {
  const driver = new Driver()
  driver.records.apply([{ kind: 'outgoing_calls', put: call }])
  return driver
}

it('OCPP-RP15: once it is sent it cannot expire, and cannot be sent again', () => {
  const driver = withCall(CALL)
  expect(driver.send({ kind: 'callSent', id: 7 }).outcome).toEqual({})
  const { expiresAt: _, ...rest } = CALL
  expect(driver.records.all('outgoing_calls')).toEqual([{ ...rest, sentAt: driver.now }])
  expect(driver.send({ kind: 'callSent', id: 7 })).toEqual({ outcome: { refused: 'call_not_waiting' }, changes: {} })
})

it('OCPP-RP15: put back it is as it was before', () => {
  const driver = withCall(CALL)
  driver.send({ kind: 'callSent', id: 7 })
  driver.send({ kind: 'callPutBack', id: 7, expiresAt: 1000 })
  expect(driver.records.all('outgoing_calls')).toEqual([CALL])
})

it.each(['callSent', 'callPutBack'] as const)('%s of a call that is not there changes nothing', (kind) => {
  const driver = withCall({ ...CALL, id: 8 })
  const decision = driver.send({ kind, id: 7, expiresAt: 1 })
  expect(decision).toEqual({ outcome: { refused: 'call_not_waiting' }, changes: {} })
})
