import type { FC } from 'hono/jsx'
import type { ConnectorView } from '../../domain/ports/storage-records.ts'
import type { Frame } from '../../web/entries.tsx'
import { Since } from '../../web/times.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { connectorState, StateWord, statusWord } from '../station-state/station-state.tsx'

type ConnectorPosition = Pick<ConnectorView, 'evseId' | 'connectorId'>

/** EVSE and connector in 2.0.1, the connector in 1.6. */
export function shownPlace({ evseId, connectorId }: ConnectorPosition): string {
  return evseId === undefined ? String(connectorId) : `${evseId}/${connectorId}`
}

type StatusChipProps = { frame: Frame; connector: ConnectorView; online: boolean }

/** In the words of lists, with the station's own where these say more. Of a station that is offline it is old: grey. */
export const StatusChip: FC<StatusChipProps> = ({ frame, connector, online }) => {
  const state = connectorState(connector)
  return (
    <span title={connector.status}>
      <StateWord frame={frame} state={state} online={online} />
      {(state === 'occupied' || state === 'unknown') && connector.status !== 'Occupied' && (
        <span class="soft">
          {' '}
          <bdi>{statusWord(frame, connector.status)}</bdi>
        </span>
      )}
    </span>
  )
}

type ConnectorFaultProps = { frame: Frame; connector: ConnectorView; placed?: boolean | undefined }

/** @param placed says which connector it is */
export const ConnectorFault: FC<ConnectorFaultProps> = ({ frame, connector, placed = false }) => {
  const words = wordsIn('chargePoints', frame)
  const { errorCode, vendorErrorCode, info, since, updatedAt } = connector
  const reported = errorCode !== undefined && errorCode !== 'NoError' ? errorCode : undefined
  return (
    <span class="fault">
      {placed && (
        <span class="soft">
          {words.connector} {shownPlace(connector)}
        </span>
      )}{' '}
      {reported !== undefined && <bdi class="warn-text">{reported}</bdi>}{' '}
      {vendorErrorCode !== undefined && <bdi class="host">{vendorErrorCode}</bdi>}{' '}
      {info !== undefined && <bdi class="soft">{info}</bdi>}{' '}
      <span class="soft">
        {words.lasting} <Since frame={frame} at={since ?? updatedAt} />
      </span>
    </span>
  )
}
