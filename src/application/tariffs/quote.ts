/** What a charge would cost, and what the public is to read of a tariff (TARIFF-A3). */
import type { z } from '@hono/zod-openapi'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { pricedBy } from '../../domain/sessions/figures/priced.ts'
import type { Course, CoursePiece } from '../../domain/tariffs/course.ts'
import type { Priced } from '../../domain/tariffs/price.ts'
import { pricesOf, type StatedPrice, sentencesOf } from '../../domain/tariffs/sentences.ts'
import { withTaxPercent } from '../../domain/tax.ts'
import type { UseCaseContext } from '../context.ts'
import { millionths } from '../schemas/charge-limits.ts'
import type { PublicPriceSchema, QuoteRequestSchema } from './schemas.ts'

type Asked = z.output<typeof QuoteRequestSchema>
type ReadContext = Pick<UseCaseContext, 'reads'>

export async function quote({ reads }: ReadContext, accountId: string, asked: Asked): Promise<Priced | Refusal> {
  const tariff = await reads.findTariff(accountId, asked.tariffId)
  if (!tariff) return noSuch('tariff')
  const course = courseOf(asked)
  return 'refused' in course ? course : pricedBy(withTaxPercent(tariff), course)
}

const MAX_MS = 366 * 86_400_000

function courseOf({ start, end, energyKwh, timeZone = 'UTC', periods, reservation }: Asked): Course | Refusal {
  const [from, to] = [Date.parse(start), Date.parse(end)]
  const fault = (pointer: string, message: string) => refuseFault(pointer, 'invalid_value', message)
  if (to < from || to - from > MAX_MS) return fault('/end', 'must be within a year after start')
  const pieces: CoursePiece[] = []
  let at = from
  for (const [index, one] of (periods ?? []).entries()) {
    const [begin, over] = [Date.parse(one.start), Date.parse(one.end)]
    if (begin < at) return fault(`/periods/${index}/start`, 'must not be before the end of the period before it')
    if (over < begin || over > to) return fault(`/periods/${index}/end`, 'must be between its start and the end of all')
    if (begin > at) pieces.push(parked(at, begin))
    pieces.push({
      start: begin,
      end: over,
      energyMilliWh: millionths(one.energyKwh),
      isCharging: one.charging,
      powerWatts: one.powerKw === undefined ? undefined : one.powerKw * 1000,
      currentAmps: one.currentAmps,
    })
    at = over
  }
  if (periods && at < to) pieces.push(parked(at, to))
  const sum = pieces.reduce((all, one) => all + one.energyMilliWh, 0)
  const total = energyKwh === undefined ? undefined : millionths(energyKwh)
  if (!periods && total === undefined) return fault('/energyKwh', 'is required without periods')
  if (periods && total !== undefined && total !== sum) return fault('/energyKwh', 'must be the sum of the periods')
  const reserved = reservation && {
    start: Date.parse(reservation.start),
    end: Date.parse(reservation.end),
    isExpired: reservation.expired,
  }
  if (reserved && (reserved.end < reserved.start || reserved.end - reserved.start > MAX_MS))
    return fault('/reservation/end', 'must be within a year after its start')
  if (reserved && !reserved.isExpired && reserved.end > from)
    return fault('/reservation/end', 'must not be after the start of the charge')
  const charged = periods ? pieces : [{ start: from, end: to, energyMilliWh: total ?? 0, isCharging: true }]
  return { pieces: reserved?.isExpired ? [] : charged, reservation: reserved, timeZone }
}

const parked = (start: number, end: number): CoursePiece => ({ start, end, energyMilliWh: 0, isCharging: false })

const PER_HOUR: ReadonlySet<StatedPrice['unit']> = new Set(['TIME', 'PARKING_TIME', 'RESERVED'])
const PUBLIC_UNITS = {
  ENERGY: 'kWh',
  minute: 'minute',
  TIME: 'minute',
  FLAT: 'charge',
  idle: 'idleMinute',
  PARKING_TIME: 'parkedMinute',
  RESERVED: 'reservedMinute',
  RESERVATION: 'reservation',
} as const

export async function publicPrice({ reads }: ReadContext, accountId: string, id: string) {
  const tariff = await reads.findTariff(accountId, id)
  return tariff ? shownPublicly(tariff) : noSuch('tariff')
}

/** Prices with tax where its rate is known. */
export function shownPublicly(tariff: Tariff): z.output<typeof PublicPriceSchema> {
  const { tariffId: id, currency, taxIncluded = 'no' } = tariff
  const stated = pricesOf(tariff)
  const isKnown = taxIncluded === 'no' && stated.length > 0 && stated.every(({ vat }) => vat !== undefined)
  return {
    id,
    currency,
    taxIncluded: isKnown ? 'yes' : taxIncluded,
    prices: stated.map(({ unit, micros, vat, restrictions }) => {
      const gross = isKnown ? micros * (1 + (vat ?? 0) / 100) : micros
      return {
        unit: PUBLIC_UNITS[unit],
        price: Math.round(PER_HOUR.has(unit) ? gross / 60 : gross) / 1e6,
        vat,
        restrictions: restrictions && { ...restrictions },
      }
    }),
    texts: (['en', 'de'] as const).map((language) => ({ language, text: sentencesOf(tariff, language).join(' ') })),
  }
}
