import type { FC, PropsWithChildren } from 'hono/jsx'
import type { StationCare } from '../../domain/alerts/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { commandJson, csvFileName, csvHeader } from '../../domain/message-log/csv.ts'
import { uuidToLogId } from '../../domain/message-log/log-id.ts'
import { exportAll, freezeWindow } from '../../domain/message-log/search.ts'
import type { ChargePointView, Command } from '../../domain/ports/storage-records.ts'
import { protocolName } from '../../ocpp/versions.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { shownTime } from '../../web/times.tsx'
import { Outlets, StationOrders } from '../commands/outlets.tsx'
import { AnswerPanel, type Ordered } from '../commands/station-orders.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { historySince, Lately, latelyAt } from '../history/history.tsx'
import { onlineSpans, type Spans, shareOf } from '../history/online-spans.ts'
import { listFile } from '../kit/listing.ts'
import { Banner, ButtonLink, Chip, Facts, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { Strip } from '../kit/spark.tsx'
import { boundsOf, MESSAGE_FILTERS, messageFilter } from '../log/message-query.ts'
import { takenBy } from '../overview/needs.ts'
import { Taken } from '../overview/needs-table.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { type Course, createCourses, thinned } from '../sessions/curve.ts'
import { answering, mayAct, type Visit } from '../visit.tsx'
import { ConnectorFault, shownPlace } from './connector.tsx'
import { Message, messageLog } from './message-log.tsx'
import { ownChargePoint, showingStation } from './own-charge-point.ts'
import { type ShownChargePoint, shownNow } from './shown-charge-point.ts'
import { StationHead } from './station-head.tsx'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

export function showChargePoint(parts: OperatorContext): ConsolePage {
  const courseOf = createCourses(parts)
  return showingStation('anybody', async (visit, view) => {
    const { frame, site } = visit
    const { id } = view
    const [shown, care, ordered, lately, log] = await Promise.all([
      shownNow(visit, view),
      site.reads.getRecord('station_care', { chargePointId: id }),
      lastOrder(visit, id),
      latelyAt(site.reads, id),
      messageLog(visit, id),
    ])
    const { live, open = [] } = shown
    const relativeMeter = view.status.relativeMeter ?? false
    const courses = await Promise.all(
      open.map(async (session) => [session.id, powerOf(await courseOf(session, site.now(), relativeMeter))] as const),
    )
    const chargePoint: ShownChargePoint = { ...shown, courses: new Map(courses) }
    const waits = view.registrationStatus === 'Pending'
    const words = wordsIn('chargePoints', frame)
    return (
      <Page frame={frame} title={id} wide live>
        <StationHead visit={visit} chargePoint={chargePoint} at="status" />
        <div data-live="answer">
          <AnswerPanel frame={frame} ordered={ordered} salt={site.salt} />
        </div>
        <div data-live="needs">
          {waits ? (
            <Banner tone="waits" title={words.waitsTitle} reported={words.waitsLead} />
          ) : (
            <Faults visit={visit} chargePoint={chargePoint} care={care} />
          )}
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
            <About frame={frame} view={view} live={live}>
              <OnlineLately frame={frame} {...(await onlineLately(site, id, live?.online ?? false))} />
            </About>
          </div>
        </div>
        {log}
      </Page>
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
async function onlineLately({ reads, now }: Visit['site'], chargePointId: string, isOnline: boolean) {
  const to = Math.ceil(now() / QUARTER_MS) * QUARTER_MS
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

async function messageOf(visit: Visit, view: ChargePointView | undefined): Promise<Command | undefined> {
  const id = uuidToLogId(visit.context.req.param('commandId') ?? '', visit.site.salt)
  return view && id !== undefined ? visit.site.reads.findCommand(view.id, id) : undefined
}

export const showMessage: ConsolePage = showingStation('anybody', async (visit, view) => {
  const message = await messageOf(visit, view)
  if (!message) return undefined
  return (
    <Page frame={visit.frame} title={message.method} wide live>
      <StationHead visit={visit} chargePoint={await shownNow(visit, view)} at="log" />
      <div class="card" data-live="message">
        <Message visit={visit} message={message} open />
      </div>
    </Page>
  )
})

export const showMessageJson: ConsolePage = answering('anybody', async (visit) => {
  const message = await messageOf(visit, await ownChargePoint(visit))
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  }
  return message && new Response(commandJson(message, visit.site.salt), { headers })
})

export const downloadMessages: ConsolePage = listFile('anybody', MESSAGE_FILTERS, async (visit, { requested }) => {
  const { site, context, accountId, frame } = visit
  const view = await ownChargePoint(visit)
  if (!view) return undefined
  const window = freezeWindow(boundsOf(requested, frame.now), await site.reads.greatestCommandId())
  const log = site.searchLog({ accountId, lane: 'export', signal: context.req.raw.signal })
  const search = { chargePointId: view.id, window, filter: messageFilter(requested) }
  async function* chunks() {
    yield csvHeader()
    for await (const { text } of exportAll(log, search, 'csv')) yield text
  }
  return { name: csvFileName(view.id, isoTime(frame.now)), chunks: chunks() }
})

type FaultsProps = { visit: Visit; chargePoint: ShownChargePoint; care: StationCare | undefined }

const Faults: FC<FaultsProps> = ({ visit, chargePoint: { view, live }, care }) => {
  const { frame } = visit
  const words = wordsIn('chargePoints', frame)
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

type AboutProps = PropsWithChildren<Pick<ShownChargePoint, 'view' | 'live'> & { frame: Frame }>

const About: FC<AboutProps> = ({ frame, view, live, children }) => {
  const { texts } = frame
  const words = wordsIn('chargePoints', frame)
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
      <div class="labels">
        {Object.entries(view.labels ?? {}).map(([key, value]) => (
          <span class="label">
            {key}: <bdi>{value}</bdi>
          </span>
        ))}
      </div>
      {children}
    </section>
  )
}

type OnlineLatelyProps = { frame: Frame; from: number; to: number; spans: Spans }

/** CONSOLE-F8: the last day as a bar, and in words. */
const OnlineLately: FC<OnlineLatelyProps> = ({ frame, from, to, spans }) => {
  const words = wordsIn('chargePoints', frame)
  const reported = words.onlineLately(shownFigure(frame, shareOf(spans, from, to) ?? 0, 1))
  return (
    <div>
      <p class="soft small">{reported}</p>
      <Strip label={reported} from={from} to={to} spans={spans} />
    </div>
  )
}

/** To the minute; undefined: less than one. */
function clockSkew(words: PageTexts<'chargePoints'>, ms: number): string | undefined {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  if (Math.abs(ms) < 60_000) return undefined
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const span = hours === 0 ? `${rest} min` : `${hours} h ${rest} min`
  return ms > 0 ? words.clockAhead(span) : words.clockBehind(span)
}
