import type { FC } from 'hono/jsx'
import type { Fault } from '../../commands/fault.ts'
import { logIdToUuid } from '../../commands/log-id.ts'
import type { Command, CommandStatus } from '../../ports/storage.ts'
import { Field, type Frame } from '../../web/layout.tsx'
import { operatorTexts } from '../texts.ts'
import { Message } from './message.tsx'
import { type AskedMessages, METHODS } from './message-query.ts'

export interface MessageLogProps {
  /** What the form was sent with. */
  readonly asked: AskedMessages
  /** Why it could not be understood. */
  readonly faults: readonly Fault[]
  /** Newest first. */
  readonly messages: readonly Command[]
  /** Not the first page. */
  readonly later: boolean
  /** Log id of the last message shown, when there are older ones. */
  readonly olderThan?: number
}

/** The message log of one charge point: a form that narrows it, and what was said. */
export const MessageLog: FC<MessageLogProps & { frame: Frame; path: string; salt: bigint }> = ({
  frame,
  path,
  salt,
  asked,
  faults,
  messages,
  later,
  olderThan,
}) => {
  const words = operatorTexts(frame)
  const narrowed = Object.keys(asked).length > 0
  const link = (more: Readonly<Record<string, string>>): string =>
    `${path}?${new URLSearchParams({ ...asked, ...more })}`
  return (
    <section class="card">
      <h2>{words.messages}</h2>
      <Narrowing frame={frame} path={path} asked={asked} faults={faults} />
      <div data-live="messages">
        {messages.length === 0 && faults.length === 0 && (
          <p class="soft">{narrowed || later ? words.noneFound : words.noMessages}</p>
        )}
        {messages.map((message) => (
          <Message frame={frame} message={message} salt={salt} />
        ))}
      </div>
      <p class="filters">
        {later && <a href={link({})}>{words.newest}</a>}
        {olderThan !== undefined && (
          <a href={link({ before: logIdToUuid(olderThan, salt) })} rel="next">
            {words.older}
          </a>
        )}
      </p>
    </section>
  )
}

const Narrowing: FC<{ frame: Frame; path: string; asked: AskedMessages; faults: readonly Fault[] }> = ({
  frame,
  path,
  asked,
  faults,
}) => {
  const words = operatorTexts(frame)
  return (
    <form class="narrowing" method="get" action={path}>
      <label class="field">
        <span>{words.method}</span>
        <input name="method" value={asked.method ?? ''} list="methods" autocomplete="off" autocapitalize="none" />
        <datalist id="methods">
          {METHODS.map((method) => (
            <option value={method} />
          ))}
        </datalist>
      </label>
      <label class="field">
        <span>{words.state}</span>
        <select name="status">
          <option value="">{words.allStates}</option>
          {(Object.keys(words.commandStatuses) as CommandStatus[]).map((status) => (
            <option value={status} selected={asked.status === status}>
              {words.commandStatuses[status]}
            </option>
          ))}
        </select>
      </label>
      <Field label={words.transaction} name="transactionId" value={asked.transactionId ?? ''} />
      <Field label={words.from} name="from" type="datetime-local" value={asked.from ?? ''} />
      <Field label={words.to} name="to" type="datetime-local" value={asked.to ?? ''} />
      <button type="submit">{words.show}</button>
      {faults.length > 0 && (
        <p class="warn" role="alert">
          {faults.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`).join('. ')}
        </p>
      )}
    </form>
  )
}
