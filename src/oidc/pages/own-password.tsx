/** What users change about their own sign-in: the password, and a second factor (ADMIN-E2, ADMIN-F1). */

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
import type { AuditKind } from '../../domain/ports/storage-oidc-records.ts'
import { isTimeZone } from '../../domain/time-zone.ts'
import { type Faults, NOTHING_TYPED } from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import { csrfToken, frameOf, renderFault, renderPage } from '../../web/respond.tsx'
import { isLanguage } from '../../web/texts.ts'
import { personOf } from '../login/person.ts'
import { createSecondStep, sealedSecret, sharedSecret } from '../login/sign-in.ts'
import { beginLoginSession } from '../login/visitor.ts'
import { addressOf, type OidcContext, type Provider, type SignedIn } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { OwnPasswordPage, type OwnPasswordProps } from '../views/sign-in-page.tsx'
import { ownPasswordTexts } from '../views/texts.ts'

const ACTION = 'own password'
const MAX_TRIES = 10
const TRIES_WINDOW_MS = 900_000

type Shown = Pick<OwnPasswordProps, 'done' | 'enrolment' | 'recoveryCodes'> & {
  readonly faults?: Faults | undefined
  readonly status?: number | undefined
  readonly form?: URLSearchParams | undefined
}

export const showOwnPassword = visiting('anybody', (provider: Provider, context, visitor) =>
  ownPage(provider, context, visitor),
)

/** Every one of them asks for the password: an open browser is not enough to lock its owner out. */
export function ownPasswordForms(provider: Provider) {
  const tries = createThrottle(provider.limits, 'own password', MAX_TRIES, TRIES_WINDOW_MS)
  const verify = provider.verifyPassword ?? verifyPassword
  const secondStep = createSecondStep(provider)

  const withPassword = (act: (context: OidcContext, visitor: SignedIn, form: URLSearchParams) => Promise<Response>) =>
    submitting('anybody', ACTION, async (_: Provider, context, visitor, form) => {
      const frame = frameOf(provider, context)
      const { texts } = frame
      const refused = (fault: string, status: number): Promise<Response> =>
        ownPage(provider, context, visitor, { faults: { password: fault }, status })
      const waitSeconds = await tries.take(visitor.user.id)
      if (waitSeconds !== undefined) return refused(texts.tooManyAttempts(Math.ceil(waitSeconds / 60)), 429)
      try {
        const typed = form.get('password') ?? ''
        const usable = typed.length <= PASSWORD_MAX_LENGTH * 4
        if (!usable || !(await verify(typed, visitor.user.passwordHash)))
          return refused(ownPasswordTexts(frame).passwordIsWrong, 401)
        await tries.giveBack(visitor.user.id)
        return await act(context, visitor, form)
      } catch (error) {
        if (error instanceof LaneFull) return refused(texts.busy, 503)
        throw error
      }
    })

  return {
    keepDisplay: submitting('anybody', ACTION, async (_: Provider, context, visitor, form) => {
      const { user } = visitor
      const [language, timeZone] = ['language', 'timeZone'].map((name) => form.get(name)?.trim() || undefined)
      if (timeZone !== undefined && !isTimeZone(timeZone)) {
        const faults = { timeZone: ownPasswordTexts(frameOf(provider, context, { visitor })).noSuchZone }
        return ownPage(provider, context, visitor, { faults, status: 400, form })
      }
      await keepPreference(provider.writes, user.id, 'language', isLanguage(language) ? language : undefined)
      await keepPreference(provider.writes, user.id, 'timeZone', timeZone)
      const person = await personOf(provider, visitor)
      const { displayKept } = ownPasswordTexts(frameOf(provider, context, { visitor: { ...visitor, person } }))
      return ownPage(provider, context, { ...visitor, person }, { done: displayKept })
    }),

    changePassword: withPassword(async (context, visitor, form) => {
      const chosen = form.get('newPassword') ?? ''
      const complaint = checkPassword(chosen)
      if (complaint !== undefined) {
        return ownPage(provider, context, visitor, { faults: { newPassword: complaint }, status: 400 })
      }
      const passwordHash = await hashPassword(chosen, provider.random)
      await recorded(provider, context, visitor, 'password_changed', () =>
        provider.writes.updateUser(visitor.user.id, { passwordHash }),
      )
      // The new password has ended every sign-in, this one included.
      const again = await beginLoginSession(provider, context, { ...visitor.user, passwordHash })
      return ownPage(
        provider,
        context,
        { ...visitor, ...again },
        { done: ownPasswordTexts(frameOf(provider, context)).passwordChanged },
      )
    }),

    enrol: withPassword(async (context, visitor) => {
      const { id: userId, email } = visitor.user
      const before = await provider.reads.findSecondFactor(userId)
      if (before?.confirmedAt !== undefined) return renderFault(provider, context, 'used')
      const secret = newSharedSecret(provider.random)
      await provider.writes.putSecondFactor({
        userId,
        sealedSecret: sealedSecret(provider, userId, secret),
        recoveryHashes: [],
        lastStep: 0,
      })
      return ownPage(provider, context, visitor, { enrolment: enrolmentOf(secret, email) })
    }),

    confirm: submitting('anybody', ACTION, async (_: Provider, context, visitor, form) => {
      const { id: userId, email } = visitor.user
      const factor = await provider.reads.findSecondFactor(userId)
      if (!factor || factor.confirmedAt !== undefined) return renderFault(provider, context, 'used')
      const secret = sharedSecret(provider, factor)
      if (secret === undefined) return renderFault(provider, context, 'used')
      const step = stepOf(secret, form.get('code') ?? '', provider.now())
      if (step === undefined) {
        const faults = { code: frameOf(provider, context).texts.wrongCode }
        return ownPage(provider, context, visitor, { enrolment: enrolmentOf(secret, email), faults, status: 400 })
      }
      const codes = newRecoveryCodes(provider.random)
      const confirmed = {
        ...factor,
        recoveryHashes: codes.map(recoveryHash),
        confirmedAt: provider.now(),
        lastStep: step,
      }
      await recorded(provider, context, visitor, 'second_factor_set', () => provider.writes.putSecondFactor(confirmed))
      return ownPage(provider, context, visitor, { recoveryCodes: codes })
    }),

    remove: withPassword(async (context, visitor, form) => {
      const { texts } = frameOf(provider, context)
      // It keeps out an intruder who knows only the password.
      const confirmed = await secondStep.confirm(visitor.user, form.get('code') ?? '')
      if (confirmed.kind === 'wrong') {
        return ownPage(provider, context, visitor, { faults: { code: texts.wrongCode }, status: 401 })
      }
      if (confirmed.kind === 'throttled') {
        const fault = texts.tooManyAttempts(Math.ceil(confirmed.waitSeconds / 60))
        return ownPage(provider, context, visitor, { faults: { code: fault }, status: 429 })
      }
      await recorded(provider, context, visitor, 'second_factor_removed', () =>
        provider.writes.deleteSecondFactor(visitor.user.id),
      )
      return ownPage(provider, context, visitor)
    }),
  }
}

