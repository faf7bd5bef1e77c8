/** The everyday commands of operators, in the spelling of the station's version. */

import type { BulkWhat, CommandedOrder } from '../../domain/bulk-orders/records.ts'
import type { Protocol } from '../../domain/ports/core.ts'
import { type OutgoingCall, object } from '../translate/payload.ts'

export const DEFAULT_ORDERS = ['unlock', 'inoperative', 'operative', 'reset', 'trigger', 'clearCache'] as const

export type UsualOrder = (typeof DEFAULT_ORDERS)[number]

export interface OrderTarget {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

/** The first is the graceful one. */
export const RESETS: Readonly<Record<Protocol, readonly string[]>> = {
  'ocpp1.6': ['Soft', 'Hard'],
  'ocpp2.0.1': ['OnIdle', 'Immediate'],
  'ocpp2.1': ['OnIdle', 'Immediate', 'ImmediateAndResume'],
}

const TRIGGERS_OF_2 = [
  'StatusNotification',
  'Heartbeat',
  'MeterValues',
  'TransactionEvent',
  'LogStatusNotification',
  'FirmwareStatusNotification',
]

/** For accepted stations. */
export const TRIGGERS: Readonly<Record<Protocol, readonly string[]>> = {
  'ocpp1.6': [
    'StatusNotification',
    'Heartbeat',
    'MeterValues',
    'DiagnosticsStatusNotification',
    'FirmwareStatusNotification',
  ],
  'ocpp2.0.1': TRIGGERS_OF_2,
  'ocpp2.1': TRIGGERS_OF_2,
}

/** Pages ask for confirmation: these interrupt a charge, cut a station off, or cannot be undone. */
export const DANGEROUS: ReadonlySet<string> = new Set([
  'Reset',
  'ChangeAvailability',
  'UnlockConnector',
  'UpdateFirmware',
  'SignedUpdateFirmware',
  'PublishFirmware',
  'SetNetworkProfile',
  'ChangeConfiguration',
  'ClearCache',
  'ClearChargingProfile',
  'ClearVariableMonitoring',
  'SetVariables',
  'SendLocalList',
  'InstallCertificate',
  'DeleteCertificate',
  'CertificateSigned',
  'CustomerInformation',
  'RemoteStopTransaction',
  'RequestStopTransaction',
  'AFRRSignal',
  'ClearDERControl',
  'ClearTariffs',
  'SetDERControl',
  'SetDefaultTariff',
])

/** @param value the reset's type, or the message; checked by the schema when it is sent */
export function usualCommand(
  protocol: Protocol,
  order: UsualOrder,
  { evseId, connectorId }: OrderTarget,
  value: string,
): OutgoingCall {
  const is16 = protocol === 'ocpp1.6'
  const evse =
    evseId === undefined
      ? {}
      : { evse: { id: evseId, ...(connectorId !== undefined && connectorId > 0 && { connectorId }) } }
  const place16 = connectorId !== undefined && connectorId > 0 ? { connectorId } : {}
  switch (order) {
    case 'unlock':
      return {
        method: 'UnlockConnector',
        request: is16 ? { connectorId: connectorId ?? 1 } : { evseId: evseId ?? 1, connectorId: connectorId ?? 1 },
      }
    case 'inoperative':
    case 'operative': {
      const status = order === 'inoperative' ? 'Inoperative' : 'Operative'
      const request = is16 ? { connectorId: connectorId ?? 0, type: status } : { operationalStatus: status, ...evse }
      return { method: 'ChangeAvailability', request }
    }
    case 'reset':
      return { method: 'Reset', request: { type: value } }
    case 'trigger':
      return { method: 'TriggerMessage', request: { requestedMessage: value, ...(is16 ? place16 : evse) } }
    case 'clearCache':
      return { method: 'ClearCache', request: {} }
  }
}

/** The availability and connector that a ChangeAvailability of either version orders. */
export function orderedAvailability({
  type,
  operationalStatus,
  connectorId,
  evse,
}: OutgoingCall['request']): OrderTarget & { readonly available: boolean } {
  const place = evse === undefined ? {} : object(evse)
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
  return {
    available: (type ?? operationalStatus) === 'Operative',
    evseId: number(place.id),
    connectorId: number(connectorId ?? place.connectorId),
  }
}

export function isCommanded(what: BulkWhat): what is CommandedOrder {
  return ['reset', 'unlock', 'availability', 'command'].includes(what.kind)
}

/** @example bulkCall({ kind: 'reset', type: 'soft' }, 'ocpp2.0.1') // Reset of type OnIdle */
export function bulkCall(what: CommandedOrder, protocol: Protocol): OutgoingCall {
  switch (what.kind) {
    case 'reset': {
      const [soft = '', hard = ''] = RESETS[protocol]
      return usualCommand(protocol, 'reset', {}, what.type === 'soft' ? soft : hard)
    }
    case 'unlock':
      return usualCommand(protocol, 'unlock', what, '')
    case 'availability':
      return usualCommand(protocol, what.available ? 'operative' : 'inoperative', what, '')
    case 'command':
      return { method: what.method, request: what.request }
  }
}
