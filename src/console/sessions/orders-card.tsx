import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { isWaiting } from '../../domain/sessions/orders/remote.ts'
import { Entry, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { Frame } from '../../web/layout.tsx'
import { FormFault } from '../id-tokens/id-tokens-page.tsx'
import { sessionPath } from '../paths.ts'
import { sessionTexts } from './session-texts.ts'

export interface OrdersProps {
  readonly frame: Frame
  readonly session: Session
  /** What the page was asked to ask: `stop` or `settle`. */
  readonly asked?: string
  /** What was typed into the form that settles, and what is wrong with it. */
  readonly typed?: Typed | undefined
  readonly csrf: { readonly stop: string; readonly settle: string }
}

/**
 * What may be ordered now. Each asks once (CONSOLE-C9): its link leads to the same page with the question on it, so it
 * needs no script and stays while the page is kept up to date.
 */
export const Orders: FC<OrdersProps> = (props) => {
  const { frame, session, asked } = props
  const words = sessionTexts(frame)
  if (session.state === 'failed') return null
  const isOver = session.state === 'completed'
  const order = isOver ? 'settle' : 'stop'
  const name = isOver
    ? session.settlementCount === undefined
      ? words.settle
      : words.correct
    : isWaiting(session)
      ? words.cancel
      : words.stop
  return (
    <section class="card orders">
      {asked !== order && (
        <p>
          <a href={`${sessionPath(frame, session.id)}?ask=${order}`}>{name}</a>
        </p>
      )}
      {asked === order && (isOver ? <Settle {...props} /> : <Stop {...props} />)}
    </section>
  )
}

const Stop: FC<OrdersProps> = ({ frame, session, csrf }) => {
  const words = sessionTexts(frame)
  const waits = isWaiting(session)
  return (
    <form method="post" action={`${sessionPath(frame, session.id)}/stop`}>
      <input type="hidden" name="csrf" value={csrf.stop} />
      <p>{waits ? words.askCancel : words.askStop}</p>
      <div class="actions">
        <button type="submit" class="danger">
          {waits ? words.doCancel : words.doStop}
        </button>
        <a href={sessionPath(frame, session.id)}>{words.leave}</a>
      </div>
    </form>
  )
}

const Settle: FC<OrdersProps> = ({ frame, session, csrf, typed = NOTHING_TYPED }) => {
  const words = sessionTexts(frame)
  const { cost, energyKwh, currency } = representSession(session)
  const known = currency ?? session.tariff?.currency
  const isFirst = session.settlementCount === undefined
  return (
    <form method="post" action={`${sessionPath(frame, session.id)}/settlements`}>
      <input type="hidden" name="csrf" value={csrf.settle} />
      <input type="hidden" name="version" value={String(session.version)} />
      <FormFault typed={typed} />
      <p class="soft">{words.settleHint}</p>
      <div class="narrowing">
        <Entry label={words.energyKwh} name="energyKwh" typed={typed} value={String(energyKwh)} inputmode="decimal" />
        <Entry
          label={words.costNet}
          name="cost"
          typed={typed}
          value={cost === undefined ? '' : String(cost)}
          inputmode="decimal"
        />
        {known === undefined ? (
          <Entry label={words.currency} name="currency" typed={typed} />
        ) : (
          <input type="hidden" name="currency" value={known} />
        )}
        <Entry label={words.why} name="reason" typed={typed} />
      </div>
      <div class="actions">
        <button type="submit" class="main">
          {isFirst ? words.doSettle : words.doCorrect}
        </button>
        <a href={sessionPath(frame, session.id)}>{words.leave}</a>
      </div>
    </form>
  )
}
