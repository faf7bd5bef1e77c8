/** One line of a message, in words (CONSOLE-C10): where, what, and what the answer was. */
import type { Command } from '../../domain/ports/storage-records.ts'
import { isVirtualIdToken } from '../../domain/sessions/orders/virtual-id-token.ts'
import type { Language } from '../../web/texts.ts'
import { type SummaryTexts, samplesIn, summaryWords } from './sample-figures.ts'
import { inside, list, type Payload, payloadOf, word } from './shown-payload.ts'

interface MessageSummary {
  readonly parts: readonly string[]
  readonly answer?: string
  /** It was refused, or not answered as requested. */
  readonly isRefused: boolean
  readonly isFault: boolean
}

type Said = Pick<Command, 'direction' | 'method' | 'request' | 'response' | 'error' | 'status'>

export function summaryOf(message: Said, language: Language): MessageSummary {
  const words = summaryWords(language)
  const { direction, method, request, response, error } = message
  const payload = payloadOf(request)
  const table = direction === 'in' ? FROM_STATION : TO_STATION
  const summary = Object.hasOwn(table, method) ? table[method] : undefined
  const said = payload ? (summary ?? plain)(payload, words) : [words.tooLong(request.length)]
  const answer = error ? word({ ...error }, 'code') : answerOf(payloadOf(response))
  return {
    parts: said.filter((part): part is string => part !== undefined && part !== ''),
    answer,
    isRefused: error !== undefined || (answer !== undefined && isRefusal(answer)),
    isFault: payload !== undefined && method === 'StatusNotification' && isFaulted(payload),
  }
}

const MAX_MEMBERS = 3

const plain: Summary = (payload) =>
  Object.keys(payload)
    .slice(0, MAX_MEMBERS)
    .map((name) => {
      const value = word(payload, name)
      return value === undefined ? undefined : `${word({ name }, 'name') ?? ''}=${value}`
    })

function answerOf(answer: Payload | undefined): string | undefined {
  if (!answer) return undefined
  const card = word(inside(answer, 'idTagInfo'), 'status') ?? word(inside(answer, 'idTokenInfo'), 'status')
  const results = ['setVariableResult', 'getVariableResult', 'setMonitoringResult'].flatMap((name) =>
    list(answer, name).flatMap((result) => word(result, 'attributeStatus') ?? word(result, 'status') ?? []),
  )
  return word(answer, 'status') ?? card ?? results.find(isRefusal) ?? results[0]
}

const REFUSALS = new Set(
  `rejected blocked invalid expired concurrenttx unknown nocredit notallowedtypeevse notatthislocation notatthistime
  notsupported notimplemented failed faulted occupied unavailable unlockfailed ongoingauthorizedtransaction
  unknownconnector unknownmessageid unknownvendorid unknowncomponent unknownvariable notsupportedattributetype
  versionmismatch emptyresultset notfound invalidcertificate revokedcertificate idmismatch duplicate
  error signatureerror notsupportedmessageformat languagenotsupported`.split(/\s+/),
)

function isRefusal(status: string): boolean {
  return REFUSALS.has(status.toLowerCase())
}

function isFaulted(payload: Payload): boolean {
  const status = word(payload, 'status') ?? word(payload, 'connectorStatus')
  return status?.toLowerCase() === 'faulted'
}

/** What each message says, in words; both versions, since they hardly share a name. */
type Texts = readonly (string | undefined)[]
type Summary = (payload: Payload, words: SummaryTexts) => Texts
type Part = (payload: Payload, words: SummaryTexts) => string | Texts | undefined

/** The first that is there, where versions differ: `connectorId | evse.connectorId`. */
function at(payload: Payload, paths: string): string | undefined {
  for (const path of paths.split(' | ')) {
    const [name = '', ...groups] = path.split('.').toReversed()
    const found = word(inside(payload, ...groups.toReversed()), name)
    if (found !== undefined) return found
  }
  return undefined
}

/** @param parts paths as `at` reads them, or what makes words of the message */
function line(...parts: readonly (string | Part)[]): Summary {
  return (payload, words) =>
    parts.flatMap((part) => (typeof part === 'string' ? at(payload, part) : part(payload, words)))
}

const place: Part = (payload, words) => {
  const evseId = at(payload, 'evseId | evse.id')
  const connectorId = at(payload, 'connectorId | evse.connectorId')
  if (evseId === undefined) {
    if (connectorId === undefined) return undefined
    return connectorId === '0' ? words.station : `${words.connector} ${connectorId}`
  }
  if (evseId === '0') return words.station
  return connectorId === undefined ? `EVSE ${evseId}` : `EVSE ${evseId} ${words.connector} ${connectorId}`
}

