import type { FC } from 'hono/jsx'
import { logIdTime, logIdToUuid } from '../../commands/log-id.ts'
import { isoTime } from '../../commands/row.ts'
import type { Command, CommandStatus } from '../../ports/storage.ts'
import type { Frame } from '../../web/layout.tsx'
import { Facts } from '../facts.tsx'
import { indentedJson } from '../indented-json.ts'
import { type OperatorTexts, operatorTexts } from '../texts.ts'

const TONES: Readonly<Record<CommandStatus, string>> = {
  pending: '',
  success: 'good',
  error: 'bad',
  timeout: 'bad',
  dropped: 'bad',
}

/** A message may be a megabyte long; a page of fifty must open all the same. */
const SHOWN_CHARACTERS = 8000

/** One row of the log as a line that unfolds: what was said, what was answered, and when. */
export const Message: FC<{ frame: Frame; message: Command; salt: bigint; open?: boolean }> = ({
  frame,
  message,
  salt,
  open = false,
}) => {
  const words = operatorTexts(frame)
  const { id, direction, method, status, transactionId } = message
  const uuid = logIdToUuid(id, salt)
  return (
    <details class="message" id={`message-${uuid}`} open={open}>
      <summary>
        <span class="time">{shownInstant(logIdTime(id))}</span>
        <span class="way" title={words.directions[direction]}>
          <span aria-hidden="true">{direction === 'in' ? '→' : '←'}</span>
          <span class="unseen">{words.directions[direction]}</span>
        </span>
        <strong>{method}</strong>
        <span class="soft">{placeOf(message)}</span>
        <span class="soft">{transactionId !== undefined && `${words.transaction} ${transactionId}`}</span>
        <span class={`chip ${TONES[status]}`}>{words.commandStatuses[status]}</span>
      </summary>
      <Wire title={words.request} text={message.request} frame={frame} />
      {message.response !== undefined && <Wire title={words.answer} text={message.response} frame={frame} />}
      {message.error !== undefined && <Wire title={words.answer} text={JSON.stringify(message.error)} frame={frame} />}
      <Facts facts={[...factsOf(message, words), ['Id', uuid]]} />
    </details>
  )
}

const Wire: FC<{ frame: Frame; title: string; text: string }> = ({ frame, title, text }) => (
  <>
    <p class="soft">{title}</p>
    <pre>{indentedJson(text.slice(0, SHOWN_CHARACTERS))}</pre>
    {text.length > SHOWN_CHARACTERS && <p class="soft">{operatorTexts(frame).shortened(text.length)}</p>}
  </>
)

function factsOf({ id, answeredAt, messageId, protocol, schemaErrors }: Command, words: OperatorTexts) {
  return [
    [words.answered, answeredAt === undefined ? undefined : words.afterMs(answeredAt - logIdTime(id))],
    [words.schemaErrors, schemaErrors],
    [words.protocol, protocol],
    [words.messageId, messageId],
  ] as const
}

/** EVSE and connector, as far as the message names them. */
function placeOf({ evseId, connectorId }: Command): string {
  return [evseId, connectorId].filter((part) => part !== undefined).join('/')
}

function shownInstant(ms: number): string {
  return isoTime(ms).slice(0, 23).replace('T', ' ')
}
