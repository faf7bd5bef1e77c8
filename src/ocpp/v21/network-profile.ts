/** Steps to another security profile: those of 2.0.1, by variables where a station has them (B09, OCPP21-B10). */

import { commandsOf201, setPriority } from '../v201/version.ts'
import type { RaiseProfile } from '../version.ts'

const { raiseProfile: of201 } = commandsOf201

/** Without these it has no network profiles in its device model. */
const NEEDED = ['OcppCsmsUrl', 'SecurityProfile']
const SLOT_VARIABLES = [...NEEDED, 'OcppTransport', 'OcppInterface', 'MessageTimeout', 'Identity']

export const raiseProfile: RaiseProfile = {
  ...of201,
  slotVariables: SLOT_VARIABLES,
  lowersBy: 'securityctrlr.allowsecurityprofiledowngrade',
  steps: (order) =>
    of201.steps(order).flatMap((step) => (step === 'setNetworkProfile' ? (['freeSlot', step] as const) : [step])),
  call(step, order) {
    const { network, securityProfile, csmsUrl, identity } = order
    if (!network || !NEEDED.every((name) => network.writable.includes(name))) return of201.call(step, order)
    const { slot, isInPriority, priority, ocppInterface = 'Any', writable } = network
    // B09.FR.22: until then it refuses every change of the slot.
    if (step === 'freeSlot') return isInPriority ? setPriority(priority) : undefined
    if (step !== 'setNetworkProfile') return of201.call(step, order)
    const values = [csmsUrl, String(securityProfile), 'JSON', ocppInterface, '30', identity]
    const component = { name: 'NetworkConfiguration', instance: String(slot) }
    const setVariableData = SLOT_VARIABLES.flatMap((name, at) => {
      const attributeValue = writable.includes(name) ? values[at] : undefined
      return attributeValue === undefined ? [] : [{ component, variable: { name }, attributeValue }]
    })
    return { method: 'SetVariables', request: { setVariableData } }
  },
}
