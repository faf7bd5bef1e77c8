import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { isWaiting } from '../../domain/sessions/orders/remote.ts'
import type { Typed } from '../../web/entries.tsx'
import { type Fields, Form } from '../kit/form.tsx'
import { wordsIn } from '../kit/parts.tsx'
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
  const { session, asked } = props
  if (session.state === 'failed' || asked !== orderOf(session)) return null
  return asked === 'settle' ? <Settle {...props} /> : <Stop {...props} />
}

export const OrderLink: FC<OrdersProps> = ({ visit: { frame }, session, asked }) => {
  const words = wordsIn('sessions', frame)
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

const Stop: FC<OrdersProps> = ({ visit, session }) => {
  const { frame } = visit
  const words = wordsIn('sessions', frame)
  const waits = isWaiting(session)
  return (
    <Form
      visit={visit}
      action={ACTIONS.stop(session.id)}
      to={`${sessionPath(frame, session.id)}/stop`}
      title={waits ? words.cancel : words.stop}
      lead={waits ? words.askCancel : words.askStop}
      danger
      submit={waits ? words.doCancel : words.doStop}
      more={<a href={sessionPath(frame, session.id)}>{words.leave}</a>}
    />
  )
}

const Settle: FC<OrdersProps> = ({ visit, session, typed }) => {
  const { frame } = visit
  const words = wordsIn('sessions', frame)
  const { cost, energyKwh, currency } = representSession(session)
  const known = currency ?? session.tariff?.currency
  const decimal = { inputmode: 'decimal' } as const
  const fields: Fields = [
    { name: 'energyKwh', label: words.energyKwh, value: String(energyKwh), ...decimal },
    { name: 'cost', label: words.costNet, value: cost === undefined ? '' : String(cost), ...decimal },
    known === undefined && { name: 'currency', label: words.currency },
    { name: 'reason', label: words.why },
  ]
  return (
    <Form
      visit={visit}
      action={ACTIONS.settle(session.id)}
      to={`${sessionPath(frame, session.id)}/settlements`}
      title={session.settlementCount === undefined ? words.settle : words.correct}
      lead={words.settleHint}
      typed={typed}
      fields={[{ beside: true, fields }]}
      submit={session.settlementCount === undefined ? words.doSettle : words.doCorrect}
      more={<a href={sessionPath(frame, session.id)}>{words.leave}</a>}
    >
      <input type="hidden" name="version" value={String(session.version)} />
      {known !== undefined && <input type="hidden" name="currency" value={known} />}
    </Form>
  )
}
