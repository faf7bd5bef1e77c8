/** Charging profiles of a 2.0.1 charge point (K01, K08, K09, K10). */
import type { ChargingOrder, ProfileSchedule } from '../../domain/charging/profile.ts'
import type { ChargingOnWire } from '../translate/blocks-on-wire.ts'
import { readProfile, readReportedSchedule, readSchedule, writeProfile } from '../translate/charging-profile.ts'
import type { InboundRules } from '../translate/message.ts'
import { integer, list, type OutgoingCall, object, type Payload, placeNumber, text } from '../translate/payload.ts'
import { columns } from './from-charge-point.ts'

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

/** What a 2.0.1 charge point reports of charging profiles and limits (K09, K11 to K13, K15, K17). */

export const reportChargingProfiles: InboundRules = {
  effect: 'page of a report of its charging profiles; a complete one replaces what it reported before',
  // OCPP-LG3: a page is found by its first transaction.
  columns: (request, _outcome, raw) => {
    const named = list(request.chargingProfile).find((entry) => object(entry).transactionId !== undefined)
    return columns({ evseId: request.evseId, transactionId: object(named).transactionId }, raw)
  },
  input: (request) => {
    const requestId = integer(request.requestId)
    const evseId = placeNumber(request.evseId) ?? 0
    const source = text(request.chargingLimitSource)?.slice(0, 20) ?? 'Other'
    return {
      kind: 'profilesReported',
      requestId,
      isLast: request.tbc !== true,
      profiles: list(request.chargingProfile).flatMap((reported) => {
        const profile = readProfile(reported)
        return profile ? [{ evseId, profile, source }] : []
      }),
    }
  },
}

/** Kept per limit. */
const MAX_SCHEDULES = 20
/** K12: the limit may have no values. */
const UNREPORTED: ProfileSchedule = { unit: 'A', periods: [] }

export const notifyChargingLimit: InboundRules = {
  effect: 'a limit that others gave the station: it counts, and is never sent or cleared by us',
  input: (request) => {
    const evseId = placeNumber(request.evseId)
    const schedules: ProfileSchedule[] = list(request.chargingSchedule)
      .slice(0, MAX_SCHEDULES)
      .flatMap((one) => readSchedule(one))
    return {
      kind: 'externalLimitReported',
      source: text(object(request.chargingLimit).chargingLimitSource)?.slice(0, 20) ?? 'Other',
      evseId,
      schedules: schedules.length > 0 ? schedules : [UNREPORTED],
    }
  },
}

export const clearedChargingLimit: InboundRules = {
  effect: 'the end of a limit that others gave the station',
  input: (request) => {
    const evseId = placeNumber(request.evseId)
    const source = text(request.chargingLimitSource)?.slice(0, 20) ?? 'Other'
    return { kind: 'externalLimitReported', source, evseId, schedules: [] }
  },
}

const statusInfo = { reasonCode: 'NotEnabled' }

/** K15.FR.08: accepting it promises a charging profile within 60 seconds. */
export const notifyEVChargingNeeds: InboundRules = {
  effect: 'what a car needs: accepted where we limit its EVSE, for then a charging profile follows; else refused',
  needs: [{ path: 'chargingNeeds', kind: 'object' }],
  input: ({ evseId }) => ({ kind: 'chargingNeedsReported', evseId: placeNumber(evseId) ?? 0 }),
  answer: (_request, { refused }) =>
    refused === undefined ? { status: 'Accepted' } : { status: 'Rejected', statusInfo },
}

/** K17.FR.12: a car's schedule beyond our limits is refused, and the limits are sent again. */
export const notifyEVChargingSchedule: InboundRules = {
  effect: 'schedule of the car: refused where it is beyond our limits, which are then sent again',
  input: ({ evseId, chargingSchedule, timeBase }) => {
    const [schedule] = readSchedule(chargingSchedule)
    const [timed] = readSchedule({ ...object(chargingSchedule), startSchedule: timeBase })
    const reported = timed ?? schedule
    return { kind: 'carScheduleReported', evseId: placeNumber(evseId) ?? 0, schedule: reported }
  },
  answer: (_request, { refused }) => ({ status: refused === undefined ? 'Accepted' : 'Rejected' }),
}
