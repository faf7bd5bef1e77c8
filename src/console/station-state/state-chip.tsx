import type { FC } from 'hono/jsx'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { chargePointTexts } from '../kit/texts.ts'
import type { StationState, StationStateSeen } from './station-state.ts'

/** Red and amber: needs attention. Blue: a car charges. The rest is gray. */
const TONES: Readonly<Partial<Record<StationState, string>>> = {
  rejected: 'amber held',
  pending: 'amber',
  offline: 'amber',
  faulted: 'bad',
  charging: 'charging',
  disabled: 'over',
  unavailable: 'over',
}

type StateWordProps = { frame: Frame; state: StationState; online?: boolean }

export const StateWord: FC<StateWordProps> = ({ frame, state, online = true }) => (
  <span class={`chip ${online ? (TONES[state] ?? '') : ''}`.trim()}>{chargePointTexts(frame).states[state]}</span>
)

export function statusWord(frame: Frame, status: string): string {
  return chargePointTexts(frame).statuses[status.toLowerCase()] ?? status
}

export const StationChip: FC<{ frame: Frame; seen: StationStateSeen }> = ({ frame, seen }) => {
  const { state, count = 0, of = 0, faulted } = seen
  const code = faulted?.errorCode
  return (
    <>
      <StateWord frame={frame} state={state} />
      {code !== undefined && code !== 'NoError' ? (
        <span class="soft no-phone">
          {' '}
          <bdi>{code}</bdi>
        </span>
      ) : (
        of > 1 &&
        (state === 'charging' || state === 'occupied' || state === 'faulted') && (
          <span class="soft no-phone">
            {' '}
            {chargePointTexts(frame).partOf(shownFigure(frame, count), shownFigure(frame, of))}
          </span>
        )
      )}
    </>
  )
}
