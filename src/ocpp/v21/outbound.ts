/** Every message we may send to a 2.1 charge point: those of 2.0.1, and 15 new ones. */
import { type OutboundRule, outboundTable } from '../translate/message.ts'
import { columns } from '../v201/from-charge-point.ts'
import { outboundRules } from '../v201/outbound.ts'

/** NotifyWebPaymentStarted is ours to send, whatever its name (C25.FR.21). @public The tests have each. */
export const newOutboundRules = {
  AdjustPeriodicEventStream: { capability: 'configuration', followUp: 'values at the new interval' },
  AFRRSignal: { capability: 'limits', followUp: 'nothing' },
  ChangeTransactionTariff: { capability: 'configuration', followUp: 'TransactionEvent with trigger TariffChanged' },
  ClearDERControl: { capability: 'limits', followUp: 'nothing' },
  ClearTariffs: { capability: 'configuration', followUp: 'result per tariff' },
  GetDERControl: { capability: 'limits', followUp: 'ReportDERControl pages until tbc is false' },
  GetPeriodicEventStream: { capability: 'configuration', followUp: 'streams in the answer' },
  GetTariffs: { capability: 'configuration', followUp: 'tariffs in the answer' },
  NotifyAllowedEnergyTransfer: { capability: 'limits', followUp: 'nothing' },
  NotifyWebPaymentStarted: { capability: 'control', followUp: 'the EVSE waits `timeout` seconds for the start' },
  RequestBatterySwap: { capability: 'control', followUp: 'BatterySwap with the same requestId' },
  SetDERControl: { capability: 'limits', followUp: 'NotifyDERStartStop when it begins and ends' },
  SetDefaultTariff: { capability: 'configuration', followUp: 'check with GetTariffs' },
  UpdateDynamicSchedule: { capability: 'limits', followUp: 'check with GetCompositeSchedule' },
  UsePriorityCharging: { capability: 'limits', followUp: 'nothing' },
} satisfies Record<string, OutboundRule>

export const outbound = outboundTable(columns, { ...outboundRules, ...newOutboundRules })
