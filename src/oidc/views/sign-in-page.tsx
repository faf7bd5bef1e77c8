import type { FC } from 'hono/jsx'
import { Choice, Entry, Field, type Frame, Page, Sealed, Submit, type Typed, Warning } from '../../web/entries.tsx'
import { QrCode } from '../../web/qr-code.tsx'
import type { Texts } from '../../web/texts.ts'
import { ownPasswordTexts, ssoTexts } from './texts.ts'

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

export interface OwnPasswordProps {
  readonly frame: Frame
  readonly csrf: string
  readonly typed: Typed
  readonly done?: string | undefined
  readonly recoveryLeft?: number | undefined
  readonly enrolment?: { readonly address: string; readonly key: string } | undefined
  readonly display: Display
  readonly recoveryCodes?: readonly string[] | undefined
}

export const OwnPasswordPage: FC<OwnPasswordProps> = ({ recoveryCodes, done, ...props }) => {
  const { texts } = props.frame
  const words = ownPasswordTexts(props.frame)
  return (
    <Page frame={props.frame} title={words.ownPassword} narrow>
      <h1>{words.ownPassword}</h1>
      {done !== undefined && (
        <p class="card" role="status">
          {done}
        </p>
      )}
      {recoveryCodes && (
        <section class="card" role="status">
          <h2>{words.recoveryCodes}</h2>
          <p>{words.recoveryCodesHint}</p>
          <ul class="choices">
            {recoveryCodes.map((code) => (
              <li>
                <code>{code}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {props.enrolment === undefined && <DisplayForm {...props} />}
      <section class="card">
        <h2>{words.secondFactor}</h2>
        {props.enrolment ? <Enrolment {...props} enrolment={props.enrolment} /> : <SecondFactorForm {...props} />}
      </section>
      {props.enrolment === undefined && (
        <form class="card" method="post" action={`${props.frame.root}/account`}>
          <h2>{words.changePassword}</h2>
          <Sealed csrf={props.csrf} />
          <Entry
            label={words.presentPassword}
            name="password"
            type="password"
            autocomplete="current-password"
            typed={props.typed}
            required
          />
          <Entry
            label={words.newPassword}
            name="newPassword"
            type="password"
            autocomplete="new-password"
            typed={props.typed}
            hint={words.newPasswordHint}
            required
          />
          <Submit>{texts.save}</Submit>
        </form>
      )}
    </Page>
  )
}

type FormProps = Omit<OwnPasswordProps, 'done' | 'recoveryCodes'>

const SecondFactorForm: FC<FormProps> = ({ frame, csrf, typed, recoveryLeft }) => {
  const { root } = frame
  const words = ownPasswordTexts(frame)
  const on = recoveryLeft !== undefined
  return (
    <>
      <p>{on ? words.secondFactorOn(recoveryLeft) : words.secondFactorOff}</p>
      <form method="post" action={`${root}/account/${on ? 'remove' : 'enrol'}`}>
        <Sealed csrf={csrf} />
        <label class="field">
          <span>{words.presentPassword}</span>
          <input type="password" name="password" autocomplete="current-password" required />
        </label>
        {on && (
          <Entry
            label={words.codeOrRecovery}
            name="code"
            autocomplete="one-time-code"
            typed={typed}
            hint={words.codeLost}
            required
          />
        )}
        <div class="actions">
          <button type="submit" class={on ? 'danger' : ''}>
            {on ? words.secondFactorRemove : words.secondFactorSetUp}
          </button>
        </div>
      </form>
    </>
  )
}

const Enrolment: FC<FormProps & { enrolment: NonNullable<OwnPasswordProps['enrolment']> }> = ({
  frame,
  csrf,
  typed,
  enrolment: { address, key },
}) => (
  <>
    <p>{ownPasswordTexts(frame).secondFactorScan}</p>
    <div class="beside">
      <QrCode text={address} label={ownPasswordTexts(frame).scanCode} />
      <p>
        <code>{key}</code>
        <br />
        <a href={address}>{ownPasswordTexts(frame).secondFactorSetUp}</a>
      </p>
    </div>
    <form method="post" action={`${frame.root}/account/confirm`}>
      <Sealed csrf={csrf} />
      <Entry
        label={ownPasswordTexts(frame).secondFactorConfirm}
        name="code"
        typed={typed}
        autocomplete="one-time-code"
        inputmode="numeric"
        required
      />
      <Submit>{ownPasswordTexts(frame).secondFactorConfirmButton}</Submit>
    </form>
  </>
)

interface Display {
  readonly language?: string | undefined
  readonly timeZone?: string | undefined
  readonly usualZone: string
}

/** In which language and time zone pages speak to the user (CONSOLE-F2). */
const DisplayForm: FC<{
  readonly frame: Frame
  readonly csrf: string
  readonly typed: Typed
  readonly display: Display
}> = ({ frame, csrf, typed, display }) => {
  const { texts, root } = frame
  const words = ownPasswordTexts(frame)
  return (
    <form class="card" method="post" action={`${root}/account/display`}>
      <h2>{words.display}</h2>
      <Sealed csrf={csrf} />
      <Choice
        label={texts.language}
        name="language"
        typed={typed}
        value={display.language}
        options={{ '': words.ofBrowser, ...texts.languages }}
      />
      <Entry
        label={texts.timeZone}
        name="timeZone"
        typed={typed}
        value={display.timeZone}
        list="zones"
        hint={words.timeZoneHint(display.usualZone)}
      />
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option value={zone} />
        ))}
      </datalist>
      <Submit>{texts.save}</Submit>
    </form>
  )
}
