/** What a charge costs by a tariff of OCPP 2.1: prices without taxes, each dimension with its own (I07 to I12). */
import { isoTime } from '../../../src/domain/iso-time.ts'
import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { ConnectorStatus, Dimension, LocalTransaction, Tariff } from '../facts.ts'

interface Usage {
  readonly energyWh: number
  readonly seconds: number
  readonly idleSeconds: number
}

/** `costDetails` of this instant, and the cost in the transaction as well; nothing without a tariff. */
export function costsAt(transaction: LocalTransaction, registerWh: number, at: number): { readonly costs?: Payload } {
  const { tariff, startedAt, idleMs, idleSince = at } = transaction
  if (!tariff) return {}
  const usage: Usage = {
    energyWh: Math.floor(registerWh) - Math.floor(transaction.meterStartWh),
    seconds: Math.max(0, Math.round((at - startedAt) / 1000)),
    idleSeconds: Math.max(0, Math.round((idleMs + at - idleSince) / 1000)),
  }
  const { total, ...totalCost } = totalCostOf(tariff, usage)
  transaction.cost = total.inclTax
  const dimensions = [
    { type: 'Energy', volume: usage.energyWh / 1000 },
    { type: 'ChargingTime', volume: usage.seconds - usage.idleSeconds },
  ]
  const costs = {
    chargingPeriods: [{ tariffId: tariff.tariffId, startPeriod: isoTime(startedAt), dimensions }],
    totalCost: { ...totalCost, total },
    totalUsage: { energy: usage.energyWh / 1000, chargingTime: usage.seconds, idleTime: usage.idleSeconds },
  }
  return { costs }
}

/** Keeps the time without energy. */
export function noteIdle(transaction: LocalTransaction, status: ConnectorStatus, now: number): void {
  if (status !== 'Charging') transaction.idleSince ??= now
  else if (transaction.idleSince !== undefined) {
    transaction.idleMs += now - transaction.idleSince
    transaction.idleSince = undefined
  }
}

/** I12.FR.02: the costs of a running charge come without their periods. */
export function runningCosts({ chargingPeriods: _periods, ...costs }: Payload): Payload {
  return costs
}

export function totalCostOf(tariff: Tariff, { energyWh, seconds, idleSeconds }: Usage) {
  const parts = Object.entries({
    fixed: priceOf(tariff.fixedFee, 'priceFixed', 1),
    energy: priceOf(tariff.energy, 'priceKwh', energyWh / 1000),
    chargingTime: priceOf(tariff.chargingTime, 'priceMinute', (seconds - idleSeconds) / 60),
    idleTime: priceOf(tariff.idleTime, 'priceMinute', idleSeconds / 60),
  }).flatMap(([name, price]) => (price ? [[name, price] as const] : []))
  const total = {
    exclTax: rounded(parts.reduce((sum, [, { exclTax }]) => sum + exclTax, 0)),
    inclTax: rounded(parts.reduce((sum, [, { inclTax }]) => sum + inclTax, 0)),
  }
  return { currency: tariff.currency, typeOfCost: 'NormalCost', ...Object.fromEntries(parts), total }
}

function priceOf(dimension: Dimension | undefined, name: 'priceKwh' | 'priceMinute' | 'priceFixed', volume: number) {
  if (!dimension) return undefined
  const exclTax = volume * (dimension.prices[0]?.[name] ?? 0)
  const percent = (dimension.taxRates ?? []).reduce((sum, { tax }) => sum + tax, 0)
  return { exclTax: rounded(exclTax), inclTax: rounded(exclTax * (1 + percent / 100)) }
}

function rounded(amount: number): number {
  return Math.round(amount * 10_000) / 10_000
}
