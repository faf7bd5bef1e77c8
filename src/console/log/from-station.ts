/** What each message of a charge point says, in words; both versions, since they hardly share a name. */

import { isVirtualIdToken } from '../../domain/sessions/orders/virtual-id-token.ts'
import { type SummaryTexts, samplesIn } from './sample-figures.ts'
import { inside, list, type Payload, word } from './shown-payload.ts'

export type Summary = (payload: Payload, words: SummaryTexts) => readonly (string | undefined)[]

export function place(payload: Payload, words: SummaryTexts): string | undefined {
  const evse = inside(payload, 'evse')
  const evseId = word(payload, 'evseId') ?? word(evse, 'id')
  const connectorId = word(payload, 'connectorId') ?? word(evse, 'connectorId')
  if (evseId === undefined) {
    if (connectorId === undefined) return undefined
    return connectorId === '0' ? words.station : `${words.connector} ${connectorId}`
  }
  if (evseId === '0') return words.station
  return connectorId === undefined ? `EVSE ${evseId}` : `EVSE ${evseId} ${words.connector} ${connectorId}`
}

export function named(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${value}`
}

/** What we made for a remote start is nobody's card. */
export function card(payload: Payload, words: SummaryTexts): string | undefined {
  const { idToken } = inside(payload, 'idToken')
  const id = word(payload, 'idTag') ?? word({ idToken }, 'idToken') ?? word(payload, 'idToken')
  return named(id !== undefined && isVirtualIdToken(id) ? words.virtualCard : words.card, id)
}

export function transaction(payload: Payload, words: SummaryTexts): string | undefined {
  const id = word(payload, 'transactionId') ?? word(inside(payload, 'transactionInfo'), 'transactionId')
  return named(words.transaction, id)
}

const meter = (value: string | undefined, words: SummaryTexts): string | undefined =>
  value === undefined ? undefined : `${words.meter} ${words.figure(value, 'Wh')}`

export const status: Summary = (payload) => [word(payload, 'status')]

export const count =
  (name: string): Summary =>
  (payload, words) => [named('#', word(payload, 'requestId')), words.items(list(payload, name).length)]

export const FROM_STATION: Readonly<Record<string, Summary>> = {
  Authorize: (payload, words) => [card(payload, words)],
  BootNotification: (payload) => {
    const station = inside(payload, 'chargingStation')
    return [
      word(payload, 'reason'),
      word(payload, 'chargePointVendor') ?? word(station, 'vendorName'),
      word(payload, 'chargePointModel') ?? word(station, 'model'),
      word(payload, 'firmwareVersion') ?? word(station, 'firmwareVersion'),
    ]
  },
  Heartbeat: () => [],
  StatusNotification: (payload, words) => {
    const errorCode = word(payload, 'errorCode')
    const state = word(payload, 'status') ?? word(payload, 'connectorStatus')
    const fault = errorCode === undefined || errorCode === 'NoError' ? state : `${state ?? ''}: ${errorCode}`
    return [place(payload, words), fault, word(payload, 'vendorErrorCode'), word(payload, 'info')]
  },
  StartTransaction: (payload, words) => [
    place(payload, words),
    card(payload, words),
    meter(word(payload, 'meterStart'), words),
  ],
  StopTransaction: (payload, words) => [
    transaction(payload, words),
    word(payload, 'reason'),
    card(payload, words),
    meter(word(payload, 'meterStop'), words),
  ],
  MeterValues: (payload, words) => [place(payload, words), ...samplesIn(list(payload, 'meterValue'), words)],
  TransactionEvent: (payload, words) => {
    const info = inside(payload, 'transactionInfo')
    return [
      word(payload, 'eventType'),
      word(payload, 'triggerReason'),
      word(info, 'chargingState'),
      place(payload, words),
      card(payload, words),
      word(info, 'stoppedReason'),
      ...samplesIn(list(payload, 'meterValue'), words),
    ]
  },
  DataTransfer: (payload) => [word(payload, 'vendorId'), word(payload, 'messageId'), word(payload, 'data')],
  DiagnosticsStatusNotification: status,
  FirmwareStatusNotification: status,
  SignedFirmwareStatusNotification: status,
  PublishFirmwareStatusNotification: status,
  LogStatusNotification: status,
  SecurityEventNotification: (payload) => [word(payload, 'type'), word(payload, 'techInfo')],
  SignCertificate: (payload) => [word(payload, 'certificateType')],
  NotifyEvent: (payload, words) => {
    const events = list(payload, 'eventData')
    const shown = events.slice(0, 2).map((event) => {
      const component = word(inside(event, 'component'), 'name')
      const variable = word(inside(event, 'variable'), 'name')
      return `${component ?? '?'}.${variable ?? '?'} = ${word(event, 'actualValue') ?? ''}`
    })
    return [...shown, events.length > 2 ? words.items(events.length) : undefined]
  },
  NotifyReport: count('reportData'),
  NotifyMonitoringReport: count('monitor'),
  NotifyDisplayMessages: count('messageInfo'),
  NotifyCustomerInformation: (payload) => [named('#', word(payload, 'requestId')), word(payload, 'data')],
  NotifyChargingLimit: (payload, words) => [
    place(payload, words),
    word(inside(payload, 'chargingLimit'), 'chargingLimitSource'),
  ],
  ClearedChargingLimit: (payload, words) => [place(payload, words), word(payload, 'chargingLimitSource')],
  NotifyEVChargingNeeds: (payload, words) => [
    place(payload, words),
    word(inside(payload, 'chargingNeeds'), 'requestedEnergyTransfer'),
  ],
  NotifyEVChargingSchedule: (payload, words) => [place(payload, words)],
  ReportChargingProfiles: (payload, words) => [
    place(payload, words),
    word(payload, 'chargingLimitSource'),
    words.items(list(payload, 'chargingProfile').length),
  ],
  ReservationStatusUpdate: (payload) => [
    named('#', word(payload, 'reservationId')),
    word(payload, 'reservationUpdateStatus'),
  ],
  Get15118EVCertificate: (payload) => [word(payload, 'action')],
  GetCertificateStatus: (payload) => [word(inside(payload, 'ocspRequestData'), 'serialNumber')],
}
