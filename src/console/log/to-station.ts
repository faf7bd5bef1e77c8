import { card, count, named, place, type Summary, transaction } from './from-station.ts'
import { inside, list, type Payload, word } from './shown-payload.ts'

const texts = (payload: Payload, name: string): string | undefined => {
  const value = payload[name]
  const shown = Array.isArray(value) ? value.slice(0, 4).flatMap((text) => word({ text }, 'text') ?? []) : []
  return shown.length === 0 ? undefined : `${shown.join(', ')}${Array.isArray(value) && value.length > 4 ? ' …' : ''}`
}

/** `Component.Variable`, as settings of 2.0.1 are named. */
function variable(item: Payload): string {
  return `${word(inside(item, 'component'), 'name') ?? '?'}.${word(inside(item, 'variable'), 'name') ?? '?'}`
}

const firstFew = (items: readonly string[]): string | undefined =>
  items.length === 0 ? undefined : `${items.slice(0, 3).join(', ')}${items.length > 3 ? ' …' : ''}`

const profile = (of: Payload): readonly (string | undefined)[] => {
  const [schedule = {}] = Array.isArray(of.chargingSchedule)
    ? list(of, 'chargingSchedule')
    : [inside(of, 'chargingSchedule')]
  const [period = {}] = list(schedule, 'chargingSchedulePeriod')
  const limit = word(period, 'limit')
  return [
    word(of, 'chargingProfilePurpose'),
    limit === undefined ? undefined : `${limit} ${word(schedule, 'chargingRateUnit') ?? ''}`.trimEnd(),
  ]
}

const start: Summary = (payload, words) => [place(payload, words), card(payload, words)]
const stop: Summary = (payload, words) => [transaction(payload, words)]
const trigger: Summary = (payload, words) => [word(payload, 'requestedMessage'), place(payload, words)]
const only =
  (...names: readonly string[]): Summary =>
  (payload) =>
    names.map((name) => word(payload, name))

export const TO_STATION: Readonly<Record<string, Summary>> = {
  RemoteStartTransaction: start,
  RequestStartTransaction: start,
  RemoteStopTransaction: stop,
  RequestStopTransaction: stop,
  GetTransactionStatus: stop,
  Reset: (payload, words) => [word(payload, 'type'), place(payload, words)],
  UnlockConnector: (payload, words) => [place(payload, words)],
  ChangeAvailability: (payload, words) => [
    place(payload, words),
    word(payload, 'type') ?? word(payload, 'operationalStatus'),
  ],
  ChangeConfiguration: (payload) => [`${word(payload, 'key') ?? '?'} = ${word(payload, 'value') ?? ''}`.trimEnd()],
  GetConfiguration: (payload) => [texts(payload, 'key')],
  SetVariables: (payload) => [
    firstFew(
      list(payload, 'setVariableData').map((item) =>
        `${variable(item)} = ${word(item, 'attributeValue') ?? ''}`.trimEnd(),
      ),
    ),
  ],
  GetVariables: (payload) => [firstFew(list(payload, 'getVariableData').map(variable))],
  GetBaseReport: only('reportBase'),
  GetReport: (payload) => [
    texts(payload, 'componentCriteria'),
    firstFew(list(payload, 'componentVariable').map(variable)),
  ],
  GetMonitoringReport: (payload) => [texts(payload, 'monitoringCriteria')],
  SetMonitoringBase: only('monitoringBase'),
  SetMonitoringLevel: only('severity'),
  SetVariableMonitoring: (payload) => [firstFew(list(payload, 'setMonitoringData').map(variable))],
  ClearVariableMonitoring: (payload) => [texts(payload, 'id')],
  TriggerMessage: trigger,
  ExtendedTriggerMessage: trigger,
  ClearCache: () => [],
  SendLocalList: (payload, words) => [
    word(payload, 'updateType'),
    named('#', word(payload, 'listVersion') ?? word(payload, 'versionNumber')),
    words.items(list(payload, 'localAuthorizationList').length),
  ],
  GetLocalListVersion: () => [],
  ReserveNow: (payload, words) => [
    named('#', word(payload, 'reservationId') ?? word(payload, 'id')),
    place(payload, words),
    card(payload, words),
    word(payload, 'expiryDate') ?? word(payload, 'expiryDateTime'),
  ],
  CancelReservation: (payload) => [named('#', word(payload, 'reservationId'))],
  SetChargingProfile: (payload, words) => [
    place(payload, words),
    ...profile(
      'csChargingProfiles' in payload ? inside(payload, 'csChargingProfiles') : inside(payload, 'chargingProfile'),
    ),
  ],
  ClearChargingProfile: (payload, words) => [
    named('#', word(payload, 'id') ?? word(payload, 'chargingProfileId')),
    place(payload, words),
    word(payload, 'chargingProfilePurpose'),
  ],
  GetChargingProfiles: (payload, words) => [place(payload, words)],
  GetCompositeSchedule: (payload, words) => [place(payload, words), named('s', word(payload, 'duration'))],
  UpdateFirmware: (payload) => {
    const firmware = inside(payload, 'firmware')
    return [
      word(payload, 'location') ?? word(firmware, 'location'),
      word(payload, 'retrieveDate') ?? word(firmware, 'retrieveDateTime'),
    ]
  },
  SignedUpdateFirmware: (payload) => [word(inside(payload, 'firmware'), 'location')],
  PublishFirmware: only('location'),
  UnpublishFirmware: only('checksum'),
  GetDiagnostics: only('location'),
  GetLog: (payload) => [word(payload, 'logType'), word(inside(payload, 'log'), 'remoteLocation')],
  InstallCertificate: only('certificateType'),
  GetInstalledCertificateIds: (payload) => [word(payload, 'certificateType') ?? texts(payload, 'certificateType')],
  DeleteCertificate: (payload) => [word(inside(payload, 'certificateHashData'), 'serialNumber')],
  CertificateSigned: only('certificateType'),
  SetDisplayMessage: (payload) => {
    const message = inside(payload, 'message')
    return [word(message, 'priority'), word(inside(message, 'message'), 'content')]
  },
  GetDisplayMessages: (payload) => [texts(payload, 'id')],
  ClearDisplayMessage: (payload) => [named('#', word(payload, 'id'))],
  SetNetworkProfile: (payload) => [
    named('#', word(payload, 'configurationSlot')),
    word(inside(payload, 'connectionData'), 'ocppCsmsUrl'),
  ],
  CustomerInformation: (payload, words) => [card(payload, words), word(payload, 'customerIdentifier')],
  CostUpdated: (payload, words) => [transaction(payload, words), word(payload, 'totalCost')],
  DataTransfer: (payload) => [word(payload, 'vendorId'), word(payload, 'messageId'), word(payload, 'data')],
  AFRRSignal: count('signal'),
}
