/** What stands between an order and its sending: a question, a wait, a refusal. */

import type { FC } from 'hono/jsx'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { chargePointTexts } from '../charge-points/texts.ts'
import { chargePointPath } from '../paths.ts'

interface AgainProps {
  readonly frame: Frame
  readonly id: string
  /** Where the form goes, below the charge point. */
  readonly step: string
  readonly what: string
  /** The form as it was sent. */
  readonly sent: readonly (readonly [name: string, value: string])[]
  readonly once: string
}

const Sent: FC<Pick<AgainProps, 'sent' | 'once'>> = ({ sent, once }) => (
  <>
    {sent.map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <input type="hidden" name="once" value={once} />
  </>
)

export const AskPage: FC<AgainProps> = ({ frame, id, step, what, sent, once }) => {
  const words = chargePointTexts(frame)
  const path = chargePointPath(frame, id)
  return (
    <Page frame={frame} title={words.sure} narrow>
      <form class="card" method="post" action={`${path}/${step}`}>
        <h1>{words.sure}</h1>
        <p>{words.sureOf(what, id)}</p>
        <Sent sent={sent} once={once} />
        <div class="actions">
          <button class="danger" type="submit" name="confirmed" value="yes">
            {words.doIt}
          </button>
          <a href={path}>{words.cancel}</a>
        </div>
      </form>
    </Page>
  )
}

export const OfflinePage: FC<AgainProps & { waits: readonly number[] }> = ({
  frame,
  id,
  step,
  what,
  sent,
  once,
  waits,
}) => {
  const words = chargePointTexts(frame)
  const path = chargePointPath(frame, id)
  return (
    <Page frame={frame} title={words.offlineTitle} narrow>
      <form class="card" method="post" action={`${path}/${step}`}>
        <h1>{words.offlineTitle}</h1>
        <p role="alert">{words.offlineLead(what)}</p>
        <Sent sent={sent} once={once} />
        <label class="field">
          <span>{words.wait}</span>
          <select name="ttl">
            {waits.map((count) => (
              <option value={count}>{words.seconds(count)}</option>
            ))}
          </select>
        </label>
        <div class="actions">
          <button class="main" type="submit">
            {words.wait}
          </button>
          <a href={path}>{words.cancel}</a>
        </div>
      </form>
    </Page>
  )
}

export const OrderRefusedPage: FC<{ frame: Frame; id: string; refusal: Refusal }> = ({ frame, id, refusal }) => {
  const words = chargePointTexts(frame)
  return (
    <Page frame={frame} title={words.refusedBy} narrow>
      <div class="card answer bad">
        <h1>{words.notSent}</h1>
        <Warning>{refusal.detail}</Warning>
        <p>
          <a href={chargePointPath(frame, id)}>{words.goOn}</a>
        </p>
      </div>
    </Page>
  )
}
