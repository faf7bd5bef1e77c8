/** Limits of one charge and budgets of cards: as fields, as what was typed, and in words (CONSOLE-G8, CONSOLE-G9). */
import type { FC } from 'hono/jsx'
import type { BudgetStanding } from '../../application/id-tokens/budget.ts'
import type { ChargeLimits, IdToken } from '../../domain/ports/id-tokens.ts'
import type { LimitReached, Session } from '../../domain/ports/sessions.ts'
import { roundCost } from '../../domain/sessions/figures/cost.ts'
import { comparedCosts } from '../../domain/sessions/figures/station-cost.ts'
import { showBudget, showLimits, showReached } from '../../domain/sessions/limits/limits.ts'
import type { StationCost, StationLimits, StationTerms } from '../../domain/sessions/limits/records.ts'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { shownDate, shownSpan, shownTime } from '../../web/times.tsx'
import { type Field, type Fields, typedNumber, withoutAbsent } from '../kit/form.tsx'
import { Bar, Chip, type Fact, Facts, Panel, wordsIn } from '../kit/parts.tsx'
import { shownCost } from '../shown-figures.tsx'

const MILLIONTHS = 1_000_000

/** As the API has them; undefined where nothing was typed. What is no number is left to its schema. */
export function typedLimits(form: URLSearchParams): Record<string, unknown> | undefined {
  const minutes = typedNumber(form, 'minutes')
  const limits = withoutAbsent({
    energyKwh: typedNumber(form, 'energyKwh'),
    cost: typedNumber(form, 'cost'),
    durationSeconds: minutes === undefined ? undefined : Math.round(minutes * 60),
  })
  return Object.keys(limits).length > 0 ? limits : undefined
}

/** null removes a limit. */
export function typedCardLimits(form: URLSearchParams): Record<string, unknown> {
  const most = typedNumber(form, 'most')
  const unit = form.get('unit') === 'energyKwh' ? 'energyKwh' : 'cost'
  return {
    sessionLimits: typedLimits(form) ?? null,
    budget: most === undefined ? null : { [unit]: most, per: form.get('per') ?? '' },
    priority: typedNumber(form, 'priority') ?? null,
  }
}

/** What the fields of `cardFields` are called. */
export const LIMIT_FIELDS: Readonly<Record<string, string>> = {
  'sessionLimits/energyKwh': 'energyKwh',
  'sessionLimits/cost': 'cost',
  'sessionLimits/durationSeconds': 'minutes',
  'budget/per': 'per',
  budget: 'most',
}

export function cardFields(frame: Frame, { sessionLimits = {}, budget, priority }: IdToken): Fields {
  const words = wordsIn('chargeLimits', frame)
  const { energyKwh, cost, durationSeconds } = showLimits(sessionLimits) ?? {}
  const most = budget && showBudget(budget)
  const amount = (name: 'energyKwh' | 'cost' | 'minutes' | 'most', value: number | undefined): Field => ({
    name,
    label: words[name],
    value: text(value),
    inputmode: 'decimal',
  })
  return [
    {
      legend: words.eachCharge,
      hint: `${words.limitsLead} ${words.costHint}`,
      beside: true,
      fields: [
        amount('energyKwh', energyKwh),
        amount('cost', cost),
        amount('minutes', durationSeconds === undefined ? undefined : durationSeconds / 60),
      ],
    },
    {
      legend: words.budget,
      hint: `${words.budgetLead} ${words.mostHint}`,
      beside: true,
      fields: [
        amount('most', most?.cost ?? most?.energyKwh),
        {
          name: 'unit',
          label: words.unit,
          value: most?.energyKwh === undefined ? 'cost' : 'energyKwh',
          options: words.units,
        },
        { name: 'per', label: words.per, value: most?.per ?? 'month', options: words.pers },
      ],
    },
    { name: 'priority', label: words.priority, value: text(priority), hint: words.priorityHint, inputmode: 'numeric' },
  ]
}

