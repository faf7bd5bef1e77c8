import type { FC } from 'hono/jsx'
import type { Session, SessionState as State } from '../domain/ports/sessions.ts'
import { currencyExponent } from '../domain/sessions/figures/cost.ts'
import type { PublicSession } from '../domain/sessions/figures/representation.ts'
import type { Frame } from '../web/entries.tsx'
import { MAX_IN_UNIT, shownAmount, shownFigure } from '../web/figures.tsx'
import { Chip, wordsIn } from './kit/parts.tsx'

export function shownEnergy(frame: Frame, { energyKwh }: Pick<PublicSession, 'energyKwh'>): string {
  return Math.abs(energyKwh) < MAX_IN_UNIT ? `${shownFigure(frame, energyKwh, 3)} kWh` : shownAmount(frame, energyKwh)
}

/** Empty while the cost is unknown, which is not the same as free. */
export function shownCost(
  frame: Frame,
  { cost, currency }: { readonly cost?: number | undefined; readonly currency?: string | undefined },
): string {
  if (cost === undefined || currency === undefined) return ''
  return `${shownFigure(frame, cost, currencyExponent(currency))} ${currency}`
}

/** Exact, with at least the decimals of the currency. */
export function shownMicros(frame: Frame, micros: number, currency: string): string {
  const fraction = (micros / 1_000_000).toFixed(6).split('.')[1]?.replace(/0+$/, '') ?? ''
  return shownFigure(frame, micros / 1_000_000, Math.max(fraction.length, currencyExponent(currency)))
}

const TONES: Readonly<Partial<Record<State, string>>> = {
  charging: 'charging',
  completed: 'over',
  failed: 'bad held',
}

export const StateChip: FC<{ frame: Frame; state: State; tone?: 'amber' }> = ({ frame, state, tone }) => (
  <Chip tone={tone ?? TONES[state] ?? ''} text={wordsIn('sessions', frame).sessionStates[state]} />
)

type SessionStateProps = { frame: Frame; session: Session; isOffline: boolean }

/** CONSOLE-C6: why it ended, that a stop is under way, that the station is offline and nothing of this is fresh. */
export const SessionState: FC<SessionStateProps> = ({ frame, session, isOffline }) => {
  const words = wordsIn('sessions', frame)
  const { state, endReason, stopRequestedAt } = session
  const isOver = state === 'completed' || state === 'failed'
  return (
    <>
      <StateChip frame={frame} state={state} {...(isOffline && { tone: 'amber' })} />
      {isOffline && <span class="amber"> {words.offline}</span>}
      {!isOver && stopRequestedAt !== undefined && <span class="soft"> {words.stopping}</span>}
      {endReason !== undefined && endReason !== 'normal' && <span class="soft"> {words.endReasons[endReason]}</span>}
    </>
  )
}

export function shownDuration(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${String(minutes).padStart(2, '0')} min`
  return minutes > 0 ? `${minutes} min` : `${seconds} s`
}

export function exactDuration(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (figure: number): string => String(figure).padStart(2, '0')
  return `${hours}:${two(minutes)}:${two(rest)}`
}
