import type { ChargingProfile } from '../../domain/charging/profile.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import type { ChargingOnWire } from '../translate/blocks-on-wire.ts'
import { tenths } from '../translate/charging-profile.ts'
import { integer, number, object } from '../translate/payload.ts'
import { askAbilities, charging as chargingOf201 } from '../v201/charging.ts'
import { commandsOf201, listEntries, setPriority } from '../v201/version.ts'
import type { RaiseProfile } from '../version.ts'
import { listedOption, warnings } from './checks.ts'
import { inbound } from './inbound.ts'
import { outbound } from './outbound.ts'
import { webPaymentStarted } from './payments.ts'
import { tariff } from './tariffs.ts'
import { transactionTrigger } from './transaction-event.ts'

const ID_TOKEN_LIMIT = 255
const TYPE_LIMIT = 20

/** Those of 2.0.1, and Dynamic ones (K28). */
const charging: ChargingOnWire = {
  ...chargingOf201,
  set: (evseId, profile, phases = 3) => chargingOf201.set(evseId, withPhases(profile, phases)),
  update: (chargingProfileId, limit) => ({
    method: 'UpdateDynamicSchedule',
    request: { chargingProfileId, scheduleUpdate: { limit: tenths(limit) } },
  }),
  readOrder(call) {
    const { chargingProfileId, scheduleUpdate } = call.request
    if (call.method !== 'UpdateDynamicSchedule') return chargingOf201.readOrder(call)
    return { kind: 'update', id: integer(chargingProfileId) ?? 0, limit: number(object(scheduleUpdate).limit) }
  },
  abilities: askAbilities(['SupportsDynamicProfiles', 'MaxExternalConstraintsId', 'SupportedAdditionalPurposes']),
}

/** OCPP21-B11, K01.FR.49: a station divides watts by them, so none is left to its default. */
function withPhases(profile: ChargingProfile, phases: number): ChargingProfile {
  const schedules = profile.schedules.map((schedule) => ({
    ...schedule,
    periods: schedule.periods.map((period) => ({ ...period, phases: period.phases ?? phases })),
  }))
  return { ...profile, schedules }
}

/** Steps to another security profile: those of 2.0.1, by variables where a station has them (B09, OCPP21-B10). */
const { raiseProfile: of201 } = commandsOf201

/** Without these it has no network profiles in its device model. */
const NEEDED = ['OcppCsmsUrl', 'SecurityProfile']
const SLOT_VARIABLES = [...NEEDED, 'OcppTransport', 'OcppInterface', 'MessageTimeout', 'Identity']

const raiseProfile: RaiseProfile = {
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

/** OCPP 2.1 edition 2: 2.0.1, and what differs. */
export const ocpp21 = assembleVersion('ocpp2.1', inbound, outbound, {
  ...commandsOf201,
  webPaymentStarted,
  abilities: { ...commandsOf201.abilities, hasSend: true },
  intents: { ...commandsOf201.intents, tariff },
  transactionTrigger,
  charging,
  raiseProfile,
  listedOption,
  warnings,
  certificateSigned: ({ chain, type, stationRequestId }) => ({
    method: 'CertificateSigned',
    request: { certificateChain: chain, certificateType: type, requestId: stationRequestId },
  }),
  localLists: { ...commandsOf201.localLists, entry: listEntries(ID_TOKEN_LIMIT, (type) => type.length <= TYPE_LIMIT) },
})
