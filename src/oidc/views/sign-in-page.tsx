import type { FC } from 'hono/jsx'
import { Field, type Frame, Page } from '../../web/layout.tsx'

export interface SignInProps {
  readonly frame: Frame
  readonly action: string
  readonly csrf: string
  readonly email: string
  /** The application that waits, if one does. */
  readonly clientName?: string
  readonly problem?: string
  /** Where to go afterwards, for the dashboard's own sign-in. */
  readonly next?: string
}

export const SignInPage: FC<SignInProps> = ({ frame, action, csrf, email, clientName, problem, next }) => {
  const { texts } = frame
  return (
    <Page frame={frame} title={texts.signIn} narrow>
      <div class="card">
        <h1>{clientName === undefined ? texts.signIn : texts.signInTo(clientName)}</h1>
        {problem !== undefined && (
          <p class="warn" role="alert">
            {problem}
          </p>
        )}
        <form method="post" action={action}>
          <input type="hidden" name="csrf" value={csrf} />
          {next !== undefined && <input type="hidden" name="next" value={next} />}
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
