import type { FC } from 'hono/jsx'
import { Field, type Frame, Page } from '../../web/layout.tsx'
import type { Texts } from '../../web/texts.ts'
import { Warning } from '../../web/warning.tsx'

export interface SignInProps {
  readonly frame: Frame
  readonly action: string
  readonly csrf: string
  readonly email: string
  /** The application that waits, if one does. */
  readonly clientName?: string | undefined
  readonly problem?: string | undefined
  /** The password was right, a code completes the sign-in. */
  readonly ticket?: string | undefined
  /** Where to go afterwards, for the dashboard's own sign-in. */
  readonly next?: string | undefined
}

export const SignInPage: FC<SignInProps> = ({ frame, action, csrf, email, clientName, problem, ticket, next }) => {
  const { texts } = frame
  return (
    <Page frame={frame} title={texts.signIn} narrow>
      <div class="card">
        <h1>{clientName === undefined ? texts.signIn : texts.signInTo(clientName)}</h1>
        {problem !== undefined && <Warning>{problem}</Warning>}
        <form method="post" action={action}>
          <input type="hidden" name="csrf" value={csrf} />
          {next !== undefined && <input type="hidden" name="next" value={next} />}
          {ticket === undefined ? (
            <Password texts={texts} email={email} />
          ) : (
            <Code texts={texts} email={email} ticket={ticket} />
          )}
          <div class="actions">
            <button class="main" type="submit">
              {texts.signIn}
            </button>
          </div>
        </form>
      </div>
    </Page>
  )
}

const Password: FC<{ texts: Texts; email: string }> = ({ texts, email }) => (
  <>
    {/* Not type="email": browsers refuse umlauts before the @ there, and rewrite those after it. */}
    <Field
      label={texts.email}
      name="email"
      inputmode="email"
      value={email}
      autocomplete="username"
      required
      autofocus
    />
    <Field label={texts.password} name="password" type="password" autocomplete="current-password" required />
  </>
)

const Code: FC<{ texts: Texts; email: string; ticket: string }> = ({ texts, email, ticket }) => (
  <>
    <input type="hidden" name="ticket" value={ticket} />
    <input type="hidden" name="email" value={email} />
    <p>{texts.secondStep}</p>
    <Field label={texts.code} name="code" autocomplete="one-time-code" required autofocus />
  </>
)
