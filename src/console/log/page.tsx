/** The messages of all charge points, the newest first, and the same as a file (CONSOLE-M1). */
import { isoTime } from '../../domain/iso-time.ts'
import { addCsvLine, csvFileName, csvHeader } from '../../domain/message-log/csv.ts'
import { logIdTime, logIdToUuid } from '../../domain/message-log/log-id.ts'
import { freezeWindow } from '../../domain/message-log/search.ts'
import { Utf8Text } from '../../domain/message-log/utf8-text.ts'
import type { LogReads } from '../../domain/ports/storage.ts'
import type { NetworkLogQuery } from '../../domain/ports/storage-queries.ts'
import { Page } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { shownInstant } from '../../web/times.tsx'
import { Message, positionOf, Spans } from '../charge-points/message-log.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { choice, labelsOf, type Requested, search, text } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listFile, listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ButtonLink, wordsIn } from '../kit/parts.tsx'
import { queryText } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { boundsOf, MESSAGE_FILTERS, messageFilter, ORDERED } from './message-query.ts'

/** A page opens in a moment, however rare what is looked for. */
const PAGE_WORK_MS = 700
const FILE_WORK_MS = 2000
const FILE_ROWS = 100

const label = labelsOf('messages')

const LOG_FILTERS = {
  q: search(label('inText')),
  evseControllerId: text(label('chargePoint')),
  direction: choice(label('direction'), ['in', 'out'], (frame) => wordsIn('messages', frame).directions),
  ...MESSAGE_FILTERS,
}

export const addLogPages: MountConsolePages = (page) => {
  page('/log', { GET: showLog })
  page('/log.csv', { GET: downloadLog })
}

const showLog: ConsolePage = listing('see', LOG_FILTERS, async (visit, query) => {
  const { context, accountId, frame } = visit
  const { salt, searchLog } = visit.site
  const belowId = positionOf(visit)
  const log = searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
  const asked = await networkQuery(visit, query.requested)
  const isEmpty = query.wrong.length > 0 || asked.fromId >= asked.toId
  const found = isEmpty
    ? { rows: [], lookedTo: undefined }
    : await log.searchNetwork({ ...asked, belowId, limit: rowsAsked(frame), workMs: PAGE_WORK_MS })
  const { rows: messages, last } = pageOfRows(found.rows, frame)
  const { lookedTo } = found
  const next = last?.id ?? lookedTo
  const later = belowId !== undefined
  const words = wordsIn('messages', frame)
  const path = `${frame.root}/log`
  const { asked: narrowing, isNarrowed, wrong } = query
  const newest = messages[0]
  return (
    <Page frame={frame} title={frame.texts.log} wide live>
      <Title text={frame.texts.log}>
        <ButtonLink to={`${path}.csv${queryText(narrowing)}`} text={words.csv} download />
      </Title>
      <FilterForm frame={frame} path={path} filters={LOG_FILTERS} query={query} />
      <Spans frame={frame} path={path} asked={narrowing} {...(newest && { newest: logIdTime(newest.id) })} />
      <section class="card tail" aria-label={words.messages}>
        <div data-live="messages">
          {messages.map((message) => (
            <Message visit={visit} message={message} among />
          ))}
        </div>
        <div data-live="pages">
          {messages.length === 0 && wrong.length === 0 && lookedTo === undefined && (
            <p class="soft nothing">{isNarrowed || later ? words.noneFound : words.noMessages}</p>
          )}
          {lookedTo !== undefined && (
            <p class="soft nothing" role="status">
              {words.lookedTo(shownInstant(frame, logIdTime(lookedTo)))}
            </p>
          )}
          <Paging
            frame={frame}
            path={path}
            query={narrowing}
            later={later}
            next={next === undefined ? undefined : { before: logIdToUuid(next, salt) }}
            newestFirst
          />
        </div>
      </section>
    </Page>
  )
})

const downloadLog: ConsolePage = listFile('see', LOG_FILTERS, async (visit, { requested }) => {
  const { context, accountId, frame } = visit
  const log = visit.site.searchLog({ accountId, lane: 'export', signal: context.req.raw.signal })
  const query = { ...(await networkQuery(visit, requested)), limit: FILE_ROWS, workMs: FILE_WORK_MS }
  return { name: csvFileName('all', isoTime(frame.now)), chunks: networkCsv(log, query, visit.site.salt) }
})

async function networkQuery(
  { site: { reads }, accountId, frame }: Visit,
  requested: Requested<typeof LOG_FILTERS>,
): Promise<Omit<NetworkLogQuery, 'limit' | 'workMs'>> {
  const { q, evseControllerId, direction } = requested
  const filter = messageFilter(requested)
  return {
    accountId,
    chargePointId: evseControllerId,
    direction,
    text: q,
    ...freezeWindow(boundsOf(requested, frame.now), await reads.greatestCommandId()),
    // The index knows messages and not their way: of the few that are ordered it need not look at all others.
    filter: direction === 'out' && !filter.methods ? { ...filter, methods: ORDERED } : filter,
  }
}

async function* networkCsv(
  log: Pick<LogReads, 'searchNetwork'>,
  query: NetworkLogQuery,
  salt: bigint,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  yield csvHeader()
  for (let belowId: number | undefined; query.fromId < query.toId; ) {
    const { rows, lookedTo } = await log.searchNetwork({ ...query, belowId })
    const lines = new Utf8Text()
    for (const row of rows) addCsvLine(lines, row, salt)
    yield lines.take()
    belowId = rows.length === query.limit ? rows.at(-1)?.id : lookedTo
    if (belowId === undefined) return
  }
}
