import type { Payload } from '../../src/ocpp/payload.ts'
import { clearProfiles, compositeSchedule, refused, setProfile } from '../commands/schedules.ts'
import type { Command, CommandTarget } from '../commands/target.ts'
import { matches, type ProfileMatch } from '../model/smart-charging/installed.ts'
import type { ChargingProfile } from '../model/smart-charging/profile.ts'
import { sendPages } from './pages.ts'

/** Small, so that a report really comes in several parts. */
const PROFILES_PER_REPORT = 2

export function chargingProfileCommands(target: CommandTarget) {
  return {
    SetChargingProfile: (request) => setProfile(target, Number(request.evseId), request.chargingProfile as Payload),
    ClearChargingProfile: (request) => {
      const criteria = (request.chargingProfileCriteria ?? {}) as Payload
      return clearProfiles(target, {
        ...(request.chargingProfileId !== undefined && { ids: [Number(request.chargingProfileId)] }),
        ...(criteria.evseId !== undefined && { connectorId: Number(criteria.evseId) }),
        ...matchOf(criteria),
      })
    },
    GetChargingProfiles: (request) => {
      const criterion = (request.chargingProfile ?? {}) as Payload
      const desired: ProfileMatch = {
        ...(request.evseId !== undefined && { connectorId: Number(request.evseId) }),
        ...(criterion.chargingProfileId !== undefined && { ids: criterion.chargingProfileId as number[] }),
        ...(criterion.chargingLimitSource !== undefined && { madeBy: criterion.chargingLimitSource as string[] }),
        ...matchOf(criterion),
      }
      const found = target.limits.profiles().filter((profile) => matches(profile, desired))
      if (found.length === 0) return { status: 'NoProfiles' }
      report(target, Number(request.requestId), found)
      return { status: 'Accepted' }
    },
    GetCompositeSchedule: (request) => {
      const evseId = Number(request.evseId)
      const order = { connectorId: evseId, durationSeconds: Number(request.duration), unit: request.chargingRateUnit }
      const found = compositeSchedule(target, order)
      if (!found) return refused(target, 'UnknownEvse')
      return { status: 'Accepted', schedule: { ...found.schedule, evseId, scheduleStart: found.startAt } }
    },
  } satisfies Record<string, Command>
}

function matchOf({ chargingProfilePurpose: purpose, stackLevel }: Payload): ProfileMatch {
  return {
    ...(purpose !== undefined && { purpose: String(purpose) }),
    ...(stackLevel !== undefined && { stackLevel: Number(stackLevel) }),
  }
}

/** K09: one message has profiles of one EVSE and one source; all but the last one say that more follow. */
function report(target: CommandTarget, requestId: number, found: readonly ChargingProfile[]): void {
  const groups = new Map<string, ChargingProfile[]>()
  for (const profile of found) {
    const key = `${profile.connectorId} ${profile.madeBy}`
    groups.set(key, [...(groups.get(key) ?? []), profile])
  }
  const pages = [...groups.values()].flatMap((profiles) =>
    Array.from({ length: Math.ceil(profiles.length / PROFILES_PER_REPORT) }, (_page, number) =>
      profiles.slice(number * PROFILES_PER_REPORT, (number + 1) * PROFILES_PER_REPORT),
    ),
  )
  sendPages(target, pages, 1, ([page = []], _seqNo, tbc) => ({
    method: 'ReportChargingProfiles',
    request: {
      requestId,
      chargingLimitSource: page[0]?.madeBy ?? 'CSO',
      tbc,
      evseId: page[0]?.connectorId ?? 0,
      chargingProfile: page.map(({ source }) => source),
    },
  }))
}
