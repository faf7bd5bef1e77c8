/** The direction of OCPP 2.1's actions: those of 2.0.1, and 27 more. A test compares both lists with the schemas. */
import * as v201 from '../v201/actions.ts'

export const newInboundActions = [
  'BatterySwap',
  'ClosePeriodicEventStream',
  'GetCertificateChainStatus',
  'NotifyDERAlarm',
  'NotifyDERStartStop',
  'NotifyPeriodicEventStream',
  'NotifyPriorityCharging',
  'NotifySettlement',
  'OpenPeriodicEventStream',
  'PullDynamicScheduleUpdate',
  'ReportDERControl',
  'VatNumberValidation',
] as const

/** NotifyWebPaymentStarted is ours to send, whatever its name (C25.FR.21). */
export const newOutboundActions = [
  'AdjustPeriodicEventStream',
  'AFRRSignal',
  'ChangeTransactionTariff',
  'ClearDERControl',
  'ClearTariffs',
  'GetDERControl',
  'GetPeriodicEventStream',
  'GetTariffs',
  'NotifyAllowedEnergyTransfer',
  'NotifyWebPaymentStarted',
  'RequestBatterySwap',
  'SetDERControl',
  'SetDefaultTariff',
  'UpdateDynamicSchedule',
  'UsePriorityCharging',
] as const

export const inboundActions = [...v201.inboundActions, ...newInboundActions] as const
export const outboundActions = [...v201.outboundActions, ...newOutboundActions] as const

export type NewInboundAction = (typeof newInboundActions)[number]
export type NewOutboundAction = (typeof newOutboundActions)[number]
