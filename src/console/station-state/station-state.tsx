import type { FC } from 'hono/jsx'
import type { Connectivity } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, ConnectorView } from '../../domain/ports/storage-records.ts'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { sessionAt } from '../commands/command-page.tsx'
import { wordsIn } from '../kit/parts.tsx'

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
  <span class={`chip ${online ? (TONES[state] ?? '') : ''}`.trim()}>
    {wordsIn('chargePoints', frame).states[state]}
  </span>
)

export function statusWord(frame: Frame, status: string): string {
  return wordsIn('chargePoints', frame).statuses[status.toLowerCase()] ?? status
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
            {wordsIn('chargePoints', frame).partOf(shownFigure(frame, count), shownFigure(frame, of))}
          </span>
        )
      )}
    </>
  )
}

/** The worst of what is so at a charge point (CONSOLE-F5). Pure. */
const STATION_STATES = [
  'rejected',
  'pending',
  'disabled',
  'offline',
  'faulted',
  'charging',
  'occupied',
  'reserved',
  'unavailable',
  'available',
  'unknown',
] as const

export type StationState = (typeof STATION_STATES)[number]

interface StationStateSeen {
  readonly state: StationState
  readonly count?: number | undefined
  readonly of?: number | undefined
  /** Milliseconds since the epoch, where it is known. */
  readonly since?: number | undefined
  readonly faulted?: ConnectorView | undefined
}

interface Station {
  readonly view: ChargePointView
  readonly live?: Connectivity | undefined
  readonly open?: readonly Session[] | undefined
}

const OF_CONNECTOR: Readonly<Record<string, StationState>> = {
  faulted: 'faulted',
  charging: 'charging',
  occupied: 'occupied',
  preparing: 'occupied',
  suspendedev: 'occupied',
  suspendedevse: 'occupied',
  finishing: 'occupied',
  reserved: 'reserved',
  unavailable: 'unavailable',
  available: 'available',
}

/** Of a connector alone. 2.0.1 only says that there is a cable in it: its session says that it charges. */
export function connectorState(connector: ConnectorView, open: readonly Session[] = []): StationState {
  const said = OF_CONNECTOR[connector.status.toLowerCase()] ?? 'unknown'
  return said === 'occupied' && sessionAt(connector, open)?.state === 'charging' ? 'charging' : said
}

export function stationState({ view, live, open = [] }: Station): StationStateSeen {
  const { registrationStatus, disabled, status, connectors } = view
  if (registrationStatus === 'Rejected') return { state: 'rejected', since: live?.lastSeenAt ?? status.lastSeenAt }
  if (registrationStatus === 'Pending') return { state: 'pending', since: view.createdAt }
  if (disabled) return { state: 'disabled' }
  if (!live?.online) return { state: 'offline', since: live?.lastSeenAt ?? status.lastSeenAt }
  const outlets = connectors.filter(isOutlet)
  // The station's own status counts where it is worse than that of its connectors.
  const seen = connectors
    .map((connector) => ({ connector, state: connectorState(connector, open) }))
    .filter(({ connector, state }) => isOutlet(connector) || state === 'faulted' || outlets.length === 0)
  const state = STATION_STATES.find((requested) =>
    // One connector out of service leaves the others to their drivers.
    requested === 'unavailable'
      ? seen.length > 0 && seen.every((one) => one.state === requested)
      : seen.some((one) => one.state === requested),
  )
  if (state === undefined) return { state: 'unknown' }
  const those = seen.filter((one) => one.state === state).map(({ connector }) => connector)
  const sinces = those.map(({ since, updatedAt }) => since ?? updatedAt)
  return {
    state,
    count: those.length,
    of: seen.length,
    since: Math.min(...sinces),
    ...(state === 'faulted' && {
      faulted: those.toSorted((a, b) => (a.since ?? a.updatedAt) - (b.since ?? b.updatedAt))[0],
    }),
  }
}

function isOutlet({ evseId, connectorId }: ConnectorView): boolean {
  return connectorId > 0 || (evseId ?? 0) > 0
}
