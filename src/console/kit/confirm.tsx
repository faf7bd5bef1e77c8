/** The question before what cannot be taken back, or ends what others rely on (CONSOLE-A19). */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { Page } from '../../web/layout.tsx'
import type { Visit } from '../visit.tsx'
import { sharedWords } from './texts.ts'

interface ConfirmProps {
  readonly visit: Visit
  readonly title: string
  readonly name?: string | undefined
  readonly lead: string
  readonly to: string
  /** The form as sent, its token included. */
  readonly sent: Iterable<readonly [name: string, value: string]>
  readonly button: string
  readonly back: string
  readonly says?: { readonly name: string; readonly value: string } | undefined
  readonly harmless?: boolean | undefined
}

export const ConfirmPage: FC<PropsWithChildren<ConfirmProps>> = ({ visit: { frame }, children, ...ask }) => (
  <Page frame={frame} title={ask.title} narrow>
    <form class="card" method="post" action={ask.to}>
      <h1>{ask.title}</h1>
      {[...ask.sent].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {ask.name !== undefined && (
        <p>
          <bdi class="host">{ask.name}</bdi>
        </p>
      )}
      <p>{ask.lead}</p>
      {children}
      <div class="actions">
        <button class={ask.harmless ? 'main' : 'danger'} type="submit" {...ask.says}>
          <bdi>{ask.button}</bdi>
        </button>
        <a href={ask.back}>{sharedWords(frame).cancel}</a>
      </div>
    </form>
  </Page>
)
