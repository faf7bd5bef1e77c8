import { expect, it } from 'vitest'
import type { OutgoingCall } from '../translate/payload.ts'
import { ocpp201 } from './version.ts'

const idToken = { id: 'VIRTUAL1', type: 'Central' }

it.each([
  [{ idToken, remoteStartId: 5 }, {}],
  [{ idToken, remoteStartId: 5, evseId: 2, connectorId: 1 }, { evseId: 2 }],
])('SESSION-O7 OCPP-RP13: remote start and stop: %j is a request with %j', (order, more) => {
  const call = ocpp201.remoteStart(order)
  expect(call).toEqual({
    method: 'RequestStartTransaction',
    request: { idToken: { idToken: 'VIRTUAL1', type: 'Central' }, remoteStartId: 5, ...more },
  })
  expect(ocpp201.validateRequest(call.method, call.request)).toEqual([])
})

it('SESSION-O7 TC_F_01: remote start and stop: the answer may name the transaction', () => {
  expect(ocpp201.readRemoteAnswer({ status: 'Accepted', transactionId: 't1' })).toEqual({
    accepted: true,
    transactionId: 't1',
  })
  expect(ocpp201.readRemoteAnswer({ status: 'Rejected' })).toEqual({ accepted: false })
})

it('OCPP 2.2 F06.FR.13: a status trigger names EVSE and connector, and without one none is sent', () => {
  const requestedMessage = 'StatusNotification'
  const upgraded = ocpp201.ask({ kind: 'triggerStatus', connectorId: 2 })
  expect(upgraded?.request).toEqual({ requestedMessage: 'StatusNotification', evse: { id: 2, connectorId: 1 } })
  const call = ocpp201.ask({ kind: 'triggerStatus', evseId: 2 })
  expect(call).toEqual({ method: 'TriggerMessage', request: { requestedMessage, evse: { id: 2, connectorId: 1 } } })
  expect(call && ocpp201.validateRequest(call.method, call.request)).toEqual([])
  expect(ocpp201.ask({ kind: 'triggerStatus' })).toBeUndefined()
  expect(ocpp201.ask({ kind: 'triggerStatus', connectorId: 0 })).toBeUndefined()
})

it('SESSION-B5: GetTransactionStatus and its answer', () => {
  const call = ocpp201.ask({ kind: 'transactionStatus', transactionId: 't1' })
  expect(call).toEqual({ method: 'GetTransactionStatus', request: { transactionId: 't1' } })
  if (!call) return
  expect(ocpp201.validateRequest(call.method, call.request)).toEqual([])
  expect(ocpp201.readAskAnswer(call, { messagesInQueue: false, ongoingIndicator: true })).toEqual({
    kind: 'transactionStatusAnswered',
    transactionId: 't1',
    messagesInQueue: false,
    ongoing: true,
  })
  expect(ocpp201.readAskAnswer(call, { messagesInQueue: 'no' })).toBeUndefined()
  expect(ocpp201.readAskAnswer({ method: 'Reset', request: {} }, { messagesInQueue: true })).toBeUndefined()
})

it.each([
  ['SetChargingProfile', { evseId: 1, chargingProfile: { transactionId: 't' } }, { evseId: 1, transactionId: 't' }],
  ['SetDisplayMessage', { message: { transactionId: 't' } }, { transactionId: 't' }],
  ['ChangeAvailability', { evse: { id: 1, connectorId: 2 } }, { evseId: 1, connectorId: 2 }],
  ['GetBaseReport', { requestId: 1 }, {}],
])('OCPP-LG3: %s fills the columns %j', (action, request, columns) => {
  expect(ocpp201.toChargePoint[action]?.columns(request)).toEqual(columns)
})

const entry = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
const other = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } }
const call: OutgoingCall = {
  method: 'SetVariables',
  request: {
    setVariableData: [
      { ...other, attributeValue: '60' },
      { ...entry, attributeValue: 'new-password-1234' },
    ],
  },
}

it('OCPP-AU6: BasicAuthPassword sets the password as it is', () => {
  const pointer = '/setVariableData/1/attributeValue'
  expect(ocpp201.newPasswords(call)).toEqual([{ pointer, password: 'new-password-1234' }])
  expect(ocpp201.newPasswords({ ...call, method: 'GetVariables' })).toEqual([])
  const target = { setVariableData: [{ ...entry, attributeType: 'Target', attributeValue: 'x' }] }
  expect(ocpp201.newPasswords({ method: 'SetVariables', request: target })).toEqual([])
})

it.each([
  ['Accepted', 'now'],
  ['RebootRequired', 'afterReboot'],
  ['Rejected', undefined],
])('OCPP-AU6 TC_A_09 TC_A_10: %s of that variable means taken: %j', (attributeStatus, taken) => {
  const setVariableResult = [
    { ...other, attributeStatus: 'Accepted' },
    { ...entry, attributeStatus },
  ]
  expect(ocpp201.passwordTaken(call, { setVariableResult })).toBe(taken)
})

it('OCPP-AU6: an answer about something else accepts nothing', () => {
  const setVariableResult = [{ ...other, attributeStatus: 'Accepted' }]
  expect(ocpp201.passwordTaken(call, { setVariableResult })).toBeUndefined()
  expect(ocpp201.passwordTaken({ method: 'Reset', request: {} }, { setVariableResult: [] })).toBeUndefined()
})
