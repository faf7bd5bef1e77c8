import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import { logIdTime, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Command, CommandStatus } from '../../domain/ports/storage-records.ts'
import { protocolName } from '../../ocpp/versions.ts'
import type { Frame } from '../../web/entries.tsx'
import { Instant } from '../../web/times.tsx'
import { Happened, type HistoryEntry } from '../history/history.tsx'
import { indentedJson } from '../indented-json.ts'
import type { ListQuery } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { Chip, Facts, logTexts } from '../kit/parts.tsx'
import { MESSAGE_FILTERS, SPANS } from '../log/message-query.ts'
import { summaryOf } from '../log/summary.ts'
import { chargePointPath, messagePath, type Narrowing, queryText } from '../paths.ts'
import { Copied, Curl, curlOf } from './registration.tsx'

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

const TONES: Readonly<Record<CommandStatus, string>> = {
  pending: '',
  success: 'good',
  error: 'bad',
  timeout: 'bad',
  dropped: 'bad',
}

/** A message may be a megabyte long; a page of fifty must open all the same. */
const SHOWN_CHARACTERS = 8000

type MessageProps = { frame: Frame; message: Command; salt: bigint; baseUrl: string; open?: boolean; among?: boolean }

export const Message: FC<MessageProps> = ({ frame, message, salt, baseUrl, open = false, among = false }) => {
  const words = logTexts(frame)
  const { id, chargePointId, direction, method, status, transactionId, schemaErrors } = message
  const uuid = logIdToUuid(id, salt)
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
      <Curl frame={frame} command={curlOf(`${baseUrl}${commandAddress(chargePointId, uuid)}`)} />
    </details>
  )
}

function commandAddress(chargePointId: string, uuid: string): string {
  return `/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/${uuid}`
}

const Wire: FC<{ frame: Frame; title: string; text: string }> = ({ frame, title, text }) => (
  <>
    <p class="soft">{title}</p>
    {text.length > SHOWN_CHARACTERS ? (
      <>
        <pre tabindex={0}>{indentedJson(text.slice(0, SHOWN_CHARACTERS))}</pre>
        <p class="soft">{logTexts(frame).shortened(text.length)}</p>
      </>
    ) : (
      <Copied frame={frame} text={indentedJson(text)} />
    )}
  </>
)

function factsOf({ id, answeredAt, messageId, protocol, schemaErrors }: Command, words: ReturnType<typeof logTexts>) {
  return [
    [words.answered, answeredAt === undefined ? undefined : words.afterMs(answeredAt - logIdTime(id))],
    [words.schemaErrors, schemaErrors],
    [words.protocol, protocol && protocolName(protocol)],
    [words.messageId, messageId],
  ] as const
}
