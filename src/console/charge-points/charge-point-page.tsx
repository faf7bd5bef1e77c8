import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { shownTime } from '../../web/times.tsx'
import { AnswerPanel, type Ordered } from '../commands/command-answer.tsx'
import { MainOrder, Outlets, StationOrders } from '../commands/outlets.tsx'
import type { HistoryEntry } from '../history/history.ts'
import { Lately } from '../history/history-rows.tsx'
import { Facts } from '../kit/facts.tsx'
import { Banner } from '../kit/frame.tsx'
import { OfStation } from '../kit/of-station.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { Labels } from './charge-points-page.tsx'
import { ConnectorFault, shownPlace } from './connector.tsx'
import { Message } from './long-message.tsx'
import { MessageLog, type MessageLogProps } from './message-log.tsx'
import type { ShownChargePoint } from './shown-charge-point.ts'
import { StationHead } from './station-head.tsx'
import { chargePointTexts } from './texts.ts'

interface ChargePointProps {
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  /** Sessions that are not over. */
  readonly open: readonly Session[]
  /** What came of the last order. */
  readonly ordered: Ordered
  /** What happened, newest first. */
  readonly lately: readonly HistoryEntry[]
  readonly log: MessageLogProps
  readonly salt: bigint
}

/** One charge point: what it is, its connectors and what may be done there, and everything it said or was told. */
export const ChargePointPage: FC<ChargePointProps> = ({ visit, chargePoint, open, ordered, lately, log, salt }) => {
  const { frame } = visit
  const { id, registrationStatus } = chargePoint.view
  const waits = registrationStatus === 'Pending'
  return (
    <Page frame={frame} title={id} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="status">
        {mayAct(visit) && !waits && <MainOrder visit={visit} chargePoint={chargePoint} />}
      </StationHead>
      <div data-live="answer">
        <AnswerPanel frame={frame} ordered={ordered} salt={salt} />
      </div>
      <div data-live="needs">
        {waits ? <Waits visit={visit} /> : <Faults frame={frame} chargePoint={chargePoint} />}
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
  return <Banner tone="waits" title={words.waitsTitle} told={words.waitsLead} />
}

/** What is wrong, in the station's words, with the way to what it said. */
const Faults: FC<{ frame: Frame; chargePoint: ShownChargePoint }> = ({ frame, chargePoint: { view, live } }) => {
  const words = chargePointTexts(frame)
  const faulted = live?.online ? view.connectors.filter(({ status }) => status.toLowerCase() === 'faulted') : []
  const said = `${chargePointPath(frame, view.id)}${queryText({ method: 'StatusNotification' })}#messages`
  return (
    <>
      {faulted.map((connector) => (
        <Banner
          tone="quiet"
          title={`${words.connectorTitle} ${shownPlace(connector)}:`}
          told={<ConnectorFault frame={frame} connector={connector} />}
        >
          <a class="button" href={said}>
            {words.itsMessage}
          </a>
        </Banner>
      ))}
    </>
  )
}

/** One message alone: where a session's timeline leads. */
export const MessagePage: FC<{ frame: Frame; message: Command; salt: bigint; baseUrl: string }> = ({
  frame,
  message,
  salt,
  baseUrl,
}) => (
  <Page frame={frame} title={message.method} wide live>
    <OfStation frame={frame} what={message.method} id={message.chargePointId} />
    <div class="card" data-live="message">
      <Message frame={frame} message={message} salt={salt} baseUrl={baseUrl} open />
    </div>
  </Page>
)

const About: FC<{ frame: Frame } & ShownChargePoint> = ({ frame, view, live }) => {
  const { texts } = frame
  const words = chargePointTexts(frame)
  const { status, registrationStatus, securityProfile } = view
  const lastSeenAt = live?.lastSeenAt ?? status.lastSeenAt
  return (
    <section class="card" aria-label={words.about}>
      <header>
        <h2>{words.about}</h2>
        {view.disabled && <span class="chip over">{texts.disabled}</span>}
      </header>
      <Facts
        facts={[
          [words.protocol, live?.protocol ?? status.protocol],
          [words.registration, words.registrations[registrationStatus]],
          [words.model, [status.vendor, status.model].filter((part) => part !== undefined).join(' ')],
          [words.serialNumber, status.serialNumber],
          [words.firmware, status.firmwareVersion],
          [words.profile, securityProfile],
          [words.lastBoot, status.bootedAt === undefined ? undefined : shownTime(frame, status.bootedAt)],
          [words.clock, live?.clockSkewMs === undefined ? undefined : words.clockSkew(live.clockSkewMs)],
          [words.lastSeen, lastSeenAt === undefined ? texts.never : shownTime(frame, lastSeenAt)],
        ]}
      />
      <Labels labels={view.labels ?? {}} />
    </section>
  )
}