function text(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

/** Such as `10 kWh · 20.00 EUR · 2 h 00 min`. */
export function limitsText(frame: Frame, limits: ChargeLimits, currency: string | undefined): string {
  const { energyKwh, cost, durationSeconds } = showLimits(limits) ?? {}
  return [
    energyKwh !== undefined && kwh(frame, energyKwh),
    cost !== undefined && money(frame, cost, currency),
    durationSeconds !== undefined && shownSpan(frame, durationSeconds * 1000),
  ]
    .filter(Boolean)
    .join(' · ')
}

function reachedText(frame: Frame, reported: LimitReached, currency: string | undefined): string {
  const words = wordsIn('chargeLimits', frame)
  const { kind, limit, reached } = showReached(reported, currency)
  const figure = (value: number): string => {
    if (kind === 'energy') return kwh(frame, value)
    return kind === 'cost' ? money(frame, value, currency) : shownSpan(frame, value * 1000)
  }
  const what = reported.per === undefined ? words.kinds[kind] : words.budgetReached
  return `${what}: ${words.reachedOf(figure(reached), figure(limit))}`
}

function kwh(frame: Frame, value: number): string {
  return `${shownFigure(frame, value, 3)} kWh`
}

function money(frame: Frame, cost: number, currency: string | undefined): string {
  return currency === undefined ? shownFigure(frame, cost, 2) : shownCost(frame, { cost, currency })
}

interface Shares {
  readonly used: string
  readonly left: string
  readonly most: number
  readonly usedPart: number
}

/** Of money the currency of which most was used: amounts of two add up to nothing. */
function sharesOf(frame: Frame, { budget, used }: BudgetStanding): Shares {
  const { energyMilliWh, costMicros = 0 } = budget
  if (energyMilliWh !== undefined) {
    const left = Math.max(0, energyMilliWh - used.energyMilliWh)
    const shown = (milli: number): string => kwh(frame, milli / MILLIONTHS)
    return { used: shown(used.energyMilliWh), left: shown(left), most: energyMilliWh, usedPart: used.energyMilliWh }
  }
  const [[currency, most] = [undefined, 0]] = [...used.costMicros].sort(([, one], [, other]) => other - one)
  const shown = (micros: number): string => money(frame, micros / MILLIONTHS, currency)
  return { used: shown(most), left: shown(Math.max(0, costMicros - most)), most: costMicros, usedPart: most }
}

function standingText(frame: Frame, standing: BudgetStanding): string {
  const words = wordsIn('chargeLimits', frame)
  const { used, left } = sharesOf(frame, standing)
  const { per } = standing.budget
  const when = per === 'total' ? words.pers.total : `${words.per.toLowerCase()} ${words.pers[per]}`
  return `${words.usedLeft(used, left)} (${when})`
}

export const Standing: FC<{ frame: Frame; standing: BudgetStanding }> = ({ frame, standing }) => {
  const words = wordsIn('chargeLimits', frame)
  const { used, left, most, usedPart } = sharesOf(frame, standing)
  const { period, budget, isUsedUp } = standing
  return (
    <>
      <p>
        {words.usedLeft(used, left)} {isUsedUp && <Chip tone="bad held" text={words.usedUp} />}
      </p>
      <Bar
        label={words.usedLeft(used, left)}
        most={most}
        parts={[[isUsedUp ? 'bad' : 'grey', Math.min(usedPart, most)]]}
      />
      <p class="soft small">
        {budget.per === 'total'
          ? words.pers.total
          : `${shownDate(frame, period.from)} – ${shownDate(frame, period.below - 1)}`}
      </p>
    </>
  )
}

/** Such as `10 kWh · 23.80 EUR`; the cost is with tax. */
function stationLimitsText(frame: Frame, limits: StationLimits, currency: string | undefined): string {
  const { stateOfCharge } = limits
  const percent = stateOfCharge === undefined ? '' : `${shownFigure(frame, stateOfCharge)} %`
  return [limitsText(frame, limits, currency), percent].filter(Boolean).join(' · ')
}

function heldText(frame: Frame, { kind, at }: NonNullable<StationTerms['reached']>): string {
  const words = wordsIn('chargeLimits', frame)
  return words.heldSince(words.kinds[kind], shownTime(frame, at))
}

function stationCostText(
  frame: Frame,
  session: Session,
  { currency, netMicros, grossMicros, failure }: StationCost,
): string {
  const words = wordsIn('chargeLimits', frame)
  const { costDiffers, costNotComparable } = comparedCosts(session) ?? {}
  const amount = (micros: number, kind: string): string =>
    `${shownCost(frame, { cost: roundCost(micros, currency), currency })} ${kind}`
  const compared = costDiffers === true ? words.costDiffers : words.costEquals
  return [
    netMicros !== undefined && amount(netMicros, words.stationNet),
    grossMicros !== undefined && amount(grossMicros, words.stationGross),
    costNotComparable ? words.costReasons[costNotComparable] : compared,
    failure,
  ]
    .filter(Boolean)
    .join(' · ')
}

type LimitsPanelProps = { frame: Frame; session: Session; budget: BudgetStanding | undefined }

/** What the page of a session says of its limits (CONSOLE-G8, OCPP21-C3, OCPP21-C5); nothing where it has none. */
export const LimitsPanel: FC<LimitsPanelProps> = ({ frame, session, budget }) => {
  const { limits, limitReached, tariff, atStation: { limits: enforced, reached, tariffId, cost } = {} } = session
  const words = wordsIn('chargeLimits', frame)
  const facts: readonly Fact[] = [
    [words.each, limits && limitsText(frame, limits, tariff?.currency)],
    [words.atStation, enforced && stationLimitsText(frame, enforced, tariff?.currency)],
    [words.held, reached && !limitReached && heldText(frame, reached)],
    [words.reached, limitReached && reachedText(frame, limitReached, tariff?.currency)],
    [words.budgetOf, budget && standingText(frame, budget)],
    [words.stationTariff, tariffId],
    [words.stationCost, cost && stationCostText(frame, session, cost)],
  ]
  if (facts.every(([, value]) => !value)) return null
  return (
    <Panel title={words.limits}>
      <Facts facts={facts} />
    </Panel>
  )
}
