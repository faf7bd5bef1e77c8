import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { AnswerPanel, type Ordered } from '../commands/command-answer.tsx'
import { type Orders, Outlets, StationOrders } from '../commands/outlets.tsx'
import { Facts } from '../facts.tsx'
import type { HistoryEntry } from '../history/history.ts'
import { Lately } from '../history/history-rows.tsx'
import { chargePointPath, sessionsPath } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { Labels, type ShownChargePoint } from './charge-points-page.tsx'
import { Message } from './long-message.tsx'
import { MessageLog, type MessageLogProps } from './message-log.tsx'
import { chargePointTexts } from './texts.ts'

/** What blocks show of it, on pages of their own below it. */
const OF_BLOCKS = ['timeline', 'variables', 'logs', 'certificates'] as const

/** One charge point: what it is, its connectors and what may be done there, and everything it said or was told. */
export const ChargePointPage: FC<{
  frame: Frame
  chargePoint: ShownChargePoint
  /** Sessions that are not over. */
  open: readonly Session[]
  /** What came of the last order. */
  ordered: Ordered
  /** Absent: may not act. */
  orders?: Orders
  /** What happened, newest first. */
  lately: readonly HistoryEntry[]
  log: MessageLogProps
  salt: bigint
}> = ({ frame, chargePoint, open, ordered, orders, lately, log, salt }) => {
  const words = operatorTexts(frame)
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
            <Outlets frame={frame} chargePoint={chargePoint} open={open} {...(orders && { orders })} />
          </div>
          {orders && (
            <div data-live="orders">
              <StationOrders frame={frame} chargePoint={chargePoint} orders={orders} />
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
          <a href={`${chargePointPath(frame, id)}/${block}`}>{chargePointTexts(frame).ofBlocks[block]}</a>
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
    <h1>
      <bdi>{message.method}</bdi> ·{' '}
      <a class="host" href={chargePointPath(frame, message.chargePointId)}>
        <bdi>{message.chargePointId}</bdi>
      </a>
    </h1>
    <div class="card" data-live="message">
      <Message frame={frame} message={message} salt={salt} baseUrl={baseUrl} open />
    </div>
  </Page>
)

const About: FC<{ frame: Frame } & ShownChargePoint> = ({ frame, view, live }) => {
  const { texts } = frame
  const words = operatorTexts(frame)
  const { status, registrationStatus, securityProfile } = view
  const lastSeenAt = live?.lastSeenAt ?? status.lastSeenAt
  const facts = [
    [words.protocol, live?.protocol ?? status.protocol],
    [words.registration, words.registrations[registrationStatus]],
    [words.model, [status.vendor, status.model].filter((part) => part !== undefined).join(' ')],
    [words.serialNumber, status.serialNumber],
    [words.firmware, status.firmwareVersion],
    [words.securityProfile, securityProfile],
    [words.lastBoot, status.bootedAt === undefined ? undefined : shownTime(status.bootedAt)],
    [words.clock, live?.clockSkewMs === undefined ? undefined : words.clockSkew(live.clockSkewMs)],
    [words.lastSeen, lastSeenAt === undefined ? texts.never : shownTime(lastSeenAt)],
  ] as const
  return (
    <section class="card">
      <p>
        <span class={`chip ${live?.online ? 'good' : ''}`}>{live?.online ? texts.online : texts.offline}</span>{' '}
        {view.disabled && texts.disabled}
      </p>
      <Facts facts={facts} />
      <Labels labels={view.labels ?? {}} />
    </section>
  )
}
