import type { FC } from 'hono/jsx'
import type { Session } from '../../ports/sessions.ts'
import { representSession } from '../../sessions/figures/representation.ts'
import { isWaiting } from '../../sessions/orders/remote.ts'
import { Field, type Frame } from '../../web/layout.tsx'
import { sessionPath } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { sessionTexts } from './session-texts.ts'

export interface OrdersProps {
  readonly frame: Frame
  readonly session: Session
  readonly csrf: { readonly stop: string; readonly settle: string }
}

/** What may be ordered now. Each asks once: its button is in a fold (CONSOLE-C9). */
export const Orders: FC<OrdersProps> = ({ frame, session, csrf }) => {
  const { state } = session
  if (state === 'failed') return null
  return (
    <section class="card orders">
      {state === 'completed' ? (
        <Settle frame={frame} session={session} csrf={csrf} />
      ) : (
        <Stop frame={frame} session={session} csrf={csrf} />
      )}
    </section>
  )
}

const Stop: FC<OrdersProps> = ({ frame, session, csrf }) => {
  const words = sessionTexts(frame)
  const waits = isWaiting(session)
  return (
    <details id="stop">
      <summary>{waits ? words.cancel : words.stop}</summary>
      <form method="post" action={`${sessionPath(frame, session.id)}/stop`}>
        <input type="hidden" name="csrf" value={csrf.stop} />
        <p>{waits ? words.askCancel : words.askStop}</p>
        <button type="submit" class="danger">
          {waits ? words.doCancel : words.doStop}
        </button>
      </form>
    </details>
  )
}

const Settle: FC<OrdersProps> = ({ frame, session, csrf }) => {
  const words = sessionTexts(frame)
  const { cost, energyKwh, currency } = representSession(session)
  const known = currency ?? session.tariff?.currency
  const isFirst = session.settlementCount === undefined
  return (
    <details id="settle">
      <summary>{isFirst ? words.settle : words.correct}</summary>
      <form method="post" action={`${sessionPath(frame, session.id)}/settlements`}>
        <input type="hidden" name="csrf" value={csrf.settle} />
        <input type="hidden" name="version" value={String(session.version)} />
        <p class="soft">{words.settleHint}</p>
        <div class="narrowing">
          <Field label={words.energyKwh} name="energyKwh" value={String(energyKwh)} />
          <Field label={words.costNet} name="cost" value={cost === undefined ? '' : String(cost)} />
          {known === undefined ? (
            <Field label={words.currency} name="currency" />
          ) : (
            <input type="hidden" name="currency" value={known} />
          )}
          <Field label={words.why} name="reason" />
        </div>
        <button type="submit" class="main">
          {isFirst ? words.doSettle : words.doCorrect}
        </button>
      </form>
      <p class="soft">
        {operatorTexts(frame).settlements}: {session.settlementCount ?? 0}
      </p>
    </details>
  )
}
