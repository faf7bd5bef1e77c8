/** What a 2.0.1 charge point reports of charging profiles and limits (K09, K11 to K13, K15, K17). */
import type { ProfileSchedule } from '../../../domain/charging/profile.ts'
import { readProfile, readSchedule } from '../../translate/charging-profile.ts'
import type { InboundRules } from '../../translate/message.ts'
import { integer, list, object, placeNumber, text } from '../../translate/payload.ts'
import { columns } from '../from-charge-point.ts'

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
