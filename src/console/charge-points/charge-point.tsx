import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import { commandJson, csvFileName, csvHeader } from '../../domain/message-log/csv.ts'
import { uuidToLogId } from '../../domain/message-log/log-id.ts'
import { exportAll, type FrozenSearch, freezeWindow } from '../../domain/message-log/search.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { LogReads, Reads } from '../../domain/ports/storage.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { protocolName } from '../../ocpp/versions.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { shownTime } from '../../web/times.tsx'
import { Outlets, StationOrders } from '../commands/outlets.tsx'
import { AnswerPanel, type Ordered } from '../commands/station-orders.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { betweenMessages, type HistoryEntry, historySince, Lately, latelyAt } from '../history/history.tsx'
import { onlineSpans, shareOf } from '../history/online-spans.ts'
import { listFile, pageOfRows, queryOf, rowsAsked } from '../kit/listing.ts'
import { Banner, ButtonLink, type ChargePointTexts, Chip, chargePointTexts, Facts } from '../kit/parts.tsx'
import { Strip } from '../kit/spark.tsx'
import { apiSearch, boundsOf, MESSAGE_FILTERS, messageFilter } from '../log/message-query.ts'
import { takenBy } from '../overview/needs.ts'
import { Taken } from '../overview/needs-table.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { type Course, createCourses, thinned } from '../sessions/curve.ts'
import { answering, mayAct, showing, type Visit } from '../visit.tsx'
import { Labels } from './charge-points-page.tsx'
import { ConnectorFault, shownPlace } from './connector.tsx'
import { Message, MessageLog, type MessageLogProps } from './message-log.tsx'
import { ownChargePoint, showingStation } from './own-charge-point.ts'
import { type ShownChargePoint, shownNow } from './shown-charge-point.ts'
import { StationHead } from './station-head.tsx'

const MINUTE_MS = 60_000
const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

export function showChargePoint(parts: OperatorContext): ConsolePage {
  const courseOf = createCourses(parts)
  return showingStation('anybody', async (visit, view) => {
    const [shown, care, ordered, lately, log] = await Promise.all([
      shownNow(visit, view),
      visit.site.reads.getRecord('station_care', { chargePointId: view.id }),
      lastOrder(visit, view.id),
      latelyAt(visit.site.reads, view.id),
      messagesOf(visit, view.id),
    ])
    const { reads, now } = visit.site
    const { live, open = [] } = shown
    const relativeMeter = view.status.relativeMeter ?? false
    const courses = await Promise.all(
      open.map(async (session) => [session.id, powerOf(await courseOf(session, now(), relativeMeter))] as const),
    )
    const wasOnline = await onlineLately(reads, view.id, live?.online ?? false, now())
    return (
      <ChargePointPage
        visit={visit}
        chargePoint={{ ...shown, care, wasOnline, courses: new Map(courses) }}
        open={open}
        ordered={ordered}
        lately={lately}
        log={{ ...log, baseUrl: visit.site.config.baseUrl }}
        salt={parts.salt}
      />
    )
  })
}

const MILLI_PER_KILO = 1e6
const POINTS_DRAWN = 120

function powerOf({ points }: Course) {
  const known = points.flatMap(({ at, powerMilliW }) =>
    powerMilliW === undefined ? [] : [{ at, value: powerMilliW / MILLI_PER_KILO }],
  )
  return thinned(known, POINTS_DRAWN)
}

/** To the quarter of an hour, so that the page stays as it is while nothing happens. */
async function onlineLately(reads: Pick<Reads, 'listRecords'>, chargePointId: string, isOnline: boolean, now: number) {
  const to = Math.ceil(now / QUARTER_MS) * QUARTER_MS
  const from = to - DAY_MS
  const entries = await historySince(reads, chargePointId, from)
  return { from, to, spans: onlineSpans(entries, { from, to, isOnline }) }
}

async function lastOrder({ site, context, accountId }: Visit, chargePointId: string): Promise<Ordered> {
  const { answer, session: sessionId } = context.req.query()
  const id = answer === undefined ? undefined : uuidToLogId(answer, site.salt)
  const command = id === undefined ? undefined : await site.reads.findCommand(chargePointId, id)
  const session = sessionId === undefined ? undefined : await site.reads.findSession(sessionId)
  return {
    ...(command?.direction === 'out' && { command }),
    ...(session?.chargePointId === chargePointId && session.accountId === accountId && { session }),
  }
}

