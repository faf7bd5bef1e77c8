import type { FC } from 'hono/jsx'
import type { FrozenTariff, Session } from '../../domain/ports/sessions.ts'
import { type CostPart, currencyExponent, roundCost } from '../../domain/sessions/figures/cost.ts'
import type { Frame } from '../../web/layout.tsx'
import { TableCard } from '../kit/table.tsx'
import { shownCost, shownDuration } from '../shown-figures.tsx'
import { sessionTexts } from './session-texts.ts'

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
      plain
      rows={parts}
      columns={[
        { title: more.part, heads: true, cell: ({ part }) => more.parts[part] },
        { title: more.quantity, kind: 'number', cell: ({ part, quantity }) => shownQuantity(part, quantity) },
        {
          title: more.price,
          kind: 'number',
          cell: ({ part, priceMicros }) => shownMicros(priceMicros, currency) + UNITS[part],
        },
        { title: more.amount, kind: 'number', cell: ({ micros }) => shownMicros(micros, currency) },
      ]}
      foot={
        <tr>
          <th scope="row">{more.sum}</th>
          <td />
          <td />
          <td class="number">
            <strong>{shownCost({ cost: sum, currency })}</strong>
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

function shownQuantity(part: CostPart['part'], quantity: number): string {
  if (part === 'session') return ''
  return part === 'energy' ? `${(quantity / 1_000_000).toFixed(3)} kWh` : shownDuration(Math.floor(quantity / 1000))
}

/** Exact, with at least the decimals of the currency. */
function shownMicros(micros: number, currency: string): string {
  const least = currencyExponent(currency)
  const [whole = '', fraction = ''] = (micros / 1_000_000).toFixed(6).split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(least, '0')
  return `${whole}${kept === '' ? '' : `.${kept}`} ${currency}`
}
