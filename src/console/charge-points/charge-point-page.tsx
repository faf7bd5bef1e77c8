import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { AnswerPanel, type Ordered } from '../commands/command-answer.tsx'
import { Outlets, StationOrders } from '../commands/outlets.tsx'
import type { HistoryEntry } from '../history/history.ts'
import { Lately } from '../history/history-rows.tsx'
import { Facts } from '../kit/facts.tsx'
import { OfStation } from '../kit/of-station.tsx'
import { chargePointPath, sessionsPath } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { Labels, type ShownChargePoint } from './charge-points-page.tsx'
import { Message } from './long-message.tsx'
import { MessageLog, type MessageLogProps } from './message-log.tsx'
import { chargePointTexts } from './texts.ts'

/** What blocks show of it, on pages of their own below it. */
const OF_BLOCKS = ['timeline', 'variables', 'logs', 'certificates'] as const

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
  const words = chargePointTexts(frame)
  const { id, name } = chargePoint.view
  return (
    <Page frame={frame} title={id} wide live>
      <h1>
        <bdi class="host">{id}</bdi> {name !== undefined && <bdi class="soft">{name}</bdi>}
      </h1>
      <div data-live="answer">
        <AnswerPanel frame={frame} ordered={ordered} salt={salt} />
      </div>
      <div class="halves">
        <div>
          <div data-live="outlets">
            <Outlets visit={visit} chargePoint={chargePoint} open={open} />
          </div>
          {mayAct(visit) && (
            <div data-live="orders">
              <StationOrders visit={visit} chargePoint={chargePoint} />
            </div>
          )}
        </div>
        <div>
          <div data-live="facts">
            <About frame={frame} {...chargePoint} />
          </div>
          <div data-live="lately">
            <Lately frame={frame} entries={lately} />
          </div>
        </div>
      </div>
      <p class="filters">
        <a href={sessionsPath(frame, { chargePoint: id })}>{words.itsSessions}</a>
        {OF_BLOCKS.map((block) => (
          <a href={`${chargePointPath(frame, id)}/${block}`}>{words.ofBlocks[block]}</a>
        ))}
      </p>
      <MessageLog frame={frame} chargePointId={id} path={chargePointPath(frame, id)} salt={salt} {...log} />
    </Page>
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
    <section class="card">
      <p>
        <span class={`chip ${live?.online ? 'good' : ''}`}>{live?.online ? texts.online : texts.offline}</span>{' '}
        {view.disabled && texts.disabled}
      </p>
      <Facts
        facts={[
          [words.protocol, live?.protocol ?? status.protocol],
          [words.registration, words.registrations[registrationStatus]],
          [words.model, [status.vendor, status.model].filter((part) => part !== undefined).join(' ')],
          [words.serialNumber, status.serialNumber],
          [words.firmware, status.firmwareVersion],
          [words.profile, securityProfile],
          [words.lastBoot, status.bootedAt === undefined ? undefined : shownTime(status.bootedAt)],
          [words.clock, live?.clockSkewMs === undefined ? undefined : words.clockSkew(live.clockSkewMs)],
          [words.lastSeen, lastSeenAt === undefined ? texts.never : shownTime(lastSeenAt)],
        ]}
      />
      <Labels labels={view.labels ?? {}} />
    </section>
  )
}
