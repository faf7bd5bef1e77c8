/** What a kilowatt-hour and an hour cost at the begin of a charge, through a week (TARIFF-A3). Pure. */
import { DAY_MS } from '../time-zone.ts'
import { slicesOf } from './course.ts'
import type { PriceDimension, TariffElement } from './elements.ts'
import type { TariffRates } from './fields.ts'
import { elementsOf } from './shown-elements.ts'

export interface WeekCell {
  /** 0 is Monday. */
  readonly day: number
  /** Minutes of the day. */
  readonly from: number
  readonly to: number
  readonly energyMicros: number
  /** Of an hour. */
  readonly timeMicros: number
}

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const

/** @param monday 00:00 of the wall clock, spelled as if it were UTC: restrictions of dates are those of its week */
export function weekOf(tariff: TariffRates, monday: number): readonly WeekCell[] {
  const pieces = DAYS.map((day) => {
    const start = monday + day * DAY_MS
    return { start, end: start + DAY_MS, energyMilliWh: 0, isCharging: true }
  })
  const cells: WeekCell[] = []
  for (const { start, end, elements: here } of slicesOf(elementsOf(tariff).flatMap(atBegin), {
    pieces,
    timeZone: 'UTC',
  })) {
    const day = Math.floor((start - monday) / DAY_MS)
    const from = (start - monday) / 60_000 - day * 1440
    const [energyMicros, timeMicros] = [priceIn(here, 'ENERGY'), priceIn(here, 'TIME')]
    const to = from + (end - start) / 60_000
    const last = cells.at(-1)
    if (last?.day === day && last.energyMicros === energyMicros && last.timeMicros === timeMicros)
      cells[cells.length - 1] = { ...last, to }
    else cells.push({ day, from, to, energyMicros, timeMicros })
  }
  return cells
}

function priceIn(elements: readonly TariffElement[], type: PriceDimension): number {
  const components = elements.flatMap(({ priceComponents }) => priceComponents)
  return components.find((one) => one.type === type)?.priceMicros ?? 0
}

/** Without what only shows in the course of a charge. */
function atBegin({ priceComponents, restrictions = {} }: TariffElement): readonly TariffElement[] {
  const { startTime, endTime, startDate, endDate, dayOfWeek, reservation } = restrictions
  const { minKwh, minDuration, minPower, minCurrent } = restrictions
  if (reservation || [minKwh, minDuration, minPower, minCurrent].some((least) => (least ?? 0) > 0)) return []
  return [{ priceComponents, restrictions: { startTime, endTime, startDate, endDate, dayOfWeek } }]
}
