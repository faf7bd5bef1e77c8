import type { FC } from 'hono/jsx'
import type { FrozenTariff, Session } from '../../domain/ports/sessions.ts'
import { type CostPart, currencyExponent, roundCost } from '../../domain/sessions/figures/cost.ts'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { sessionTexts } from '../kit/texts.ts'
import { exactDuration, shownCost, shownEnergy } from '../shown-figures.tsx'

/** The cost by the parts of the tariff that the session began with (CONSOLE-C8). */
export const CostCard: FC<{
  frame: Frame
  session: Session
  tariff: FrozenTariff
  parts: readonly CostPart[]
}> = ({ frame, session, tariff: { currency }, parts }) => {
  const more = sessionTexts(frame)
  const sum = roundCost(
    parts.reduce((total, { micros }) => total + micros, 0),
    currency,
  )
  const shown = session.cost && roundCost(session.cost.micros, session.cost.currency)
  const differs = session.costFixed ? more.costFixed : shown !== undefined && shown !== sum ? more.otherCost : undefined
  return (
    <TableCard
      label={more.breakdown}
      heading={more.breakdown}
      before={differs !== undefined && <p class="soft">{differs}</p>}
      oneLine
      rows={parts}
      columns={[
        { title: more.part, heads: true, cell: ({ part }) => more.parts[part] },
        { title: more.quantity, kind: 'number', cell: ({ part, quantity }) => shownQuantity(frame, part, quantity) },
        {
          title: more.price,
          kind: 'number',
          wideOnly: true,
          cell: ({ part, priceMicros }) => shownMicros(frame, priceMicros, currency) + UNITS[part],
        },
        { title: more.amount, kind: 'number', cell: ({ micros }) => shownMicros(frame, micros, currency) },
      ]}
      foot={
        <tr>
          <th scope="row">{more.sum}</th>
          <td />
          <td class="no-phone" />
          <td class="number">
            <strong>{shownCost(frame, { cost: sum, currency })}</strong>
          </td>
        </tr>
      }
      after={<p class="soft">{more.costNet}</p>}
    />
  )
}

const UNITS: Readonly<Record<CostPart['part'], string>> = {
  energy: ' / kWh',
  time: ' / min',
  idle: ' / min',
  session: '',
}

function shownQuantity(frame: Frame, part: CostPart['part'], quantity: number): string {
  if (part === 'session') return ''
  if (part !== 'energy') return exactDuration(Math.floor(quantity / 1000))
  return shownEnergy(frame, { energyKwh: quantity / 1_000_000 })
}

/** Exact, with at least the decimals of the currency. */
function shownMicros(frame: Frame, micros: number, currency: string): string {
  const fraction = (micros / 1_000_000).toFixed(6).split('.')[1]?.replace(/0+$/, '') ?? ''
  const digits = Math.max(fraction.length, currencyExponent(currency))
  return `${shownFigure(frame, micros / 1_000_000, digits)} ${currency}`
}
