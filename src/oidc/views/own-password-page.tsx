import type { FC } from 'hono/jsx'
import { Choice, Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { QrCode } from '../../web/qr-code.tsx'
import { ownPasswordTexts } from './texts.ts'

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
