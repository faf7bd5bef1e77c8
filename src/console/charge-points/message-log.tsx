import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdTime, logIdToUuid, uuidToLogId } from '../../domain/message-log/log-id.ts'
import { freezeWindow } from '../../domain/message-log/search.ts'
import type { Command, CommandStatus } from '../../domain/ports/storage-records.ts'
import { protocolName } from '../../ocpp/versions.ts'
import type { Frame } from '../../web/entries.tsx'
import { Instant } from '../../web/times.tsx'
import { betweenMessages, Happened, type HistoryEntry } from '../history/history.tsx'
import { indentedJson } from '../indented-json.ts'
import type { Requested } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { pageOfRows, queryOf, rowsAsked } from '../kit/listing.ts'
import { Chip, Facts, type PageTexts, wordsIn } from '../kit/parts.tsx'
import { apiSearch, boundsOf, MESSAGE_FILTERS, messageFilter, SPANS } from '../log/message-query.ts'
import { summaryOf } from '../log/summary.ts'
import { chargePointPath, messagePath, type Narrowing, queryText } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { Copied, Curl, curlOf } from './curl.tsx'

const MINUTE_MS = 60_000

/** What was said and what happened, the newest first (CONSOLE-A16). */
export async function messageLog(visit: Visit, chargePointId: string) {
  const { site, frame } = visit
  const query = queryOf(visit, MESSAGE_FILTERS)
  const { requested, asked, isNarrowed, wrong } = query
  const belowId = positionOf(visit)
  const later = belowId !== undefined
  const { messages, happened, last } =
    wrong.length > 0 ? NOTHING : await messagesOf(visit, chargePointId, requested, belowId)
  const words = wordsIn('messages', frame)
  const path = chargePointPath(frame, chargePointId)
  const [newest] = messages
  // To the minute, so that the page is the same while nothing is said.
  const search = apiSearch(requested, { now: Math.floor(frame.now / MINUTE_MS) * MINUTE_MS })
  const address = `${site.config.baseUrl}/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/search`
  return (
    <section class="card" id="messages">
      <h2>{words.messages}</h2>
      <FilterForm frame={frame} path={path} filters={MESSAGE_FILTERS} query={query} />
      <Spans frame={frame} path={path} asked={asked} {...(newest && { newest: logIdTime(newest.id) })} />
      <div data-live="messages">
        {messages.length + happened.length === 0 && wrong.length === 0 && (
          <p class="soft">{isNarrowed || later ? words.noneFound : words.noMessages}</p>
        )}
        {inOrder(messages, happened).map((one) =>
          'method' in one ? (
            <Message visit={visit} message={one} />
          ) : (
            <p class="message">
              <Happened frame={frame} entry={one} />
            </p>
          ),
        )}
      </div>
      <Paging
        frame={frame}
        path={path}
        query={asked}
        later={later}
        next={last && { before: logIdToUuid(last.id, site.salt) }}
        newestFirst
      />
      <p class="filters">
        <a href={`${path}/messages.csv${queryText(asked)}`}>{words.csv}</a>
      </p>
      <Curl frame={frame} command={curlOf(address, search)} />
    </section>
  )
}

const NOTHING = { messages: [], happened: [], last: undefined }

async function messagesOf(
  { site, context, accountId, frame }: Visit,
  chargePointId: string,
  requested: Requested<typeof MESSAGE_FILTERS>,
  belowId: number | undefined,
) {
  const bounds = boundsOf(requested, frame.now)
  const window = freezeWindow(bounds, (await site.reads.newestCommandId(chargePointId)) ?? 0)
  const search = { chargePointId, ...window, filter: messageFilter(requested), limit: rowsAsked(frame), belowId }
  const log = site.searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
  const found = window.fromId < window.toId ? await log.searchCommands(search) : []
  const { rows: messages, last } = pageOfRows(found, frame)
  // What narrows messages by what they are leaves out everything else.
  const { from: _, to: __, last: ___, ...narrowing } = requested
  const happened =
    Object.keys(narrowing).length === 0
      ? await betweenMessages(site.reads, chargePointId, { window, bounds, belowId, lastId: last?.id })
      : []
  return { messages, happened, last }
}

export function positionOf({ site, context }: Visit): number | undefined {
  const before = context.req.query('before')
  return before === undefined ? undefined : uuidToLogId(before, site.salt)
}

/** The numbers of both come from one count, so that of one connection its messages stand above its beginning. */
function inOrder(messages: readonly Command[], happened: readonly HistoryEntry[]): readonly (Command | HistoryEntry)[] {
  return [...messages, ...happened].sort((one, other) => other.id - one.id)
}

type SpansProps = { frame: Frame; path: string; asked: Narrowing; newest?: number | undefined }

