import { expect, it } from 'vitest'
import type { ProfileStep } from '../../domain/profile-jobs/records.ts'
import type { OutgoingCall } from '../translate/payload.ts'
import type { NetworkSlots } from '../version.ts'
import { versions } from '../versions.ts'

const { raiseProfile, validateRequest } = versions['ocpp2.1']
const ALL = ['OcppCsmsUrl', 'SecurityProfile', 'OcppTransport', 'OcppInterface', 'MessageTimeout', 'Identity']
const SLOTS: NetworkSlots = { slot: 3, isInPriority: false, priority: [1, 2], writable: ALL }
const ORDER = { securityProfile: 2, csmsUrl: 'wss://example.com/ocpp', identity: 'CP1' }

function sent(step: ProfileStep, network?: NetworkSlots): OutgoingCall | undefined {
  const call = raiseProfile.call(step, { ...ORDER, network })
  if (call) expect(validateRequest(call.method, call.request)).toEqual([])
  return call
}
const priority = (attributeValue: string) => ({
  component: { name: 'OCPPCommCtrlr' },
  variable: { name: 'NetworkConfigurationPriority' },
  attributeValue,
})
const value = (name: string, attributeValue: string) => ({
  component: { name: 'NetworkConfiguration', instance: '3' },
  variable: { name },
  attributeValue,
})

it('OCPP21-B10: the steps of 2.0.1, and one that frees the slot', () => {
  expect(raiseProfile.steps({ ...ORDER, root: 'PEM' })).toEqual([
    'installCertificate',
    'freeSlot',
    'setNetworkProfile',
    'setPriority',
    'reset',
  ])
})

it('OCPP21-B10: writable variables of the slot are set, the station’s own interface among them', () => {
  expect(sent('setNetworkProfile', { ...SLOTS, ocppInterface: 'Wireless4' })).toEqual({
    method: 'SetVariables',
    request: {
      setVariableData: [
        value('OcppCsmsUrl', 'wss://example.com/ocpp'),
        value('SecurityProfile', '2'),
        value('OcppTransport', 'JSON'),
        value('OcppInterface', 'Wireless4'),
        value('MessageTimeout', '30'),
        value('Identity', 'CP1'),
      ],
    },
  })
})

it('OCPP21-B10: only those that it has', () => {
  const { request } = sent('setNetworkProfile', { ...SLOTS, writable: ALL.slice(0, 2) }) ?? {}
  expect(request).toEqual({ setVariableData: [value('OcppCsmsUrl', ORDER.csmsUrl), value('SecurityProfile', '2')] })
})

it.each([
  ['none is reported', undefined],
  ['none can be set', { ...SLOTS, writable: [] }],
  ['the profile cannot be set', { ...SLOTS, isInPriority: true, writable: ['OcppCsmsUrl'] }],
])('OCPP21-B10: SetNetworkProfile where %s', (_, network) => {
  expect(sent('freeSlot', network)).toBeUndefined()
  expect(sent('setNetworkProfile', network)).toMatchObject({ method: 'SetNetworkProfile' })
})

it('OCPP21-B10: a slot of the priority is taken out of it first, one that is not in it is not', () => {
  expect(sent('freeSlot', SLOTS)).toBeUndefined()
  const request = { setVariableData: [priority('1,2')] }
  expect(sent('freeSlot', { ...SLOTS, isInPriority: true })).toEqual({ method: 'SetVariables', request })
  expect(sent('setPriority', SLOTS)).toMatchObject({ request: { setVariableData: [priority('3,1,2')] } })
})

it.each([
  ['done', ['Accepted', 'RebootRequired']],
  ['refused', ['Accepted', 'Rejected']],
  ['refused', ['Rejected', 'Accepted']],
])('OCPP21-B10: %s where its variables are %j', (expected, statuses) => {
  const setVariableResult = statuses.map((attributeStatus) => ({ attributeStatus }))
  expect(raiseProfile.answer('setNetworkProfile', { setVariableResult })).toBe(expected)
})
