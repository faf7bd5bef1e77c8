import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { isWaiting } from '../../domain/sessions/orders/remote.ts'
import { NOTHING_TYPED, Sealed, type Typed, Warning } from '../../web/entries.tsx'
import { FieldList } from '../kit/form.tsx'
import { sessionTexts } from '../kit/parts.tsx'
import { sessionPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'

/** A form's token is good for one action on one session. */
export const ACTIONS = {
  stop: (sessionId: string) => `stop session ${sessionId}`,
  settle: (sessionId: string) => `settle session ${sessionId}`,
}

interface OrdersProps {
  readonly visit: Visit
  readonly session: Session
  readonly asked: string | undefined
  readonly typed: Typed | undefined
}

/** Each asks once (CONSOLE-C9): a link to the same page with the question needs no script and survives updates. */
export const Question: FC<OrdersProps> = (props) => {
  const { visit, session, asked } = props
  if (session.state === 'failed' || asked !== orderOf(session)) return null
  return (
    <section class="card orders" aria-label={sessionTexts(visit.frame)[asked]}>
      {asked === 'settle' ? <Settle {...props} /> : <Stop {...props} />}
    </section>
  )
}

export const OrderLink: FC<OrdersProps> = ({ visit: { frame }, session, asked }) => {
  const words = sessionTexts(frame)
  const order = orderOf(session)
  if (session.state === 'failed' || asked === order) return null
  const settle = session.settlementCount === undefined ? words.settle : words.correct
  const stop = isWaiting(session) ? words.cancel : words.stop
  return (
    <span class="row end">
      <a class="button" href={`${sessionPath(frame, session.id)}?ask=${order}`}>
        {order === 'settle' ? settle : stop}
      </a>
    </span>
  )
}

function orderOf({ state }: Session): 'settle' | 'stop' {
  return state === 'completed' ? 'settle' : 'stop'
}

const Stop: FC<OrdersProps> = ({ visit: { frame, csrf }, session }) => {
  const words = sessionTexts(frame)
  const waits = isWaiting(session)
  return (
    <form method="post" action={`${sessionPath(frame, session.id)}/stop`}>
      <Sealed csrf={csrf(ACTIONS.stop(session.id))} />
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

const Settle: FC<OrdersProps> = ({ visit: { frame, csrf }, session, typed = NOTHING_TYPED }) => {
  const words = sessionTexts(frame)
  const { cost, energyKwh, currency } = representSession(session)
  const known = currency ?? session.tariff?.currency
  const decimal = { inputmode: 'decimal' } as const
  return (
    <form method="post" action={`${sessionPath(frame, session.id)}/settlements`}>
      <Sealed csrf={csrf(ACTIONS.settle(session.id))} />
      <input type="hidden" name="version" value={String(session.version)} />
      {known !== undefined && <input type="hidden" name="currency" value={known} />}
      {typed.faults.form !== undefined && <Warning>{typed.faults.form}</Warning>}
      <p class="soft">{words.settleHint}</p>
      <div class="narrowing">
        <FieldList
          typed={typed}
          fields={[
            { name: 'energyKwh', label: words.energyKwh, value: String(energyKwh), ...decimal },
            { name: 'cost', label: words.costNet, value: cost === undefined ? '' : String(cost), ...decimal },
            known === undefined && { name: 'currency', label: words.currency },
            { name: 'reason', label: words.why },
          ]}
        />
      </div>
      <div class="actions">
        <button type="submit" class="main">
          {session.settlementCount === undefined ? words.doSettle : words.doCorrect}
        </button>
        <a href={sessionPath(frame, session.id)}>{words.leave}</a>
      </div>
    </form>
  )
}
