/** Charging profiles of a 2.0.1 charge point (K01, K08, K09, K10). */
import type { ChargingOrder } from '../../../domain/charging/profile.ts'
import type { OutgoingCall, Payload } from '../../payload.ts'
import type { ChargingOnWire } from '../../translate/blocks-on-wire.ts'
import { readProfile, readReportedSchedule, writeProfile } from '../../translate/charging-profile.ts'
import { integer, object, text } from '../../translate/payload.ts'

/** All sources, as a criterion must select something (K09.FR.03). */
const SOURCES = ['EMS', 'Other', 'SO', 'CSO']

const ABILITY_VARIABLES = ['Available', 'ProfileStackLevel', 'RateUnit', 'PeriodsPerSchedule']

export function askAbilities(names: readonly string[] = []): OutgoingCall {
  const getVariableData = [...ABILITY_VARIABLES, ...names].map((name) => ({
    component: { name: 'SmartChargingCtrlr' },
    variable: { name },
  }))
  return { method: 'GetVariables', request: { getVariableData } }
}

export const charging: ChargingOnWire = {
  isStrict: true,
  set: (evseId, profile) => ({
    method: 'SetChargingProfile',
    request: { evseId, chargingProfile: writeProfile(profile) },
  }),
  clear: (chargingProfileId) => ({ method: 'ClearChargingProfile', request: { chargingProfileId } }),
  composite: (evseId, duration, unit) => ({
    method: 'GetCompositeSchedule',
    request: { evseId, duration, ...(unit && { chargingRateUnit: unit }) },
  }),
  list: (requestId, evseId) => ({
    method: 'GetChargingProfiles',
    request: {
      requestId,
      evseId,
      chargingProfile: { chargingLimitSource: SOURCES },
    },
  }),
  abilities: askAbilities(),
  setKey(key, attributeValue) {
    const named = nameOf(key)
    return named && { method: 'SetVariables', request: { setVariableData: [{ ...named, attributeValue }] } }
  },
  readKey(key) {
    const named = nameOf(key)
    return named && { method: 'GetVariables', request: { getVariableData: [named] } }
  },
  readOrder,
  pointer: (pointer) => pointer,
  readComposite({ status, schedule }) {
    const reported = object(schedule)
    if (text(status)?.toLowerCase() !== 'accepted') return undefined
    return readReportedSchedule(reported, reported.scheduleStart)
  },
}

/** Component and variable with a dot between them. */
function nameOf(key: string): Payload | undefined {
  const [component, variable, ...more] = key.split('.')
  if (!component || !variable || more.length > 0) return undefined
  return { component: { name: component }, variable: { name: variable } }
}

function readOrder({ method, request }: OutgoingCall): ChargingOrder | undefined {
  switch (method) {
    case 'SetChargingProfile': {
      const profile = readProfile(request.chargingProfile)
      return profile && { kind: 'set', evseId: integer(request.evseId) ?? 0, profile }
    }
    case 'RequestStartTransaction': {
      const profile = request.chargingProfile === undefined ? undefined : readProfile(request.chargingProfile)
      return profile && { kind: 'start', evseId: integer(request.evseId), profile }
    }
    case 'ClearChargingProfile': {
      const criteria = object(request.chargingProfileCriteria)
      return {
        kind: 'clear',
        mayBeAll: false,
        id: integer(request.chargingProfileId),
        purpose: text(criteria.chargingProfilePurpose),
        evseId: integer(criteria.evseId),
        stackLevel: integer(criteria.stackLevel),
      }
    }
    case 'GetChargingProfiles':
      return { kind: 'list', selects: selectedBy(object(request.chargingProfile)) }
    default:
      return undefined
  }
}

function selectedBy({ chargingProfileId, ...others }: Payload) {
  const isMore = Object.values(others).some((value) => value !== undefined)
  if (chargingProfileId !== undefined) return isMore ? 'both' : 'ids'
  return isMore ? 'others' : 'nothing'
}
