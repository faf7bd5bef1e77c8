/** When a budget is used up (TOKEN-Z6, TOKEN-Z7). */
import type { Budget, IdToken } from '../ports/id-tokens.ts'
import type { LimitReached, Session } from '../ports/sessions.ts'
import type { Reads } from '../ports/storage.ts'
import { type Period, periodOf } from '../time-zone.ts'
import type { BudgetSum } from './records.ts'

const PERIODS = ['day', 'month', 'total'] as const
/** There are fewer currencies. */
const MAX_CURRENCIES = 500

/** The day or month that holds a time, by the clocks of the zone; `total` is all time. */
export function budgetPeriod(per: Budget['per'], at: number, timeZone: string): Period {
  return per === 'total' ? { from: 0, below: Number.MAX_SAFE_INTEGER } : periodOf(per, at, timeZone)
}

/** SESSION-T3: whose day and month a charge counts for. */
export function countedAt({ limits, createdAt }: Pick<Session, 'limits' | 'createdAt'>): number {
  return limits?.budgetAt ?? createdAt
}

type Figures = Pick<BudgetSum, 'accountId' | 'idToken' | 'currency' | 'energyMilliWh' | 'costMicros'>

/** What a change of a charge adds to the sums of its card, or of two where it was shown another one. */
export function addedToSums(
  before: Session | undefined,
  after: Session,
  now: number,
  timeZone: string,
): readonly BudgetSum[] {
  const were = before && figuresOf(before)
  const are = figuresOf(after)
  const isSame = were && are && were.idToken === are.idToken && were.currency === are.currency
  const added = isSame ? [minus(are, were)] : [...(were ? [minus(NOTHING, were)] : []), ...(are ? [are] : [])]
  return added
    .filter(({ energyMilliWh, costMicros }) => energyMilliWh !== 0 || costMicros !== 0)
    .flatMap((figures) =>
      PERIODS.map((per) => {
        const { from: periodFrom } = budgetPeriod(per, countedAt(after), timeZone)
        return { ...figures, per, periodFrom, changedAt: now }
      }),
    )
}

function figuresOf({ accountId, limits, energyMilliWh, cost }: Session): Figures | undefined {
  if (limits?.budgetOf === undefined) return undefined
  return {
    accountId,
    idToken: limits.budgetOf,
    currency: cost?.currency ?? '',
    energyMilliWh,
    costMicros: cost?.micros ?? 0,
  }
}

const NOTHING = { energyMilliWh: 0, costMicros: 0 }

function minus(are: Pick<Figures, 'energyMilliWh' | 'costMicros'>, were: Figures): Figures {
  const costMicros = are.costMicros - were.costMicros
  return { ...were, energyMilliWh: are.energyMilliWh - were.energyMilliWh, costMicros }
}

/** Of one period: energy, and money by currency, because amounts of two currencies add up to nothing. */
export interface Used {
  readonly energyMilliWh: number
  readonly costMicros: ReadonlyMap<string, number>
}

export function usedOf(sums: readonly Pick<BudgetSum, 'currency' | 'energyMilliWh' | 'costMicros'>[]): Used {
  return {
    energyMilliWh: sums.reduce((total, one) => total + one.energyMilliWh, 0),
    costMicros: new Map(sums.flatMap(({ currency, costMicros }) => (currency === '' ? [] : [[currency, costMicros]]))),
  }
}

export function usedUp({ energyMilliWh, costMicros, per }: Budget, used: Used): LimitReached | undefined {
  if (energyMilliWh !== undefined && used.energyMilliWh >= energyMilliWh) {
    return { kind: 'energy', limit: energyMilliWh, reached: used.energyMilliWh, per }
  }
  const most = Math.max(0, ...used.costMicros.values())
  return costMicros !== undefined && most >= costMicros
    ? { kind: 'cost', limit: costMicros, reached: most, per }
    : undefined
}

/** What the charges of the day or month in which one began came to; those of a card are one row for each currency. */
export async function usedIn(
  store: Pick<Reads, 'listRecords'>,
  { accountId, id }: Pick<IdToken, 'accountId' | 'id'>,
  { per }: Budget,
  { from: periodFrom }: Period,
): Promise<Used> {
  const where = { accountId, idToken: id.toLowerCase(), per, periodFrom }
  return usedOf(await store.listRecords('budget_sums', { where, limit: MAX_CURRENCIES }))
}
