/** What users change about their own sign-in: the password, and a second factor (ADMIN-E2, ADMIN-F1). */

import type { FC } from 'hono/jsx'
import { audited } from '../../application/audit/auditing.ts'
import { keepPreference, preferencesOf, textPreference } from '../../application/users/preferences.ts'
import {
  checkPassword,
  hashPassword,
  LaneFull,
  PASSWORD_MAX_LENGTH,
  verifyPassword,
} from '../../domain/accounts/password.ts'
import {
  authenticatorAddress,
  newRecoveryCodes,
  newSharedSecret,
  recoveryHash,
  stepOf,
} from '../../domain/accounts/second-factor.ts'
import type { AuditKind } from '../../domain/ports/storage-oidc.ts'
import { isTimeZone } from '../../domain/time-zone.ts'
import {
  Choice,
  Entry,
  type Faults,
  type Frame,
  NOTHING_TYPED,
  Page,
  Sealed,
  Submit,
  type Typed,
} from '../../web/entries.tsx'
import { QrCode } from '../../web/qr-code.tsx'
import { isLanguage } from '../../web/texts.ts'
import { personOf } from '../login/person.ts'
import { createSecondStep, sealedSecret, sharedSecret } from '../login/sign-in.ts'
import { beginLoginSession } from '../login/visitor.ts'
import { addressOf, type Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { ownPasswordTexts } from '../views/texts.ts'
import { acting, showing, type Visit, visitOf } from './visit.ts'

const ACTION = 'own password'
const MAX_TRIES = 10
const TRIES_WINDOW_MS = 900_000

interface Shown {
  readonly done?: string
  readonly enrolment?: ReturnType<typeof enrolmentOf>
  readonly recoveryCodes?: readonly string[]
  readonly faults?: Faults
  readonly status?: number
  readonly form?: URLSearchParams
}

export const showOwnPassword = showing('anybody', (visit) => ownPage(visit))

/** Every one of them asks for the password: an open browser is not enough to lock its owner out. */
export function ownPasswordForms(provider: Provider) {
  const { reads, writes, limits, now, random } = provider
  const tries = createThrottle(limits, 'own password', MAX_TRIES, TRIES_WINDOW_MS)
  const verify = provider.verifyPassword ?? verifyPassword
  const secondStep = createSecondStep(provider)
  const withPassword = (act: (visit: Visit, form: URLSearchParams) => Promise<Response>) =>
    acting('anybody', ACTION, async (visit, form) => {
      const { user } = visit.visitor
      const { texts } = visit.frame
      const refused = (fault: string, status: number): Promise<Response> =>
        ownPage(visit, { faults: { password: fault }, status })
      const waitSeconds = await tries.take(user.id)
      if (waitSeconds !== undefined) return refused(texts.tooManyAttempts(Math.ceil(waitSeconds / 60)), 429)
      try {
        const typed = form.get('password') ?? ''
        const usable = typed.length <= PASSWORD_MAX_LENGTH * 4
        if (!usable || !(await verify(typed, user.passwordHash)))
          return refused(ownPasswordTexts(visit.frame).passwordIsWrong, 401)
        await tries.giveBack(user.id)
        return await act(visit, form)
      } catch (error) {
        if (error instanceof LaneFull) return refused(texts.busy, 503)
        throw error
      }
    })
  return {
    keepDisplay: acting('anybody', ACTION, async (visit, form) => {
      const { context, visitor } = visit
      const { id } = visitor.user
      const [language, timeZone] = ['language', 'timeZone'].map((name) => form.get(name)?.trim() || undefined)
      if (timeZone !== undefined && !isTimeZone(timeZone)) {
        const faults = { timeZone: ownPasswordTexts(visit.frame).noSuchZone }
        return ownPage(visit, { faults, status: 400, form })
      }
      await keepPreference(writes, id, 'language', isLanguage(language) ? language : undefined)
      await keepPreference(writes, id, 'timeZone', timeZone)
      const after = visitOf(provider, context, { ...visitor, person: await personOf(provider, visitor) })
      return ownPage(after, { done: ownPasswordTexts(after.frame).displayKept })
    }),
    changePassword: withPassword(async (visit, form) => {
      const { context, visitor } = visit
      const chosen = form.get('newPassword') ?? ''
      const complaint = checkPassword(chosen)
      if (complaint !== undefined) return ownPage(visit, { faults: { newPassword: complaint }, status: 400 })
      const passwordHash = await hashPassword(chosen, random)
      await recorded(visit, 'password_changed', () => writes.updateUser(visitor.user.id, { passwordHash }))
      // The new password has ended every sign-in, this one included.
      const again = await beginLoginSession(provider, context, { ...visitor.user, passwordHash })
      const after = visitOf(provider, context, { ...visitor, ...again })
      return ownPage(after, { done: ownPasswordTexts(after.frame).passwordChanged })
    }),
    enrol: withPassword(async (visit) => {
      const { id: userId, email } = visit.visitor.user
      const before = await reads.findSecondFactor(userId)
      if (before?.confirmedAt !== undefined) return visit.fault('used')
      const secret = newSharedSecret(random)
      const sealed = sealedSecret(provider, userId, secret)
      await writes.putSecondFactor({ userId, sealedSecret: sealed, recoveryHashes: [], lastStep: 0 })
      return ownPage(visit, { enrolment: enrolmentOf(secret, email) })
    }),
    confirm: acting('anybody', ACTION, async (visit, form) => {
      const { id: userId, email } = visit.visitor.user
      const factor = await reads.findSecondFactor(userId)
      const secret = factor && factor.confirmedAt === undefined ? sharedSecret(provider, factor) : undefined
      if (!factor || secret === undefined) return visit.fault('used')
      const step = stepOf(secret, form.get('code') ?? '', now())
      if (step === undefined) {
        const faults = { code: visit.frame.texts.wrongCode }
        return ownPage(visit, { enrolment: enrolmentOf(secret, email), faults, status: 400 })
      }
      const recoveryCodes = newRecoveryCodes(random)
      const recoveryHashes = recoveryCodes.map(recoveryHash)
      const confirmed = { ...factor, recoveryHashes, confirmedAt: now(), lastStep: step }
      await recorded(visit, 'second_factor_set', () => writes.putSecondFactor(confirmed))
      return ownPage(visit, { recoveryCodes })
    }),
    remove: withPassword(async (visit, form) => {
      const { user } = visit.visitor
      const { texts } = visit.frame
      // It keeps out an intruder who knows only the password.
      const confirmed = await secondStep.confirm(user, form.get('code') ?? '')
      if (confirmed.kind === 'wrong') return ownPage(visit, { faults: { code: texts.wrongCode }, status: 401 })
      if (confirmed.kind === 'throttled') {
        const fault = texts.tooManyAttempts(Math.ceil(confirmed.waitSeconds / 60))
        return ownPage(visit, { faults: { code: fault }, status: 429 })
      }
      await recorded(visit, 'second_factor_removed', () => writes.deleteSecondFactor(user.id))
      return ownPage(visit)
    }),
  }
}

function enrolmentOf(secret: string, email: string): { readonly address: string; readonly key: string } {
  return { address: authenticatorAddress(secret, email), key: secret.replace(/.{4}(?=.)/g, '$& ') }
}

function recorded<T>({ provider, context, visitor }: Visit, kind: AuditKind, work: () => Promise<T>): Promise<T> {
  const { id: userId, accountId, email: actor, role } = visitor.user
  const event = { at: provider.now(), kind, accountId, userId, actor, role, ip: addressOf(provider, context) }
  return audited(provider, event, work, () => ({ outcome: 'done' }))
}

async function ownPage(
  visit: Visit,
  { faults = {}, status, form = NOTHING_TYPED.form, done, enrolment, recoveryCodes }: Shown = {},
): Promise<Response> {
  const { provider, visitor, frame } = visit
  const [factor, preferences] = await Promise.all([
    provider.reads.findSecondFactor(visitor.user.id),
    preferencesOf(provider.reads, visitor.user.id),
  ])
  const recoveryLeft = factor?.confirmedAt === undefined ? undefined : factor.recoveryHashes.length
  const words = ownPasswordTexts(frame)
  const ofForm = { frame, csrf: visit.csrf(ACTION), typed: { form, faults } }
  const page = (
    <Page frame={frame} title={words.ownPassword} narrow>
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
      {!enrolment && (
        <DisplayForm
          {...ofForm}
          language={textPreference(preferences, 'language')}
          timeZone={textPreference(preferences, 'timeZone')}
          usualZone={provider.timeZone}
        />
      )}
      <section class="card">
        <h2>{words.secondFactor}</h2>
        {enrolment ? (
          <Enrolment {...ofForm} {...enrolment} />
        ) : (
          <SecondFactorForm {...ofForm} recoveryLeft={recoveryLeft} />
        )}
      </section>
      {!enrolment && <PasswordForm {...ofForm} />}
    </Page>
  )
  return visit.show(page, { status })
}

interface FormProps {
  readonly frame: Frame
  readonly csrf: string
  readonly typed: Typed
}

const PasswordForm: FC<FormProps> = ({ frame, csrf, typed }) => {
  const words = ownPasswordTexts(frame)
  return (
    <form class="card" method="post" action={`${frame.root}/account`}>
      <h2>{words.changePassword}</h2>
      <Sealed csrf={csrf} />
      <Entry
        label={words.presentPassword}
        name="password"
        type="password"
        autocomplete="current-password"
        typed={typed}
        required
      />
      <Entry
        label={words.newPassword}
        name="newPassword"
        type="password"
        autocomplete="new-password"
        typed={typed}
        hint={words.newPasswordHint}
        required
      />
      <Submit>{frame.texts.save}</Submit>
    </form>
  )
}

const SecondFactorForm: FC<FormProps & { recoveryLeft: number | undefined }> = ({
  frame,
  csrf,
  typed,
  recoveryLeft,
}) => {
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

const Enrolment: FC<FormProps & ReturnType<typeof enrolmentOf>> = ({ frame, csrf, typed, address, key }) => (
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

/** In which language and time zone pages speak to the user (CONSOLE-F2). */
const DisplayForm: FC<
  FormProps & { language: string | undefined; timeZone: string | undefined; usualZone: string }
> = ({ frame, csrf, typed, language, timeZone, usualZone }) => {
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
        value={language}
        options={{ '': words.ofBrowser, ...texts.languages }}
      />
      <Entry
        label={texts.timeZone}
        name="timeZone"
        typed={typed}
        value={timeZone}
        list="zones"
        hint={words.timeZoneHint(usualZone)}
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