function enrolmentOf(secret: string, email: string): NonNullable<OwnPasswordProps['enrolment']> {
  return { address: authenticatorAddress(secret, email), key: secret.replace(/.{4}(?=.)/g, '$& ') }
}

function recorded<T>(
  provider: Provider,
  context: OidcContext,
  { user }: SignedIn,
  kind: AuditKind,
  work: () => Promise<T>,
): Promise<T> {
  const { id: userId, accountId, email: actor, role } = user
  const event = { at: provider.now(), kind, accountId, userId, actor, role, ip: addressOf(provider, context) }
  return audited(provider, event, work, () => ({ outcome: 'done' }))
}

async function ownPage(
  provider: Provider,
  context: OidcContext,
  visitor: SignedIn,
  { faults = {}, status = 200, form = NOTHING_TYPED.form, ...shown }: Shown = {},
): Promise<Response> {
  const [factor, preferences] = await Promise.all([
    provider.reads.findSecondFactor(visitor.user.id),
    preferencesOf(provider.reads, visitor.user.id),
  ])
  const display = {
    language: textPreference(preferences, 'language'),
    timeZone: textPreference(preferences, 'timeZone'),
    usualZone: provider.timeZone,
  }
  const page = (
    <OwnPasswordPage
      frame={frameOf(provider, context, { visitor })}
      csrf={csrfToken(context, provider, visitor, ACTION)}
      display={display}
      typed={{ form, faults }}
      recoveryLeft={factor?.confirmedAt === undefined ? undefined : factor.recoveryHashes.length}
      {...shown}
    />
  )
  return renderPage(provider, context, page, { status })
}
