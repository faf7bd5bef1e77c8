import { expect, it } from 'vitest'
import { ocpp16 } from './version.ts'

const idToken = { id: 'VIRTUAL1', type: 'Central' }

it.each([
  [{ idToken, remoteStartId: 5 }, { idTag: 'VIRTUAL1' }],
  [
    { idToken, remoteStartId: 5, connectorId: 2 },
    { idTag: 'VIRTUAL1', connectorId: 2 },
  ],
  [
    { idToken, remoteStartId: 5, evseId: 3 },
    { idTag: 'VIRTUAL1', connectorId: 3 },
  ],
  [
    { idToken, remoteStartId: 5, evseId: 3, connectorId: 1 },
    { idTag: 'VIRTUAL1', connectorId: 1 },
  ],
])('OCPP-RP13: remote start and stop: %j is the request %j', (order, request) => {
  const call = ocpp16.remoteStart(order)
  expect(call).toEqual({ method: 'RemoteStartTransaction', request })
  expect(ocpp16.validateRequest(call.method, call.request)).toEqual([])
})

it.each([
  ['Accepted', true],
  ['accepted ', true],
  ['Rejected', false],
  [undefined, false],
])('OCPP 2.1: remote start and stop: the answer %j accepts: %j', (status, accepted) => {
  expect(ocpp16.readRemoteAnswer({ status })).toEqual({ accepted })
})

it('SESSION-A15: a status is triggered, for the station without a connector', () => {
  const request = { requestedMessage: 'StatusNotification' }
  expect(ocpp16.ask({ kind: 'triggerStatus' })).toEqual({ method: 'TriggerMessage', request })
  expect(ocpp16.ask({ kind: 'triggerStatus', connectorId: 0 })).toEqual({ method: 'TriggerMessage', request })
  const call = ocpp16.ask({ kind: 'triggerStatus', connectorId: 2 })
  expect(call).toEqual({ method: 'TriggerMessage', request: { ...request, connectorId: 2 } })
  expect(call && ocpp16.validateRequest(call.method, call.request)).toEqual([])
  expect(call && ocpp16.readAskAnswer(call, { status: 'Accepted' })).toBeUndefined()
})

it('SESSION-B5: 1.6 has no transaction status to ask for', () => {
  expect(ocpp16.ask({ kind: 'transactionStatus', transactionId: '1' })).toBeUndefined()
})

const change = (key: unknown, value: unknown): { method: string; request: { key: unknown; value: unknown } } => ({
  method: 'ChangeConfiguration',
  request: { key, value },
})

it.each(['AuthorizationKey', 'authorizationkey'])('OCPP-AU6: password change: %s sets the password', (key) => {
  const password = 'a-long-plain-password'
  expect(ocpp16.newPasswords(change(key, password))).toEqual([{ pointer: '/value', password }])
})

it('OCPP-AU6: password change: nothing else does', () => {
  expect(ocpp16.newPasswords(change('HeartbeatInterval', '300'))).toEqual([])
  expect(ocpp16.newPasswords(change('AuthorizationKey', 5))).toEqual([])
  expect(ocpp16.newPasswords({ method: 'Reset', request: { key: 'AuthorizationKey', value: 'x' } })).toEqual([])
})

it.each([
  ['Accepted', 'now'],
  ['RebootRequired', 'afterReboot'],
  ['Rejected', undefined],
  ['NotSupported', undefined],
  [undefined, undefined],
])('OCPP-AU6 TC_A_09 TC_A_10: password change: %j means taken: %j', (status, taken) => {
  expect(ocpp16.passwordTaken(change('AuthorizationKey', 'x'), { status })).toBe(taken)
})
