import type { Command } from '../../domain/ports/storage-records.ts'
import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import { protocolName } from '../../ocpp/protocols.ts'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { shownTime } from '../../web/times.tsx'
import { AnswerPanel, type Ordered } from '../commands/command-answer.tsx'
import { Outlets, StationOrders } from '../commands/outlets.tsx'
import type { HistoryEntry } from '../history/history.ts'
import { Lately } from '../history/history-rows.tsx'
import { shareOf } from '../history/online-spans.ts'
import { ButtonLink, Chip } from '../kit/columns.tsx'
import { Facts } from '../kit/facts.tsx'
import { Banner } from '../kit/frame.tsx'
import { Strip } from '../kit/spark.tsx'
import { type ChargePointTexts, chargePointTexts } from '../kit/texts.ts'
import { takenBy } from '../overview/needs.ts'
import { Taken } from '../overview/needs-table.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { Labels } from './charge-points-page.tsx'
import { ConnectorFault, shownPlace } from './connector.tsx'
import { Message } from './long-message.tsx'
import { MessageLog, type MessageLogProps } from './message-log.tsx'
import type { ShownChargePoint } from './shown-charge-point.ts'
import { StationHead } from './station-head.tsx'

export const ChargePointPage: FC<{
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly open: readonly Session[]
  readonly ordered: Ordered
  readonly lately: readonly HistoryEntry[]
  readonly log: MessageLogProps
  readonly salt: bigint
}> = ({ visit, chargePoint, open, ordered, lately, log, salt }) => {
  const { frame } = visit
  const { id, registrationStatus } = chargePoint.view
  const waits = registrationStatus === 'Pending'
  return (
    <Page frame={frame} title={id} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="status" />
      <div data-live="answer">
        <AnswerPanel frame={frame} ordered={ordered} salt={salt} />
      </div>
      <div data-live="needs">
        {waits ? <Waits visit={visit} /> : <Faults visit={visit} chargePoint={chargePoint} />}
      </div>
      {!waits && (
        <div data-live="outlets">
          <Outlets visit={visit} chargePoint={chargePoint} open={open} />
        </div>
      )}
      <div class="cols">
        <div>
          {mayAct(visit) && (
            <div data-live="orders">
              <StationOrders visit={visit} chargePoint={chargePoint} />
            </div>
          )}
          <div data-live="lately">
            <Lately frame={frame} entries={lately} />
          </div>
        </div>
        <div data-live="facts">
          <About frame={frame} {...chargePoint} />
        </div>
      </div>
      <MessageLog frame={frame} chargePointId={id} path={chargePointPath(frame, id)} salt={salt} {...log} />
    </Page>
  )
}

const Waits: FC<{ visit: Visit }> = ({ visit: { frame } }) => {
  const words = chargePointTexts(frame)
  return <Banner tone="waits" title={words.waitsTitle} reported={words.waitsLead} />
}

const Faults: FC<{ visit: Visit; chargePoint: ShownChargePoint }> = ({ visit, chargePoint: { view, live, care } }) => {
  const { frame } = visit
  const words = chargePointTexts(frame)
  const faulted = live?.online ? view.connectors.filter(({ status }) => status.toLowerCase() === 'faulted') : []
  const said = `${chargePointPath(frame, view.id)}${queryText({ method: 'StatusNotification' })}#messages`
  return (
    <>
      {faulted.map((connector) => (
        <Banner
          tone="quiet"
          title={`${words.connectorTitle} ${shownPlace(connector)}:`}
          reported={<ConnectorFault frame={frame} connector={connector} />}
        >
          <Taken visit={visit} id={view.id} care={takenBy(care, connector.since ?? connector.updatedAt)} at="station" />
          <ButtonLink to={said} text={words.itsMessage} />
        </Banner>
      ))}
    </>
  )
}

export const MessagePage: FC<{
  visit: Visit
  chargePoint: ShownChargePoint
  message: Command
  salt: bigint
  baseUrl: string
}> = ({ visit, chargePoint, visit: { frame }, message, salt, baseUrl }) => (
  <Page frame={frame} title={message.method} wide live>
    <StationHead visit={visit} chargePoint={chargePoint} at="log" />
    <div class="card" data-live="message">
      <Message frame={frame} message={message} salt={salt} baseUrl={baseUrl} open />
    </div>
  </Page>
)

const About: FC<{ frame: Frame } & ShownChargePoint> = ({ frame, view, live, wasOnline }) => {
  const { texts } = frame
  const words = chargePointTexts(frame)
  const { status, registrationStatus, securityProfile } = view
  const lastSeenAt = live?.lastSeenAt ?? status.lastSeenAt
  const protocol = live?.protocol ?? status.protocol
  return (
    <section class="card" aria-label={words.about}>
      <header>
        <h2>{words.about}</h2>
        {view.disabled && <Chip tone="over" text={texts.disabled} />}
      </header>
      <Facts
        facts={[
          [words.protocol, protocol && protocolName(protocol)],
          [words.registration, words.registrations[registrationStatus]],
          [words.model, [status.vendor, status.model].filter((part) => part !== undefined).join(' ')],
          [words.serialNumber, status.serialNumber],
          [words.firmware, status.firmwareVersion],
          [words.profile, securityProfile],
          [words.lastBoot, status.bootedAt === undefined ? undefined : shownTime(frame, status.bootedAt)],
          [words.clock, live?.clockSkewMs === undefined ? undefined : clockSkew(words, live.clockSkewMs)],
          [words.lastSeen, lastSeenAt === undefined ? texts.never : shownTime(frame, lastSeenAt)],
        ]}
      />
      <Labels labels={view.labels ?? {}} />
      {wasOnline && <OnlineLately frame={frame} {...wasOnline} />}
    </section>
  )
}

/** CONSOLE-F8: the last day as a bar, and in words. */
const OnlineLately: FC<{ frame: Frame } & NonNullable<ShownChargePoint['wasOnline']>> = ({
  frame,
  from,
  to,
  spans,
}) => {
  const words = chargePointTexts(frame)
  const reported = words.onlineLately(shownFigure(frame, shareOf(spans, from, to) ?? 0, 1))
  return (
    <div>
      <p class="soft small">{reported}</p>
      <Strip label={reported} from={from} to={to} spans={spans} />
    </div>
  )
}

/** To the minute; undefined: less than one. */
function clockSkew(words: ChargePointTexts, ms: number): string | undefined {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  if (Math.abs(ms) < 60_000) return undefined
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const span = hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
  return ms > 0 ? words.clockAhead(span) : words.clockBehind(span)
}
