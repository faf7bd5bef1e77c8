/** What a charge would cost by the rules of sessions (COST-L1), before anything is saved (ADMIN-H1). */

import type { Child } from 'hono/jsx'
import { AMOUNT_HINT, microsOf } from '../../application/schemas/charge-limits.ts'
import type { Parsed } from '../../domain/message-log/fault.ts'
import type { TariffRates } from '../../domain/ports/storage-webhooks.ts'
import { type CostFacts, costMicros, NO_RATES, roundCost } from '../../domain/sessions/figures/cost.ts'
import { pricedBy } from '../../domain/sessions/figures/priced.ts'
import { rates } from '../../domain/tariffs/fields.ts'
import { withTaxPercent } from '../../domain/tax.ts'
import type { Faults, Frame, Typed } from '../../web/entries.tsx'
import { Table } from '../../web/parts/table.tsx'
import { type FieldGroup, faultsAt } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { inWords } from '../resource/cells.ts'
import { shownCost } from '../shown-figures.tsx'
import type { Visit } from '../visit.tsx'

export type Tried = Typed & { readonly outcome?: Child }

/** A year. */
const MAX_MINUTES = 527_040
const MINUTE_MS = 60_000
const MINUTES_HINT = 'must be a whole number of minutes, and the idle ones are among all of them'
const DEFAULT_CHARGE = { energy: '20', minutes: '60', idle: '0' }
const { perKwh, perMinute, perSession, idlePerMinute } = rates
const PARTS = { perKwh, perMinute, perSession, idlePerMinute }

/** @param to where the form is sent to be priced; absent: it asks for its own page */
export function group(frame: Frame, to: string | undefined, outcome: Child): FieldGroup {
  const words = wordsIn('tariffs', frame)
  const { energy, minutes, idle } = DEFAULT_CHARGE
  return {
    legend: to === undefined ? undefined : words.preview,
    fields: [
      {
        beside: true,
        fields: [
          { name: 'energy', label: words.previewEnergy, value: energy, inputmode: 'decimal' },
          { name: 'minutes', label: words.previewMinutes, value: minutes, inputmode: 'numeric' },
          { name: 'idle', label: words.previewIdle, value: idle, inputmode: 'numeric' },
        ],
      },
    ],
    more: (
      <>
        <button type="submit" formaction={to} formnovalidate>
          {words.previewButton}
        </button>
        <div data-tried="example" role="status">
          {outcome}
        </div>
      </>
    ),
  }
}

/** A visitor who may not change the tariff tries in the address. */
export function triedInAddress({ context, frame }: Visit, tariff: object, mayChange: boolean): Tried {
  const query = new URL(context.req.url).searchParams
  const isAsked = query.has('energy')
  const tried = tryOut(frame, { ok: true, value: tariff }, isAsked ? query : new URLSearchParams(DEFAULT_CHARGE))
  return { ...tried, form: isAsked && !mayChange ? query : new URLSearchParams() }
}

export function tryOut(frame: Frame, tariff: Parsed<object>, form: URLSearchParams): Tried {
  const charge = readCharge(form)
  const missed = 'faults' in charge ? charge.faults : undefined
  if (!tariff.ok || 'faults' in charge)
    return { form, faults: { ...(!tariff.ok && faultsAt(tariff.faults)), ...missed } }
  return { form, faults: {}, outcome: outcomeOf(frame, tariff.value as TariffRates, charge) }
}

function readCharge(form: URLSearchParams): CostFacts | { readonly faults: Faults } {
  const energyMilliWh = microsOf(form.get('energy')?.trim() ?? '')
  const [minutes, idle] = [minutesOf(form.get('minutes')), minutesOf(form.get('idle'))]
  const idleFits = idle !== undefined && idle <= (minutes ?? MAX_MINUTES)
  if (energyMilliWh !== undefined && minutes !== undefined && idleFits)
    return { energyMilliWh, elapsedMs: minutes * MINUTE_MS, idleMs: idle * MINUTE_MS }
  return {
    faults: {
      ...(energyMilliWh === undefined && { energy: AMOUNT_HINT }),
      ...(minutes === undefined && { minutes: MINUTES_HINT }),
      ...(!idleFits && { idle: MINUTES_HINT }),
    },
  }
}

function minutesOf(text: string | null): number | undefined {
  const typed = text?.trim() || '0'
  return /^\d{1,6}$/.test(typed) && Number(typed) <= MAX_MINUTES ? Number(typed) : undefined
}

/** Each part is rounded by itself: their sum may be a minor unit off the total. */
function outcomeOf(frame: Frame, tariff: TariffRates, facts: CostFacts) {
  const { currency } = tariff
  const whole = shownCost(frame, { cost: roundCost(netOf(frame, tariff, facts), currency), currency })
  const cost = (some: Partial<TariffRates>): string => {
    const micros = costMicros({ tariffId: '', version: 1, ...NO_RATES, ...some, currency }, facts)
    return shownCost(frame, { cost: roundCost(micros, currency), currency })
  }
  return (
    <Table
      plain
      rows={tariff.elements ? [] : (Object.keys(PARTS) as (keyof typeof PARTS)[])}
      columns={[
        { heads: true, cell: (rate) => inWords(frame, PARTS[rate].label) },
        { kind: 'number', cell: (rate) => cost({ [`${rate}Micros`]: tariff[`${rate}Micros`] }) },
      ]}
      foot={
        <tr>
          <th scope="row">{wordsIn('tariffs', frame).previewTotal}</th>
          <td class="number">
            <strong>{whole}</strong>
          </td>
        </tr>
      }
    />
  )
}

/** Of a charge that begins now. */
function netOf(frame: Frame, tariff: TariffRates, { energyMilliWh, elapsedMs, idleMs }: CostFacts): number {
  const parked = frame.now + elapsedMs - idleMs
  const pieces = [
    { start: frame.now, end: parked, energyMilliWh, isCharging: true },
    { start: parked, end: frame.now + elapsedMs, energyMilliWh: 0, isCharging: false },
  ]
  const frozen = withTaxPercent({ tariffId: '', version: 1, ...NO_RATES, ...tariff })
  return pricedBy(frozen, { pieces, timeZone: frame.timeZone }).netMicros
}
