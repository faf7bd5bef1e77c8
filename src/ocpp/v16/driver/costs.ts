/** DataTransfer by the OCA's application note on California's pricing requirements: its data is JSON. */
import type { FrozenTariff } from '../../../domain/ports/sessions.ts'
import type { OutgoingCall } from '../../payload.ts'
import type { CostFacts, CostsOnWire } from '../../translate/costs-on-wire.ts'
import { sentTime, text } from '../../translate/payload.ts'

const VENDOR = 'org.openchargealliance.costmsg'
const MICROS = 1_000_000
const MINUTES = 60

export const costs: CostsOnWire = {
  running: (facts) => {
    const { transactionId, cost, at, isIdle, meterWh, tariff } = facts
    return transfer('RunningCost', {
      transactionId: Number(transactionId),
      timestamp: sentTime(at),
      cost,
      ...(meterWh !== undefined && { meterValue: Math.round(meterWh) }),
      state: isIdle ? 'Idle' : 'Charging',
      ...(tariff && pricesOf(tariff)),
    })
  },
  final: ({ transactionId, cost, currency }: CostFacts) =>
    transfer('FinalCost', { transactionId: Number(transactionId), cost, priceText: `${cost} ${currency}` }),
  readAnswer({ status }) {
    switch (text(status)?.toLowerCase()) {
      case 'accepted':
        return 'accepted'
      case 'unknownvendorid':
      case 'unknownmessageid':
        return 'unsupported'
      default:
        return 'refused'
    }
  },
}

function pricesOf({ perKwhMicros, perMinuteMicros, perSessionMicros, idlePerMinuteMicros }: FrozenTariff): object {
  const hourly = (micros: number): number => (micros * MINUTES) / MICROS
  return {
    chargingPrice: {
      kWhPrice: perKwhMicros / MICROS,
      hourPrice: hourly(perMinuteMicros),
      flatFee: perSessionMicros / MICROS,
    },
    idlePrice: { hourPrice: hourly(perMinuteMicros + idlePerMinuteMicros) },
  }
}

function transfer(messageId: string, data: object): OutgoingCall {
  return { method: 'DataTransfer', request: { vendorId: VENDOR, messageId, data: JSON.stringify(data) } }
}
