/** A station's messages in OCPP 2.1: those of 2.0.1, and what differs. */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { Dialect } from '../model/dialect.ts'
import type { Call, LocalTransaction, Moment, Tariff, TransactionLimit } from '../model/facts.ts'
import { runningCosts } from '../model/payment/costs.ts'
import { connectorStatus, notifyEvent, transactionEvent, v201 } from '../v201/messages.ts'

export const v21: Dialect = {
  ...v201,
  protocol: 'ocpp2.1',
  hasSend: true,
  takesDynamic: true,
  /** OCPP21-B1: the state of a connector is preferably an event; StatusNotification is the older way. */
  status: (evseId, status, at) =>
    notifyEvent(at, {
      eventId: (at * 128 + evseId) % 2_147_483_647,
      trigger: 'Delta',
      actualValue: connectorStatus(status),
      component: { name: 'Connector', evse: { id: evseId, connectorId: 1 } },
      variable: { name: 'AvailabilityState' },
    }),
  started: (transaction, moment, measurands) => priced(v201.started(transaction, moment, measurands), transaction),
  activityChanged(transaction, moment, status, isRateAlone) {
    const call = v201.activityChanged(transaction, moment, status, isRateAlone)
    const { limitReached } = transaction
    if (!call || status !== 'SuspendedEVSE' || !limitReached) return call
    return priced(call, transaction, moment, { triggerReason: REACHED[limitReached] })
  },
  sampled: (transaction, moment, context, measurands) =>
    priced(v201.sampled(transaction, moment, context, measurands), transaction, moment),
  ended: (transaction, moment, reason, measurands) =>
    priced(v201.ended(transaction, moment, reason, measurands), transaction, moment, { costDetails: moment.costs }),
  payment: {
    readLimit: ({ transactionLimit }) => transactionLimit as TransactionLimit | undefined,
    readTariff: ({ tariff }) => tariff as Tariff | undefined,
    changed: (triggerReason, transaction, moment) =>
      priced(
        transactionEvent('Updated', transaction, moment, {
          triggerReason,
          ...(triggerReason === 'LimitSet' && { transactionInfo: { transactionLimit: transaction.limit } }),
        }),
        transaction,
        moment,
      ),
    settled: ({ transactionId, idToken, cost = 0 }, at) => ({
      method: 'NotifySettlement',
      request: {
        transactionId,
        pspRef: idToken.id,
        status: cost > 0 ? 'Settled' : 'Canceled',
        settlementAmount: cost,
        settlementTime: isoTime(at),
        receiptId: `R-${transactionId?.slice(0, 40)}`,
      },
    }),
  },
}

const REACHED: Readonly<Record<keyof TransactionLimit, string>> = {
  maxCost: 'CostLimitReached',
  maxEnergy: 'EnergyLimitReached',
  maxTime: 'TimeLimitReached',
  maxSoC: 'SoCLimitReached',
}

/** With the tariff that the station reckons by; with a moment also with what the charge costs so far. */
function priced(call: Call, { tariff }: LocalTransaction, moment?: Moment, more: Payload = {}): Call {
  const { transactionInfo, ...request } = call.request
  return {
    method: call.method,
    request: {
      ...request,
      ...(moment?.costs && { costDetails: runningCosts(moment.costs) }),
      ...more,
      transactionInfo: { ...(transactionInfo as Payload), ...(tariff && { tariffId: tariff.tariffId }) },
    },
  }
}
