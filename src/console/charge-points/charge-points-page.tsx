import type { FC } from 'hono/jsx'
import type { Connectivity } from '../../ports/core.ts'
import type { ChargePointView } from '../../ports/storage.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { chargePointPath } from '../paths.ts'
import { operatorTexts } from '../texts.ts'

export interface ShownChargePoint {
  readonly view: ChargePointView
  /** What the core knows of it now. */
  readonly live?: Connectivity
}

/** The account's charge points by id; administrators approve or reject those that wait. */
export const ChargePointsPage: FC<{
  frame: Frame
  chargePoints: readonly ShownChargePoint[]
  /** Absent: may not approve. */
  csrf?: string
  /** Not the first page. */
  later: boolean
  /** Id of the last one shown, when there are more. */
  next?: string
}> = ({ frame, chargePoints, csrf, later, next }) => {
  const { texts, root } = frame
  const words = operatorTexts(frame)
  return (
    <Page frame={frame} title={texts.chargePoints} wide live>
      <h1>{texts.chargePoints}</h1>
      <div data-live="charge-points">
        {chargePoints.length === 0 ? (
          <p class="card soft">{texts.noChargePoints}</p>
        ) : (
          <div class="card scrolls">
            <table>
              <thead>
                <tr>
                  <th>{words.chargePoint}</th>
                  <th>{words.registration}</th>
                  <th>{words.state}</th>
                  <th>{words.connectors}</th>
                  <th>{words.model}</th>
                  <th>{words.firmware}</th>
                  <th>{words.lastSeen}</th>
                </tr>
              </thead>
              <tbody>
                {chargePoints.map((chargePoint) => (
                  <ChargePointRow frame={frame} {...chargePoint} {...(csrf !== undefined && { csrf })} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p class="filters">
          {later && <a href={`${root}/charge-points`}>{words.first}</a>}
          {next !== undefined && (
            <a href={`${root}/charge-points?${new URLSearchParams({ after: next })}`} rel="next">
              {words.next}
            </a>
          )}
        </p>
      </div>
    </Page>
  )
}

const ChargePointRow: FC<{ frame: Frame; csrf?: string } & ShownChargePoint> = ({ frame, view, live, csrf }) => {
  const { texts } = frame
  const words = operatorTexts(frame)
  const { id, name, status, connectors, registrationStatus, disabled, securityProfile, passwordHash } = view
  const needsPassword = securityProfile !== 0 && passwordHash === undefined
  const lastSeenAt = live?.lastSeenAt ?? status.lastSeenAt
  return (
    <tr>
      <td class="name">
        <a class="host" href={chargePointPath(frame, id)}>
          {id}
        </a>
        {name !== undefined && <div class="soft">{name}</div>}
      </td>
      <td>
        {words.registrations[registrationStatus]} {disabled && texts.disabled}
        {registrationStatus === 'Pending' && csrf !== undefined && (
          <Decision frame={frame} id={id} csrf={csrf} needsPassword={needsPassword} />
        )}
      </td>
      <td>
        <span class={`chip ${live?.online ? 'good' : ''}`}>{live?.online ? texts.online : texts.offline}</span>
        <div class="soft">{live?.protocol ?? status.protocol}</div>
      </td>
      <td>
        {connectors.map(({ evseId, connectorId, status: connectorStatus, errorCode }) => (
          <div>
            {evseId === undefined ? connectorId : `${evseId}/${connectorId}`} {connectorStatus}
            {errorCode !== undefined && errorCode !== 'NoError' && <span class="soft"> {errorCode}</span>}
          </div>
        ))}
      </td>
      <td>{[status.vendor, status.model].filter((part) => part !== undefined).join(' ')}</td>
      <td>{status.firmwareVersion}</td>
      <td class="time">{lastSeenAt === undefined ? texts.never : shownTime(lastSeenAt)}</td>
    </tr>
  )
}

/** OCPP-AU5: approved without a password, the identity would be open to everybody who knows it. */
const Decision: FC<{ frame: Frame; id: string; csrf: string; needsPassword: boolean }> = ({
  frame,
  id,
  csrf,
  needsPassword,
}) => {
  const words = operatorTexts(frame)
  return (
    <form method="post" action={`${chargePointPath(frame, id)}/registration`}>
      <input type="hidden" name="csrf" value={csrf} />
      {needsPassword && (
        <label>
          {words.stationPassword}
          <input type="text" name="password" required minlength={16} maxlength={40} autocomplete="off" />
          <span class="soft">{words.stationPasswordHint}</span>
        </label>
      )}
      <div class="filters">
        <button class="main" type="submit" name="registrationStatus" value="Accepted">
          {words.approve}
        </button>
        <button class="danger" type="submit" name="registrationStatus" value="Rejected" formnovalidate>
          {words.reject}
        </button>
      </div>
    </form>
  )
}
