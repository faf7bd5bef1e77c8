import { isoTime } from '../../domain/iso-time.ts'
import { csvFileName, csvHeader } from '../../domain/message-log/csv.ts'
import { uuidToLogId } from '../../domain/message-log/log-id.ts'
import { exportAll, type FrozenSearch, freezeWindow } from '../../domain/message-log/search.ts'
import { commandJson } from '../../domain/message-log/shown-command.ts'
import type { LogReads, Reads } from '../../domain/ports/storage.ts'
import type { Ordered } from '../commands/command-answer.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { betweenMessages, historySince, latelyAt } from '../history/history.ts'
import { onlineSpans } from '../history/online-spans.ts'
import { listFile, queryOf } from '../kit/listing.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { apiSearch, boundsOf, MESSAGE_FILTERS, messageFilter } from '../log/message-query.ts'
import { type Course, createCourses } from '../sessions/course.ts'
import { thinned } from '../sessions/curve.ts'
import { answering, showing, type Visit } from '../visit.tsx'
import { ChargePointPage, MessagePage } from './charge-point-page.tsx'
import type { MessageLogProps } from './message-log.tsx'
import { ownChargePoint, showingStation } from './own-charge-point.ts'
import { shownNow } from './shown-charge-point.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 900_000
const DAY_MS = 86_400_000

export function showChargePoint(parts: OperatorContext): ConsolePage {
  const courseOf = createCourses(parts)
  return showingStation('anybody', async (visit, view) => {
    const [shown, care, ordered, lately, log] = await Promise.all([
      shownNow(parts, visit, view),
      visit.site.reads.getRecord('station_care', { chargePointId: view.id }),
      lastOrder(parts, visit, view.id),
      latelyAt(visit.site.reads, view.id),
      messagesOf(parts, visit, view.id),
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

async function lastOrder(
  { salt }: OperatorContext,
  { site, context, accountId }: Visit,
  chargePointId: string,
): Promise<Ordered> {
  const { answer, session: sessionId } = context.req.query()
  const id = answer === undefined ? undefined : uuidToLogId(answer, salt)
  const command = id === undefined ? undefined : await site.reads.findCommand(chargePointId, id)
  const session = sessionId === undefined ? undefined : await site.reads.findSession(sessionId)
  return {
    ...(command?.direction === 'out' && { command }),
    ...(session?.chargePointId === chargePointId && session.accountId === accountId && { session }),
  }
}

export function showMessage(parts: OperatorContext): ConsolePage {
  const { salt } = parts
  return showing('anybody', async (visit) => {
    const view = await ownChargePoint(visit)
    const id = uuidToLogId(visit.context.req.param('commandId') ?? '', salt)
    const message = view && id !== undefined ? await visit.site.reads.findCommand(view.id, id) : undefined
    if (!view || !message) return undefined
    const { baseUrl } = visit.site.config
    const chargePoint = await shownNow(parts, visit, view)
    return <MessagePage {...{ visit, chargePoint, message, salt, baseUrl }} />
  })
}

export function showMessageJson({ salt }: OperatorContext): ConsolePage {
  return answering('anybody', async (visit) => {
    const view = await ownChargePoint(visit)
    const id = uuidToLogId(visit.context.req.param('commandId') ?? '', salt)
    const message = view && id !== undefined ? await visit.site.reads.findCommand(view.id, id) : undefined
    return (
      message &&
      new Response(commandJson(message, salt), {
        headers: {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
        },
      })
    )
  })
}

export function downloadMessages({ searchLog }: OperatorContext): ConsolePage {
  return listFile('anybody', MESSAGE_FILTERS, async (visit, { requested }) => {
    const { site, context, accountId, frame } = visit
    const view = await ownChargePoint(visit)
    if (!view) return undefined
    const window = freezeWindow(boundsOf(requested, frame.now), await site.reads.greatestCommandId())
    const log = searchLog({ accountId, lane: 'export', signal: context.req.raw.signal })
    const chunks = messagesCsv(log, { chargePointId: view.id, window, filter: messageFilter(requested) })
    return { name: csvFileName(view.id, isoTime(frame.now)), chunks }
  })
}

async function* messagesCsv(
  log: Pick<LogReads, 'exportCommands'>,
  search: FrozenSearch,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  yield csvHeader()
  for await (const { text } of exportAll(log, search, 'csv')) yield text
}

async function messagesOf(
  { searchLog, salt }: OperatorContext,
  visit: Visit,
  chargePointId: string,
): Promise<Omit<MessageLogProps, 'baseUrl'>> {
  const { site, context, accountId, frame } = visit
  const query = queryOf(visit, MESSAGE_FILTERS)
  const { requested, wrong } = query
  // To the minute, so that the page is the same while nothing is said.
  const search = apiSearch(requested, { now: Math.floor(frame.now / MINUTE_MS) * MINUTE_MS })
  if (wrong.length > 0) return { query, messages: [], happened: [], later: false, search }
  const bounds = boundsOf(requested, frame.now)
  const belowId = positionOf(context.req.query('before'), salt)
  const window = freezeWindow(bounds, (await site.reads.newestCommandId(chargePointId)) ?? 0)
  const asked = { chargePointId, ...window, filter: messageFilter(requested), limit: rowsAsked(frame), belowId }
  const log = searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
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
