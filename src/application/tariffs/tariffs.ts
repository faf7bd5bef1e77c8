/** Tariffs of an account or of a charge point, excluding VAT; a session keeps the version it began with (COST-L1). */
import { isoTime } from '../../domain/iso-time.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Tariff, TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import { fromMillionths, millionths } from '../schemas/money.ts'
import { RATE_NAMES, type RateName } from './rates.ts'

interface TariffContext {
  readonly reads: Pick<Reads, 'findTariff' | 'findChargePoint'>
  readonly writes: Pick<Writes, 'createTariff' | 'updateTariff' | 'deleteTariff'>
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
}

/** Rates as the API writes them: numbers, and what is left out is nothing. */
type ShownRates = { readonly currency: string; readonly perKwh: number } & {
  readonly [Name in RateName]?: number | undefined
}

export const MICROS = {
  perKwh: 'perKwhMicros',
  perMinute: 'perMinuteMicros',
  perSession: 'perSessionMicros',
  idlePerMinute: 'idlePerMinuteMicros',
} as const satisfies Record<RateName, keyof TariffRates>

/** @param owner without a charge point: of all that have none of their own */
export async function createTariff(
  { reads, writes, now, random }: TariffContext,
  { accountId, chargePointId }: { readonly accountId: string; readonly chargePointId: string | undefined },
  rates: TariffRates,
): Promise<Tariff | Refusal> {
  const ofOne = chargePointId === undefined ? {} : { chargePointId }
  if (chargePointId !== undefined && (await reads.findChargePoint(chargePointId))?.accountId !== accountId) {
    return noSuch('charge point')
  }
  const tariffId = `tar_${random(12).toString('hex')}`
  const at = now()
  const tariff: Tariff = { tariffId, version: 1, accountId, ...ofOne, ...rates, createdAt: at, updatedAt: at }
  if ((await writes.createTariff(tariff)) === 'created') return tariff
  const whose = chargePointId === undefined ? 'The account' : `The charge point ${chargePointId}`
  return refuse(409, 'tariff_exists', `${whose} has a tariff already; change that one.`)
}

export async function findTariff(
  { reads }: Pick<TariffContext, 'reads'>,
  accountId: string,
  id: string,
): Promise<Tariff | Refusal> {
  return (await reads.findTariff(accountId, id)) ?? noSuch('tariff')
}

export async function changeTariff(
  { writes, now }: Pick<TariffContext, 'writes' | 'now'>,
  { accountId, tariffId }: Tariff,
  rates: TariffRates,
): Promise<Tariff | Refusal> {
  return (await writes.updateTariff(accountId, tariffId, rates, now())) ?? noSuch('tariff')
}

export async function deleteTariff(
  { writes, now }: Pick<TariffContext, 'writes' | 'now'>,
  accountId: string,
  id: string,
): Promise<Refusal | undefined> {
  return (await writes.deleteTariff(accountId, id, now())) ? undefined : noSuch('tariff')
}

export function storedRates({ currency, ...rates }: ShownRates): TariffRates {
  const micros = RATE_NAMES.map((name) => [MICROS[name], millionths(rates[name] ?? 0)])
  return { currency, ...(Object.fromEntries(micros) as Omit<TariffRates, 'currency'>) }
}

export function shownRates(tariff: TariffRates): ShownRates {
  const rates = RATE_NAMES.map((name) => [name, fromMillionths(tariff[MICROS[name]])])
  return { currency: tariff.currency, ...(Object.fromEntries(rates) as Omit<ShownRates, 'currency'>) }
}

export function representTariff(tariff: Tariff) {
  const { tariffId: id, version, chargePointId: evseControllerId, createdAt, updatedAt } = tariff
  const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
  return { id, version, evseControllerId, ...shownRates(tariff), ...times }
}
