import type { FC } from 'hono/jsx'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'
import { ConfirmPage } from '../kit/confirm.tsx'
import { Way } from '../kit/list.tsx'
import { chargePointTexts } from '../kit/texts.ts'
import { translated } from '../kit/translated.ts'
import { chargePointPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import { WaitChoice } from './outlets.tsx'

interface AgainProps {
  readonly visit: Visit
  readonly id: string
  readonly step: string
  readonly what: string
  readonly sent: readonly (readonly [name: string, value: string])[]
}

export const AskPage: FC<AgainProps> = ({ visit, id, step, what, sent }) => {
  const words = chargePointTexts(visit.frame)
  const path = chargePointPath(visit.frame, id)
  const isWhenIdle = sent.some(([name, value]) => name === 'value' && value === 'OnIdle')
  const lead = isWhenIdle ? words.whenIdle : words.interrupts
  return (
    <ConfirmPage
      {...{ visit, sent, title: what, name: id, lead, button: words.orderOf(what, id), back: path }}
      to={`${path}/${step}`}
      says={{ name: 'confirmed', value: 'yes' }}
    />
  )
}

export const OfflinePage: FC<AgainProps & { waits: readonly number[] }> = ({ visit, id, step, what, sent, waits }) => {
  const words = chargePointTexts(visit.frame)
  const path = chargePointPath(visit.frame, id)
  return (
    <ConfirmPage
      {...{ visit, sent, title: words.offlineTitle, lead: words.offlineLead(what), button: words.wait, back: path }}
      to={`${path}/${step}`}
      harmless
    >
      <WaitChoice words={words} waits={waits} />
    </ConfirmPage>
  )
}

export const OrderRefusedPage: FC<{ frame: Frame; id: string; refusal: Refusal }> = ({ frame, id, refusal }) => {
  const words = chargePointTexts(frame)
  return (
    <Page frame={frame} title={words.refusedBy} narrow>
      <div class="card answer bad">
        <h1>{words.notSent}</h1>
        <Warning>{translated(frame, refusal.detail)}</Warning>
        <Way to={chargePointPath(frame, id)} text={words.goOn} />
      </div>
    </Page>
  )
}