function named(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${value}`
}

/** What we made for a remote start belongs to no card. */
const card: Part = (payload, words) => {
  const id = at(payload, 'idTag | idToken.idToken | idToken')
  return named(id !== undefined && isVirtualIdToken(id) ? words.virtualCard : words.card, id)
}

const transaction: Part = (payload, words) =>
  named(words.transaction, at(payload, 'transactionId | transactionInfo.transactionId'))

const fault: Part = (payload) => {
  const [errorCode, state] = [at(payload, 'errorCode'), at(payload, 'status | connectorStatus')]
  return errorCode === undefined || errorCode === 'NoError' ? state : `${state ?? ''}: ${errorCode}`
}

const event: Part = (payload, words) => {
  const events = list(payload, 'eventData')
  const shown = events.slice(0, 2).map((one) => `${variable(one)} = ${word(one, 'actualValue') ?? ''}`)
  return [...shown, events.length > 2 ? words.items(events.length) : undefined]
}

const profile: Part = (payload) => {
  const of = inside(payload, 'csChargingProfiles' in payload ? 'csChargingProfiles' : 'chargingProfile')
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

const samples: Part = (payload, words) => samplesIn(list(payload, 'meterValue'), words)

function meter(path: string): Part {
  return (payload, words) => {
    const value = at(payload, path)
    return value === undefined ? undefined : `${words.meter} ${words.figure(value, 'Wh')}`
  }
}

function numbered(paths: string, mark = '#'): Part {
  return (payload) => named(mark, at(payload, paths))
}

function items(name: string): Part {
  return (payload, words) => words.items(list(payload, name).length)
}

function texts(name: string): Part {
  return (payload) => {
    const value = payload[name]
    const shown = Array.isArray(value) ? value.slice(0, 4).flatMap((text) => word({ text }, 'text') ?? []) : []
    return shown.length === 0 ? undefined : `${shown.join(', ')}${Array.isArray(value) && value.length > 4 ? ' …' : ''}`
  }
}

/** `Component.Variable`, as settings of 2.0.1 are named. */
function variable(item: Payload): string {
  return `${at(item, 'component.name') ?? '?'}.${at(item, 'variable.name') ?? '?'}`
}

function variables(name: string, shownOf: (item: Payload) => string = variable): Part {
  return (payload) => {
    const all = list(payload, name).map(shownOf)
    return all.length === 0 ? undefined : `${all.slice(0, 3).join(', ')}${all.length > 3 ? ' …' : ''}`
  }
}

const status = line('status')
const dataTransfer = line('vendorId', 'messageId', 'data')

export const FROM_STATION: Readonly<Record<string, Summary>> = {
  Authorize: line(card),
  BootNotification: line(
    'reason',
    'chargePointVendor | chargingStation.vendorName',
    'chargePointModel | chargingStation.model',
    'firmwareVersion | chargingStation.firmwareVersion',
  ),
  Heartbeat: line(),
  StatusNotification: line(place, fault, 'vendorErrorCode', 'info'),
  StartTransaction: line(place, card, meter('meterStart')),
  StopTransaction: line(transaction, 'reason', card, meter('meterStop')),
  MeterValues: line(place, samples),
  TransactionEvent: line(
    'eventType',
    'triggerReason',
    'transactionInfo.chargingState',
    place,
    card,
    'transactionInfo.stoppedReason',
    samples,
  ),
  DataTransfer: dataTransfer,
  DiagnosticsStatusNotification: status,
  FirmwareStatusNotification: status,
  SignedFirmwareStatusNotification: status,
  PublishFirmwareStatusNotification: status,
  LogStatusNotification: status,
  SecurityEventNotification: line('type', 'techInfo'),
  SignCertificate: line('certificateType'),
  NotifyEvent: line(event),
  NotifyReport: line(numbered('requestId'), items('reportData')),
  NotifyMonitoringReport: line(numbered('requestId'), items('monitor')),
  NotifyDisplayMessages: line(numbered('requestId'), items('messageInfo')),
  NotifyCustomerInformation: line(numbered('requestId'), 'data'),
  NotifyChargingLimit: line(place, 'chargingLimit.chargingLimitSource'),
  ClearedChargingLimit: line(place, 'chargingLimitSource'),
  NotifyEVChargingNeeds: line(place, 'chargingNeeds.requestedEnergyTransfer'),
  NotifyEVChargingSchedule: line(place),
  ReportChargingProfiles: line(place, 'chargingLimitSource', items('chargingProfile')),
  ReservationStatusUpdate: line(numbered('reservationId'), 'reservationUpdateStatus'),
  Get15118EVCertificate: line('action'),
  GetCertificateStatus: line('ocspRequestData.serialNumber'),
  BatterySwap: line('eventType', card, items('batteryData')),
  OpenPeriodicEventStream: line(numbered('constantStreamData.id')),
  ClosePeriodicEventStream: line(numbered('id')),
  NotifyPeriodicEventStream: line(numbered('id'), items('data')),
  GetCertificateChainStatus: line(items('certificateStatusRequests')),
  NotifyDERAlarm: line('controlType', 'gridEventFault'),
  NotifyDERStartStop: line(numbered('controlId'), 'started'),
  ReportDERControl: line(numbered('requestId')),
  NotifyPriorityCharging: line(transaction, 'activated'),
  NotifySettlement: line('pspRef', 'status', 'settlementAmount', transaction),
  PullDynamicScheduleUpdate: line(numbered('chargingProfileId')),
  VatNumberValidation: line(place, 'vatNumber'),
}

export const TO_STATION: Readonly<Record<string, Summary>> = {
  RemoteStartTransaction: line(place, card),
  RequestStartTransaction: line(place, card),
  RemoteStopTransaction: line(transaction),
  RequestStopTransaction: line(transaction),
  GetTransactionStatus: line(transaction),
  Reset: line('type', place),
  UnlockConnector: line(place),
  ChangeAvailability: line(place, 'type | operationalStatus'),
  ChangeConfiguration: line((payload) => `${at(payload, 'key') ?? '?'} = ${at(payload, 'value') ?? ''}`.trimEnd()),
  GetConfiguration: line(texts('key')),
  SetVariables: line(
    variables('setVariableData', (item) => `${variable(item)} = ${at(item, 'attributeValue') ?? ''}`.trimEnd()),
  ),
  GetVariables: line(variables('getVariableData')),
  GetBaseReport: line('reportBase'),
  GetReport: line(texts('componentCriteria'), variables('componentVariable')),
  GetMonitoringReport: line(texts('monitoringCriteria')),
  SetMonitoringBase: line('monitoringBase'),
  SetMonitoringLevel: line('severity'),
  SetVariableMonitoring: line(variables('setMonitoringData')),
  ClearVariableMonitoring: line(texts('id')),
  TriggerMessage: line('requestedMessage', place),
  ExtendedTriggerMessage: line('requestedMessage', place),
  ClearCache: line(),
  SendLocalList: line('updateType', numbered('listVersion | versionNumber'), items('localAuthorizationList')),
  GetLocalListVersion: line(),
  ReserveNow: line(numbered('reservationId | id'), place, card, 'expiryDate | expiryDateTime'),
  CancelReservation: line(numbered('reservationId')),
  SetChargingProfile: line(place, profile),
  ClearChargingProfile: line(numbered('id | chargingProfileId'), place, 'chargingProfilePurpose'),
  GetChargingProfiles: line(place),
  GetCompositeSchedule: line(place, numbered('duration', 's')),
  UpdateFirmware: line('location | firmware.location', 'retrieveDate | firmware.retrieveDateTime'),
  SignedUpdateFirmware: line('firmware.location'),
  PublishFirmware: line('location'),
  UnpublishFirmware: line('checksum'),
  GetDiagnostics: line('location'),
  GetLog: line('logType', 'log.remoteLocation'),
  InstallCertificate: line('certificateType'),
  GetInstalledCertificateIds: line(
    (payload, words) => at(payload, 'certificateType') ?? texts('certificateType')(payload, words),
  ),
  DeleteCertificate: line('certificateHashData.serialNumber'),
  CertificateSigned: line('certificateType'),
  SetDisplayMessage: line('message.priority', 'message.message.content'),
  GetDisplayMessages: line(texts('id')),
  ClearDisplayMessage: line(numbered('id')),
  SetNetworkProfile: line(numbered('configurationSlot'), 'connectionData.ocppCsmsUrl'),
  CustomerInformation: line(card, 'customerIdentifier'),
  CostUpdated: line(transaction, 'totalCost'),
  DataTransfer: dataTransfer,
  AFRRSignal: line('signal', 'timestamp'),
  AdjustPeriodicEventStream: line(numbered('id')),
  GetPeriodicEventStream: line(),
  ChangeTransactionTariff: line(transaction, 'tariff.tariffId'),
  SetDefaultTariff: line(place, 'tariff.tariffId'),
  GetTariffs: line(place),
  ClearTariffs: line(place, texts('tariffIds')),
  SetDERControl: line('controlType', numbered('controlId')),
  GetDERControl: line(numbered('requestId'), 'controlType'),
  ClearDERControl: line('controlType', numbered('controlId')),
  NotifyAllowedEnergyTransfer: line(transaction, texts('allowedEnergyTransfer')),
  NotifyWebPaymentStarted: line(place, numbered('timeout', 's')),
  RequestBatterySwap: line(numbered('requestId'), card),
  UpdateDynamicSchedule: line(numbered('chargingProfileId'), 'scheduleUpdate.limit'),
  UsePriorityCharging: line(transaction, 'activate'),
}
