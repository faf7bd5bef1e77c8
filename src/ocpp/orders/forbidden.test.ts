import { expect, it } from 'vitest'
import { forbidden } from './objection.ts'

const HEARTBEAT = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' } }

// OCPP-RP13: what the schema allows and OCPP forbids
it.each([
  ['SetVariables', 'setVariableData'],
  ['GetVariables', 'getVariableData'],
])('B05.FR.13: a %s that named one variable twice was sent', (method, member) => {
  const again = {
    component: { name: 'ocppcommctrlr' },
    variable: { name: 'HEARTBEATINTERVAL' },
    attributeType: 'Actual',
  }
  const call = { method, request: { [member]: [HEARTBEAT, { ...HEARTBEAT, attributeType: 'Target' }, again] } }
  expect(forbidden(call, true)).toEqual([expect.objectContaining({ pointer: `/${member}/2` })])
})

it('variables of another EVSE, connector or instance are others', () => {
  const places = [{ id: 1 }, { id: 2 }, { id: 1, connectorId: 1 }].map((evse) => ({
    ...HEARTBEAT,
    component: { name: 'Connector', evse },
  }))
  const instances = ['a', 'b'].map((instance) => ({ ...HEARTBEAT, variable: { name: 'X', instance } }))
  const request = { getVariableData: [...places, ...instances, HEARTBEAT] }
  expect(forbidden({ method: 'GetVariables', request }, true)).toEqual([])
})

it.each([
  ['TriggerMessage', 'BootNotification', true, 1],
  ['ExtendedTriggerMessage', 'BootNotification', true, 1],
  ['TriggerMessage', 'BootNotification', false, 0],
  ['TriggerMessage', 'Heartbeat', true, 0],
])('F06.FR.17, 1.6 errata 3.40: %s of %s, accepted: %s', (method, requestedMessage, isBooted, faults) => {
  expect(forbidden({ method, request: { requestedMessage } }, isBooted)).toHaveLength(faults)
})
