/** What a charge costs by its station's own reckoning, held against ours like with like (OCPP21-C5). Pure. */

import { isoTime } from '../../iso-time.ts'
import type { FrozenTariff, Session } from '../../ports/sessions.ts'
import type { StationCost } from '../limits/records.ts'
import { roundCost } from './cost.ts'

export const NOT_COMPARABLE = ['failed', 'noTotal', 'noCost', 'otherCurrency', 'noRateOfTax'] as const

export interface ComparedCosts {
  readonly costDiffers: boolean | 'notComparable'
  readonly costNotComparable?: (typeof NOT_COMPARABLE)[number] | undefined
}

/** Undefined: no rate of tax is known. */
export function withTax(netMicros: number, tariff: FrozenTariff | undefined): number | undefined {
  const { taxPercent } = tariff ?? {}
  return taxPercent === undefined ? undefined : Math.round((netMicros * (100 + taxPercent)) / 100)
}

/** Undefined: the station reckoned nothing. Amounts as they are shown: parts of a cent differ by rounding. */
export function comparedCosts(session: Session): ComparedCosts | undefined {
  const { tariff, cost: present, atStation: { cost: theirs } = {} } = session
  if (!theirs) return undefined
  const { currency, netMicros, grossMicros, failure, isFinal } = theirs
  // What came to nothing costs nothing.
  const ours = isFinal ? (present ?? (tariff && { micros: 0, currency: tariff.currency })) : theirs.ours
  if (failure !== undefined) return not('failed')
  if (netMicros === undefined && grossMicros === undefined) return not('noTotal')
  if (!ours) return not('noCost')
  if (ours.currency !== currency) return not('otherCurrency')
  const [reported, comparable] =
    netMicros === undefined ? [grossMicros, withTax(ours.micros, tariff)] : [netMicros, ours.micros]
  if (reported === undefined || comparable === undefined) return not('noRateOfTax')
  return { costDiffers: roundCost(reported, currency) !== roundCost(comparable, currency) }
}

function not(costNotComparable: ComparedCosts['costNotComparable']): ComparedCosts {
  return { costDiffers: 'notComparable', costNotComparable }
}

export function showStationCost({ currency, netMicros, grossMicros, failure, isFinal, at }: StationCost) {
  return {
    ...(currency !== '' && { currency }),
    ...(netMicros !== undefined && { net: roundCost(netMicros, currency) }),
    ...(grossMicros !== undefined && { gross: roundCost(grossMicros, currency) }),
    ...(failure !== undefined && { failure }),
    isFinal,
    at: isoTime(at),
  }
}
