import type { FC } from 'hono/jsx'
import type { Connectivity } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { sessionAt } from '../commands/legal.ts'
import { chargePointPath, sessionPath } from '../paths.ts'
import { StateChip } from '../shown-figures.tsx'
import { operatorTexts } from '../texts.ts'
import { ConnectorFault, StatusChip, shownPlace } from './connector.tsx'
import { Decision } from './decision.tsx'
import type { ListQuery } from './list-query.ts'
import { Narrowing } from './narrowing.tsx'
import { chargePointTexts } from './texts.ts'

export interface ShownChargePoint {
  readonly view: ChargePointView
  /** What the core knows of it now. */
  readonly live?: Connectivity
  /** Sessions that run there, where a connector says no more than that it is taken. */
  readonly open?: readonly Session[]
}

/** The account's charge points: found, sorted and narrowed by the address alone. */
export const ChargePointsPage: FC<{
  frame: Frame
  query: ListQuery
  chargePoints: readonly ShownChargePoint[]
  /** Absent: may not act. */
  csrf?: string
  /** The last one shown, when there are more. */
  next?: { readonly after: string; readonly by: string }
}> = ({ frame, query, chargePoints, csrf, next }) => {
  const { texts, root } = frame
  const words = operatorTexts(frame)
  const own = chargePointTexts(frame)
  const path = `${root}/charge-points`
  const link = (more: Readonly<Record<string, string>>): string => {
    const all = new URLSearchParams([...query.asked, ...Object.entries(more)])
    return all.size > 0 ? `${path}?${all}` : path
  }
  return (
    <Page frame={frame} title={texts.chargePoints} wide live>
      <div class="heading">
        <h1>{texts.chargePoints}</h1>
        <p class="filters">
          {csrf !== undefined && <a href={`${root}/new-charge-point`}>{own.add}</a>}
          <a href={`${path}.csv${query.asked.size > 0 ? `?${query.asked}` : ''}`} download>
            {own.csv}
          </a>
        </p>
      </div>
      <Narrowing frame={frame} path={path} query={query} />
      <div data-live="charge-points">
        {chargePoints.length === 0 ? (
          <p class="card soft">{query.asked.size > 0 ? texts.noMatches : texts.noChargePoints}</p>
        ) : (
          <section class="card scrolls" tabindex={0} aria-label={texts.chargePoints}>
            <table class="cards">
              <Headings
                of={[
                  words.chargePoint,
                  own.columns.registration,
                  own.connection,
                  own.connectors,
                  own.columns.model,
                  own.columns.firmware,
                  own.columns.lastSeen,
                ]}
              />
              <tbody>
                {chargePoints.map((chargePoint) => (
                  <ChargePointRow frame={frame} {...chargePoint} {...(csrf !== undefined && { csrf })} />
                ))}
              </tbody>
            </table>
          </section>
        )}
        <p class="filters">
          {query.after && <a href={link({})}>{words.first}</a>}
          {next && (
            <a href={link(query.sort === 'id' ? { after: next.after } : next)} rel="next">
              {words.next}
            </a>
          )}
        </p>
      </div>
    </Page>
  )
}

const ChargePointRow: FC<{ frame: Frame; csrf?: string | undefined } & ShownChargePoint> = ({
  frame,
  view,
  live,
  open = [],
  csrf,
}) => {
  const { texts } = frame
  const words = operatorTexts(frame)
  const { columns, connection, connectors: connectorsWord } = chargePointTexts(frame)
  const { id, name, status, connectors, registrationStatus, disabled, labels = {} } = view
  const lastSeenAt = live?.lastSeenAt ?? status.lastSeenAt
  const online = live?.online ?? false
  return (
    <tr>
      <td class="name">
        <a class="host" href={chargePointPath(frame, id)}>
          <bdi>{id}</bdi>
        </a>
        {name !== undefined && (
          <div class="soft">
            <bdi>{name}</bdi>
          </div>
        )}
        <Labels labels={labels} />
      </td>
      <td data-label={columns.registration}>
        {words.registrations[registrationStatus]} {disabled && texts.disabled}
        {registrationStatus === 'Pending' && csrf !== undefined && <Decision frame={frame} view={view} csrf={csrf} />}
      </td>
      <td data-label={connection}>
        <span class={`chip ${online ? 'good' : ''}`}>{online ? texts.online : texts.offline}</span>
        <div class="soft">{live?.protocol ?? status.protocol}</div>
      </td>
      <td data-label={connectorsWord}>
        {connectors.map((connector) => (
          <div class="connector">
            {shownPlace(connector)} <StatusChip connector={connector} online={online} />{' '}
            <Running frame={frame} session={sessionAt(connector, open)} />
            {connector.status.toLowerCase() === 'faulted' && <ConnectorFault frame={frame} connector={connector} />}
          </div>
        ))}
      </td>
      <TextCell
        label={columns.model}
        text={[status.vendor, status.model].filter((part) => part !== undefined).join(' ')}
      />
      <TextCell label={columns.firmware} text={status.firmwareVersion} />
      <td class="time" data-label={columns.lastSeen}>
        {lastSeenAt === undefined ? texts.never : shownTime(lastSeenAt)}
      </td>
    </tr>
  )
}

/** CONSOLE-A9: 2.0.1 says Occupied of every connector with a cable in it. */
const Running: FC<{ frame: Frame; session: Session | undefined }> = ({ frame, session }) =>
  session ? (
    <a href={sessionPath(frame, session.id)}>
      <StateChip frame={frame} state={session.state} />
    </a>
  ) : null

export const Labels: FC<{ labels: Readonly<Record<string, string>> }> = ({ labels }) => (
  <div class="labels">
    {Object.entries(labels).map(([key, value]) => (
      <span class="label">
        {key}: <bdi>{value}</bdi>
      </span>
    ))}
  </div>
)
