import type { FC } from 'hono/jsx'
import { logIdTime, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Command, CommandStatus } from '../../domain/ports/storage-records.ts'
import { protocolName } from '../../ocpp/protocols.ts'
import type { Frame } from '../../web/layout.tsx'
import { Instant } from '../../web/times.tsx'
import { indentedJson } from '../indented-json.ts'
import { Chip } from '../kit/columns.tsx'
import { Facts } from '../kit/facts.tsx'
import { logTexts } from '../kit/texts.ts'
import { summaryOf } from '../log/summary.ts'
import { chargePointPath, messagePath, queryText } from '../paths.ts'
import { Copied, Curl, curlOf } from './curl.tsx'

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