export const showMessage: ConsolePage = showing('anybody', async (visit) => {
  const view = await ownChargePoint(visit)
  const id = uuidToLogId(visit.context.req.param('commandId') ?? '', visit.site.salt)
  const message = view && id !== undefined ? await visit.site.reads.findCommand(view.id, id) : undefined
  if (!view || !message) return undefined
  const { salt } = visit.site
  const { baseUrl } = visit.site.config
  const chargePoint = await shownNow(visit, view)
  return <MessagePage {...{ visit, chargePoint, message, salt, baseUrl }} />
})

export const showMessageJson: ConsolePage = answering('anybody', async (visit) => {
  const view = await ownChargePoint(visit)
  const id = uuidToLogId(visit.context.req.param('commandId') ?? '', visit.site.salt)
  const message = view && id !== undefined ? await visit.site.reads.findCommand(view.id, id) : undefined
  return (
    message &&
    new Response(commandJson(message, visit.site.salt), {
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      },
    })
  )
})

export const downloadMessages: ConsolePage = listFile('anybody', MESSAGE_FILTERS, async (visit, { requested }) => {
  const { site, context, accountId, frame } = visit
  const view = await ownChargePoint(visit)
  if (!view) return undefined
  const window = freezeWindow(boundsOf(requested, frame.now), await site.reads.greatestCommandId())
  const log = visit.site.searchLog({ accountId, lane: 'export', signal: context.req.raw.signal })
  const chunks = messagesCsv(log, { chargePointId: view.id, window, filter: messageFilter(requested) })
  return { name: csvFileName(view.id, isoTime(frame.now)), chunks }
})

async function* messagesCsv(
  log: Pick<LogReads, 'exportCommands'>,
  search: FrozenSearch,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  yield csvHeader()
  for await (const { text } of exportAll(log, search, 'csv')) yield text
}

async function messagesOf(visit: Visit, chargePointId: string): Promise<Omit<MessageLogProps, 'baseUrl'>> {
  const { site, context, accountId, frame } = visit
  const query = queryOf(visit, MESSAGE_FILTERS)
  const { requested, wrong } = query
  // To the minute, so that the page is the same while nothing is said.
  const search = apiSearch(requested, { now: Math.floor(frame.now / MINUTE_MS) * MINUTE_MS })
  if (wrong.length > 0) return { query, messages: [], happened: [], later: false, search }
  const bounds = boundsOf(requested, frame.now)
  const belowId = positionOf(context.req.query('before'), visit.site.salt)
  const window = freezeWindow(bounds, (await site.reads.newestCommandId(chargePointId)) ?? 0)
  const asked = { chargePointId, ...window, filter: messageFilter(requested), limit: rowsAsked(frame), belowId }
  const log = visit.site.searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
  const found = window.fromId < window.toId ? await log.searchCommands(asked) : []
  const { rows: messages, last } = pageOfRows(found, frame)
  // What narrows messages by what they are leaves out everything else.
  const { from: _, to: __, last: ___, ...narrowing } = requested
  const happened =
    Object.keys(narrowing).length === 0
      ? await betweenMessages(site.reads, chargePointId, { window, bounds, belowId, lastId: last?.id })
      : []
  return { query, messages, happened, later: belowId !== undefined, search, olderThan: last?.id }
}

export function positionOf(before: string | undefined, salt: bigint): number | undefined {
  return before === undefined ? undefined : uuidToLogId(before, salt)
}

const ChargePointPage: FC<{
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

type MessagePageProps = { visit: Visit; chargePoint: ShownChargePoint; message: Command; salt: bigint; baseUrl: string }

const MessagePage: FC<MessagePageProps> = ({ visit, chargePoint, visit: { frame }, message, salt, baseUrl }) => (
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

type OnlineLatelyProps = { frame: Frame } & NonNullable<ShownChargePoint['wasOnline']>

/** CONSOLE-F8: the last day as a bar, and in words. */
const OnlineLately: FC<OnlineLatelyProps> = ({ frame, from, to, spans }) => {
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
