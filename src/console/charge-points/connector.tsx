import type { FC } from 'hono/jsx'
import type { ConnectorView } from '../../domain/ports/storage.ts'
import { type Frame, shownTime } from '../../web/layout.tsx'
import { chargePointTexts } from './texts.ts'

type Place = Pick<ConnectorView, 'evseId' | 'connectorId'>

/** EVSE and connector in 2.0.1, the connector in 1.6. */
export function shownPlace({ evseId, connectorId }: Place): string {
  return evseId === undefined ? String(connectorId) : `${evseId}/${connectorId}`
}

const TONES: Readonly<Record<string, string>> = {
  available: 'good',
  charging: 'good',
  occupied: 'good',
  faulted: 'bad',
  unavailable: 'bad',
}

/** Colour never says alone what text says beside it. What stands for itself while the station is offline is old. */
export const StatusChip: FC<{ connector: Pick<ConnectorView, 'status'>; online: boolean }> = ({
  connector,
  online,
}) => (
  <span class={`chip ${online ? (TONES[connector.status.toLowerCase()] ?? '') : ''}`}>
    <bdi>{connector.status}</bdi>
  </span>
)

/** Error code, the vendor's own, its words, and since when. @param placed says which connector it is */
export const ConnectorFault: FC<{ frame: Frame; connector: ConnectorView; placed?: boolean | undefined }> = ({
  frame,
  connector,
  placed = false,
}) => {
  const words = chargePointTexts(frame)
  const { errorCode, vendorErrorCode, info, since, updatedAt } = connector
  const told = errorCode !== undefined && errorCode !== 'NoError' ? errorCode : undefined
  return (
    <span class="fault">
      {placed && (
        <span class="soft">
          {words.connector} {shownPlace(connector)}
        </span>
      )}{' '}
      {told !== undefined && <bdi class="warn-text">{told}</bdi>}{' '}
      {vendorErrorCode !== undefined && <bdi class="host">{vendorErrorCode}</bdi>}{' '}
      {info !== undefined && <bdi class="soft">{info}</bdi>}{' '}
      <span class="soft">
        {words.since} {shownTime(since ?? updatedAt)}
      </span>
    </span>
  )
}
