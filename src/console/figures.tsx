/** Figures and states as all of the operator's pages show them. */
import type { FC } from 'hono/jsx'
import type { SessionState } from '../ports/sessions.ts'
import { currencyExponent } from '../sessions/figures/cost.ts'
import type { PublicSession } from '../sessions/figures/representation.ts'
import type { Frame } from '../web/layout.tsx'
import { operatorTexts } from './texts.ts'

export function shownEnergy({ energyKwh }: Pick<PublicSession, 'energyKwh'>): string {
  return `${energyKwh.toFixed(3)} kWh`
}

/** Empty while the cost is unknown, which is not the same as free. */
export function shownCost({ cost, currency }: { readonly cost?: number; readonly currency?: string }): string {
  return cost === undefined || currency === undefined ? '' : `${cost.toFixed(currencyExponent(currency))} ${currency}`
}

const TONES: Readonly<Partial<Record<SessionState, string>>> = { charging: 'good', failed: 'bad' }

export const StateChip: FC<{ frame: Frame; state: SessionState }> = ({ frame, state }) => (
  <span class={`chip ${TONES[state] ?? ''}`}>{operatorTexts(frame).sessionStates[state]}</span>
)
