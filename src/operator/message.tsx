import type { FC, PropsWithChildren } from 'hono/jsx'
import { logIdTime, logIdToUuid } from '../commands/log-id.ts'
import { isoTime } from '../commands/row.ts'
import type { Frame } from '../dashboard/layout.tsx'
import type { Command, CommandStatus } from '../storage/store.ts'
import { indentedJson } from './indented-json.ts'
import { operatorTexts } from './texts.ts'

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
      <Facts message={message} uuid={uuid} frame={frame} />
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

const Facts: FC<{ frame: Frame; message: Command; uuid: string }> = ({ frame, message, uuid }) => {
  const words = operatorTexts(frame)
  const { id, answeredAt, messageId, protocol, schemaErrors } = message
  return (
    <dl>
      {answeredAt !== undefined && <Fact name={words.answered}>{words.afterMs(answeredAt - logIdTime(id))}</Fact>}
      {schemaErrors !== undefined && <Fact name={words.schemaErrors}>{schemaErrors}</Fact>}
      <Fact name={words.protocol}>{protocol}</Fact>
      <Fact name={words.messageId}>{messageId}</Fact>
      <Fact name="Id">{uuid}</Fact>
    </dl>
  )
}

const Fact: FC<PropsWithChildren<{ name: string }>> = ({ name, children }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** EVSE and connector, as far as the message names them. */
function placeOf({ evseId, connectorId }: Command): string {
  return [evseId, connectorId].filter((part) => part !== undefined).join('/')
}

function shownInstant(ms: number): string {
  return isoTime(ms).slice(0, 23).replace('T', ' ')
}
