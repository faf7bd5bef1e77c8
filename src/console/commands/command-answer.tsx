/** CONSOLE-A12: the outcome of an order, accepted green, rejected red, each with its meaning. */

import type { FC } from 'hono/jsx'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { type Verdict, verdictOf } from '../../ocpp/orders/verdict.ts'
import type { Frame } from '../../web/layout.tsx'
import { Chip } from '../kit/columns.tsx'
import { type ChargePointTexts, chargePointTexts } from '../kit/texts.ts'
import { messagePath, sessionPath } from '../paths.ts'
import { StateChip } from '../shown-figures.tsx'

export interface Ordered {
  readonly command?: Command
  readonly session?: Session
}

export const AnswerPanel: FC<{ frame: Frame; ordered: Ordered; salt: bigint }> = ({ frame, ordered, salt }) => (
  <>
    {ordered.command && <CommandAnswer frame={frame} command={ordered.command} salt={salt} />}
    {ordered.session && <SessionAnswer frame={frame} session={ordered.session} />}
  </>
)

const CommandAnswer: FC<{ frame: Frame; command: Command; salt: bigint }> = ({ frame, command, salt }) => {
  const words = chargePointTexts(frame)
  const { tone, status, said } = verdictOf(command)
  return (
    <section class={`card answer ${tone}`} id="answer" aria-label={words.answer}>
      <p role="status">
        <a href={messagePath(frame, command.chargePointId, logIdToUuid(command.id, salt))}>{command.method}</a>{' '}
        <Chip tone={tone} text={toneWord(words, tone)} /> {status !== undefined && <bdi>{status}</bdi>}
      </p>
      <p>{meaningOf(words, command, status)}</p>
      {said !== undefined && said !== '' && (
        <p class="soft">
          <bdi>{said}</bdi>
        </p>
      )}
    </section>
  )
}

function toneWord(words: ChargePointTexts, tone: Verdict['tone']): string {
  return { good: words.accepted, bad: words.refusedBy, '': words.waiting }[tone]
}

function meaningOf({ meanings }: ChargePointTexts, command: Command, status: string | undefined): string | undefined {
  if (command.status === 'error') return (status !== undefined && meanings[status]) || meanings.error
  return status === undefined ? meanings.Accepted : meanings[status]
}

const SessionAnswer: FC<{ frame: Frame; session: Session }> = ({ frame, session }) => {
  const words = chargePointTexts(frame)
  const tone = session.state === 'failed' ? 'bad' : session.state === 'pending' ? '' : 'good'
  return (
    <section class={`card answer ${tone}`} id="answer" aria-label={words.answer}>
      <p role="status">
        {session.stopRequestedAt === undefined ? words.startAsked : words.stopAsked}:{' '}
        <a href={sessionPath(frame, session.id)}>{words.session}</a> <StateChip frame={frame} state={session.state} />
      </p>
      {session.state === 'failed' && (
        <p>
          {words.meanings.failed} {session.endReason}
        </p>
      )}
    </section>
  )
}
