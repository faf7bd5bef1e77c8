/** Charging profiles of a 1.6 charge point (§3.13, §5.4, §5.7, §5.16); its connectors are EVSEs. */
import type { ChargingOrder } from '../../domain/charging/profile.ts'
import type { OutgoingCall } from '../payload.ts'
import type { ChargingOnWire } from '../translate/blocks-on-wire.ts'
import { readProfile, readReportedSchedule, writeProfile16 } from '../translate/charging-profile.ts'
import { integer, text } from '../translate/payload.ts'

const ABILITY_KEYS = [
  'SupportedFeatureProfiles',
  'ChargeProfileMaxStackLevel',
  'ChargingScheduleAllowedChargingRateUnit',
  'ChargingScheduleMaxPeriods',
]

export const charging: ChargingOnWire = {
  isStrict: false,
  set: (connectorId, profile) => ({
    method: 'SetChargingProfile',
    request: { connectorId, csChargingProfiles: writeProfile16(profile) },
  }),
  clear: (id) => ({ method: 'ClearChargingProfile', request: { id } }),
  composite: (connectorId, duration, unit) => ({
    method: 'GetCompositeSchedule',
    request: { connectorId, duration, ...(unit && { chargingRateUnit: unit }) },
  }),
  clearAll: { method: 'ClearChargingProfile', request: {} },
  abilities: { method: 'GetConfiguration', request: { key: [...ABILITY_KEYS] } },
  setKey: (key, value) => ({ method: 'ChangeConfiguration', request: { key, value } }),
  readKey: (key) => ({ method: 'GetConfiguration', request: { key: [key] } }),
  readOrder,
  pointer: (pointer, { method }) =>
    pointer
      .replace(/^\/evseId/, '/connectorId')
      .replace(/^\/chargingProfile(?=\/|$)/, method === 'SetChargingProfile' ? '/csChargingProfiles' : '$&')
      .replace('/chargingSchedule/0', '/chargingSchedule')
      .replace(/^\/chargingProfileCriteria/, ''),
  readComposite: ({ status, chargingSchedule, scheduleStart }) =>
    text(status)?.toLowerCase() === 'accepted' ? readReportedSchedule(chargingSchedule, scheduleStart) : undefined,
}

function readOrder({ method, request }: OutgoingCall): ChargingOrder | undefined {
  switch (method) {
    case 'SetChargingProfile': {
      const profile = readProfile(request.csChargingProfiles, 0)
      return profile && { kind: 'set', evseId: integer(request.connectorId) ?? 0, profile }
    }
    case 'RemoteStartTransaction': {
      const profile = request.chargingProfile === undefined ? undefined : readProfile(request.chargingProfile, 0)
      return profile && { kind: 'start', evseId: integer(request.connectorId), profile }
    }
    case 'ClearChargingProfile':
      return {
        kind: 'clear',
        mayBeAll: true,
        id: integer(request.id),
        purpose: text(request.chargingProfilePurpose),
        evseId: integer(request.connectorId),
        stackLevel: integer(request.stackLevel),
      }
    default:
      return undefined
  }
}
