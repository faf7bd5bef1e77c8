import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdTime, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import type { Frame } from '../../web/layout.tsx'
import type { HistoryEntry } from '../history/history.ts'
import { Happened } from '../history/history-rows.tsx'
import { FilterForm } from '../kit/filter-form.tsx'
import type { ListQuery } from '../kit/filters.ts'
import { Paging } from '../kit/list.tsx'
import { logTexts } from '../kit/texts.ts'
import { MESSAGE_FILTERS, SPANS } from '../log/message-query.ts'
import { type Narrowing, queryText } from '../paths.ts'
import { Curl, curlOf } from './curl.tsx'
import { Message } from './long-message.tsx'

export interface MessageLogProps {
  readonly query: ListQuery<typeof MESSAGE_FILTERS>
  /** Newest first. */
  readonly messages: readonly Command[]
  /** Newest first. */
  readonly happened: readonly HistoryEntry[]
  readonly later: boolean
  readonly olderThan?: number | undefined
  readonly search: object
  readonly baseUrl: string
}

export const MessageLog: FC<MessageLogProps & { frame: Frame; chargePointId: string; path: string; salt: bigint }> = ({
  frame,
  chargePointId,
  path,
  salt,
  query,
  messages,
  happened,
  later,
  olderThan,
  search,
  baseUrl,
}) => {
  const words = logTexts(frame)
  const { asked, isNarrowed, wrong } = query
  return (
    <section class="card" id="messages">
      <h2>{words.messages}</h2>
      <FilterForm frame={frame} path={path} filters={MESSAGE_FILTERS} query={query} />
      <Spans frame={frame} path={path} asked={asked} {...(messages[0] && { newest: logIdTime(messages[0].id) })} />
      <div data-live="messages">
        {messages.length + happened.length === 0 && wrong.length === 0 && (
          <p class="soft">{isNarrowed || later ? words.noneFound : words.noMessages}</p>
        )}
        {inOrder(messages, happened).map((one) =>
          'method' in one ? (
            <Message frame={frame} message={one} salt={salt} baseUrl={baseUrl} />
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
        next={olderThan === undefined ? undefined : { before: logIdToUuid(olderThan, salt) }}
        newestFirst
      />
      <p class="filters">
        <a href={`${path}/messages.csv${queryText(asked)}`}>{words.csv}</a>
      </p>
      <Curl frame={frame} command={curlOf(`${baseUrl}${searchAddress(chargePointId)}`, search)} />
    </section>
  )
}

/** The numbers of both come from one count, so that of one connection its messages stand above its beginning. */
function inOrder(messages: readonly Command[], happened: readonly HistoryEntry[]): readonly (Command | HistoryEntry)[] {
  return [...messages, ...happened].sort((one, other) => other.id - one.id)
}

function searchAddress(chargePointId: string): string {
  return `/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/search`
}

type SpansProps = { frame: Frame; path: string; asked: Narrowing; newest?: number | undefined }

/** Spans up to now, and whether new messages come in: a page that ends at a time stands still (CONSOLE-C11). */
export const Spans: FC<SpansProps> = ({ frame, path, asked, newest }) => {
  const more = logTexts(frame)
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
