/** I07, I09, I10: the default tariff of all EVSEs. */
import type { DesiredTariff } from '../../domain/intents/records.ts'
import { desiredTariffOf } from '../../domain/intents/tariffs.ts'
import type { FoundValue } from '../../domain/ports/blocks.ts'
import { answerBy, type CarryingCall, type IntentOnWire, type IntentToSend } from '../translate/blocks-on-wire.ts'
import type { InboundMessage } from '../translate/message.ts'
import { isObject, list, type OutgoingCall, type Payload, text } from '../translate/payload.ts'

const EVERY_EVSE = 0
const NONE = 'none of ours'
const MEANINGS = { accepted: 'accepted', notariff: 'accepted', duplicatetariffid: 'duplicate' } as const

export const tariff: IntentOnWire = {
  // The new one first: it replaces the old one at once.
  set: (intents) => [...callsOf(intents, false), ...callsOf(intents, true)],
  readAnswer([key = ''], { method }, response) {
    const result = method === 'ClearTariffs' ? clearedIn(response, key) : response
    const answer = result && answerBy(result.status, result.statusInfo, MEANINGS)
    return answer ? { [key]: answer } : {}
  },
  readBack: {
    calls: (intents) => [
      { call: { method: 'GetTariffs', request: { evseId: EVERY_EVSE } }, keys: intents.map(({ key }) => key) },
    ],
    found(keys, _call, response) {
      const status = text(response.status)?.toLowerCase()
      if (status === undefined) return {}
      const defaults = list(response.tariffAssignments)
        .filter(isObject)
        .filter(({ tariffKind }) => text(tariffKind)?.toLowerCase() === 'defaulttariff')
        .map(({ tariffId }) => text(tariffId))
      const isRead = status === 'accepted' || status === 'notariff'
      const foundFor = (key: string): FoundValue =>
        isRead ? { value: defaults.includes(key) ? key : NONE } : 'unreadable'
      return Object.fromEntries(keys.map((key) => [key, foundFor(key)]))
    },
  },
}

function callsOf(intents: readonly IntentToSend[], clear: boolean): readonly CarryingCall[] {
  return intents
    .map((intent) => ({ key: intent.key, desired: desiredTariffOf(intent) }))
    .filter(({ desired }) => (desired.clear === true) === clear)
    .map(({ key, desired }) => ({ keys: [key], call: clear ? clearCall(key) : setCall(key, desired) }))
}

function clearCall(tariffId: string): OutgoingCall {
  return { method: 'ClearTariffs', request: { tariffIds: [tariffId] } }
}

function setCall(tariffId: string, desired: DesiredTariff): OutgoingCall {
  return { method: 'SetDefaultTariff', request: { evseId: EVERY_EVSE, tariff: tariffOnWire(tariffId, desired) } }
}

/** Without `validFrom`: in force at once. The station adds the tax. */
function tariffOnWire(tariffId: string, desired: DesiredTariff): Payload {
  const { currency, perKwh, perMinute, perSession, idlePerMinute, taxPercent, isIdleAfterCharging } = desired
  const tax = taxPercent !== undefined && { taxRates: [{ type: 'VAT', tax: taxPercent }] }
  const of = (...prices: readonly Payload[]): Payload => ({ prices, ...tax })
  const whenIdle = {
    priceMinute: added(perMinute, idlePerMinute),
    // Of all minutes charged so far; the first element that fits counts.
    ...(isIdleAfterCharging && { conditions: { minChargingTime: 1 } }),
  }
  const idlePrices = isIdleAfterCharging && perMinute > 0 ? [whenIdle, { priceMinute: perMinute }] : [whenIdle]
  return {
    tariffId,
    currency,
    energy: of({ priceKwh: perKwh }),
    ...(perMinute > 0 && { chargingTime: of({ priceMinute: perMinute }) }),
    ...(whenIdle.priceMinute > 0 && { idleTime: of(...idlePrices) }),
    ...(perSession > 0 && { fixedFee: of({ priceFixed: perSession }) }),
  }
}

/** I08: that of the driver comes with the answer to the card. */
export function withDriverTariff(message: InboundMessage): InboundMessage {
  return {
    ...message,
    answer(request, outcome, context) {
      const answer = message.answer(request, outcome, context)
      const { tariff: own } = outcome.authorisation ?? {}
      return own ? { ...answer, tariff: tariffOnWire(own.id, own.desired) } : answer
    },
  }
}

const MICROS = 1_000_000

/** Without the traces of binary fractions. */
function added(one: number, other: number): number {
  return Math.round((one + other) * MICROS) / MICROS
}

/** NoTariff names none (I09). */
function clearedIn(response: Payload, key: string): Payload | undefined {
  const results = list(response.clearTariffsResult).filter(isObject)
  return (
    results.find(({ tariffId }) => text(tariffId) === key) ?? results.find(({ tariffId }) => tariffId === undefined)
  )
}