/** Spans up to now, and whether new messages come in: a page that ends at a time stands still (CONSOLE-C11). */
export const Spans: FC<SpansProps> = ({ frame, path, asked, newest }) => {
  const more = wordsIn('messages', frame)
  const { from: _, to, last: __, ...rest } = asked
  // The time of a message, not the clock's: the page is the same while nothing is said.
  const until = newest === undefined ? undefined : isoTime(newest + 1)
  return (
    <p class="filters" data-live="spans">
      {SPANS.map((last) => (
        <a
          href={`${path}${queryText({ ...rest, last })}`}
          aria-current={asked.last?.includes(last) ? 'true' : undefined}
        >
          {more.last[last] ?? last}
        </a>
      ))}
      <a href={`${path}${queryText({ ...rest })}`}>{more.ever}</a>
      {to === undefined ? (
        until !== undefined && <a href={`${path}${queryText({ ...asked, to: until })}`}>{more.pause}</a>
      ) : (
        <a href={`${path}${queryText({ ...asked, to: undefined })}`}>{more.resume}</a>
      )}
    </p>
  )
}

const TONES: Readonly<Record<CommandStatus, string>> = {
  pending: '',
  success: 'good',
  error: 'bad',
  timeout: 'bad',
  dropped: 'bad',
}

/** A message may be a megabyte long; a page of fifty must open all the same. */
const SHOWN_CHARACTERS = 8000

type MessageProps = { visit: Visit; message: Command; open?: boolean; among?: boolean }

export const Message: FC<MessageProps> = ({ visit: { frame, site }, message, open = false, among = false }) => {
  const words = wordsIn('messages', frame)
  const { id, chargePointId, direction, method, status, transactionId, schemaErrors } = message
  const uuid = logIdToUuid(id, site.salt)
  const address = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/${uuid}`
  const { parts, answer, isRefused, isFault } = summaryOf(message, frame.language)
  return (
    <details class="message" id={`message-${uuid}`} open={open}>
      <summary>
        <span class="time">
          <Instant frame={frame} at={logIdTime(id)} />
        </span>
        {among && (
          <bdi class="of" title={chargePointId}>
            {chargePointId}
          </bdi>
        )}
        <span class="way" title={words.directions[direction]}>
          <span aria-hidden="true">{direction === 'in' ? '→' : '←'}</span>
          <span class="unseen">{words.directions[direction]}</span>
        </span>
        <strong>{method}</strong>
        <bdi class={isFault ? 'said bad' : 'said'} title={among ? parts.join('  ') : undefined}>
          {parts.join('  ')}
        </bdi>
        {transactionId !== undefined && !parts.some((part) => part.endsWith(transactionId)) && (
          <span class="soft">{`${words.transaction} ${transactionId}`}</span>
        )}
        {schemaErrors !== undefined && <Chip tone="amber" text={words.schemaErrors} />}
        {answer !== undefined && <bdi class={`chip ${isRefused ? 'bad' : ''}`}>{answer}</bdi>}
        <Chip tone={TONES[status]} text={words.commandStatuses[status]} />
      </summary>
      <Wire title={words.request} text={message.request} frame={frame} />
      {message.response !== undefined && <Wire title={words.answer} text={message.response} frame={frame} />}
      {message.error !== undefined && <Wire title={words.answer} text={JSON.stringify(message.error)} frame={frame} />}
      <Facts facts={[...factsOf(message, words), ['ID', uuid]]} />
      <p class="filters">
        {among && <a href={chargePointPath(frame, chargePointId)}>{words.toStation}</a>}
        {transactionId !== undefined && (
          <a href={`${frame.root}/jump${queryText({ q: transactionId })}`}>{words.toSession}</a>
        )}
        {!open && <a href={messagePath(frame, chargePointId, uuid)}>{words.link}</a>}
        <a href={`${messagePath(frame, chargePointId, uuid)}/json`}>{words.asJson}</a>
      </p>
      <Curl frame={frame} command={curlOf(site.config.baseUrl + address)} />
    </details>
  )
}

const Wire: FC<{ frame: Frame; title: string; text: string }> = ({ frame, title, text }) => (
  <>
    <p class="soft">{title}</p>
    {text.length > SHOWN_CHARACTERS ? (
      <>
        <pre tabindex={0}>{indentedJson(text.slice(0, SHOWN_CHARACTERS))}</pre>
        <p class="soft">{wordsIn('messages', frame).shortened(text.length)}</p>
      </>
    ) : (
      <Copied frame={frame} text={indentedJson(text)} />
    )}
  </>
)

function factsOf({ id, answeredAt, messageId, protocol, schemaErrors }: Command, words: PageTexts<'messages'>) {
  return [
    [words.answered, answeredAt === undefined ? undefined : words.afterMs(answeredAt - logIdTime(id))],
    [words.schemaErrors, schemaErrors],
    [words.protocol, protocol && protocolName(protocol)],
    [words.messageId, messageId],
  ] as const
}
