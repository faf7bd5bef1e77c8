import type { FC } from 'hono/jsx'
import { Field, type Frame, Page, Warning } from '../../web/entries.tsx'
import type { Texts } from '../../web/texts.ts'
import { ssoTexts } from './texts.ts'

interface SignInProps {
  readonly frame: Frame
  readonly action: string
  readonly csrf: string
  readonly email: string
  readonly clientName?: string | undefined
  readonly problem?: string | undefined
  readonly ticket?: string | undefined
  readonly next?: string | undefined
  readonly sso?: SsoOffer | undefined
}

export interface SsoOffer {
  readonly host: string
  readonly address: string
  readonly isAway: boolean
  /** Passwords are for few (ADMIN-K6). */
  readonly isRule: boolean
}

export const SignInPage: FC<SignInProps> = (props) => {
  const { frame, clientName, problem, ticket, sso, email } = props
  const { texts } = frame
  const form = <PasswordForm {...props} />
  const offered = ticket === undefined ? sso : undefined
  return (
    <Page frame={frame} title={texts.signIn} narrow>
      <div class="card">
        <h1>{clientName === undefined ? texts.signIn : texts.signInTo(clientName)}</h1>
        {problem !== undefined && <Warning>{problem}</Warning>}
        {offered && <ByProvider frame={frame} offer={offered} />}
        {offered?.isRule ? (
          <details open={offered.isAway || email !== ''}>
            <summary>{ssoTexts(frame).breakGlass}</summary>
            {form}
          </details>
        ) : (
          form
        )}
      </div>
    </Page>
  )
}

const PasswordForm: FC<SignInProps> = ({ frame: { texts }, action, csrf, email, ticket, next }) => (
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
)

const ByProvider: FC<{ frame: Frame; offer: SsoOffer }> = ({ frame, offer: { host, address, isAway, isRule } }) => {
  const words = ssoTexts(frame)
  return (
    <>
      {isAway && <Warning>{words.away(host)}</Warning>}
      <p>
        <a class="button main" href={address}>
          {words.signInWith(host)}
        </a>
      </p>
      {!isRule && <p class="soft">{words.or}</p>}
    </>
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
