/** Checking a password: counted before it is hashed, the same time and words for known and unknown users (OIDC-L4). */

import {
  composed,
  hashPassword,
  LaneFull,
  needsRehash,
  PASSWORD_MAX_LENGTH,
  verifyPassword,
} from '../../domain/accounts/password.ts'
import { recoveryHash, stepOf } from '../../domain/accounts/second-factor.ts'
import { isBreakGlass } from '../../domain/accounts/user.ts'
import type { SecondFactor } from '../../domain/ports/storage-administration.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { type SealedBox, sealedBox } from '../../secrets/sealed-box.ts'
import { equalHashes, macOf, readCookie, writeCookie } from '../../web/cookies.ts'
import type { Texts } from '../../web/texts.ts'
import { derivedKey, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { passwordMark } from './visitor.ts'

const MINUTE_MS = 60_000
const MAX_PER_NAME = 10
const NAME_WINDOW_MS = 15 * MINUTE_MS
const MAX_PER_ADDRESS = 100
const ADDRESS_WINDOW_MS = 60 * MINUTE_MS
/** Twice what an e-mail address may have: whatever is typed, a name that is counted stays small. */
const MAX_NAME_CHARACTERS = 512

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly user: User }
  /** The password was right and a code is asked for; `wrong` when it was asked for already. */
  | { readonly kind: 'second_step'; readonly ticket: string; readonly wrong: boolean }
  | { readonly kind: 'over' }
  | { readonly kind: 'wrong' }
  /** The password was right, and is no way in for this user (ADMIN-K6). */
  | { readonly kind: 'by_provider' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'throttled'; readonly waitSeconds: number }

/** @param form `email` and `password`, or the `ticket` and the `code` of the second step */
export type SignIn = (context: OidcContext, form: URLSearchParams) => Promise<SignInOutcome>

export function createSignIn(provider: Provider): SignIn {
  const { reads, writes, random, log, limits } = provider
  const verify = provider.verifyPassword ?? verifyPassword
  const perName = createThrottle(limits, 'sign-in of', MAX_PER_NAME, NAME_WINDOW_MS)
  const perAddress = createThrottle(limits, 'sign-in from', MAX_PER_ADDRESS, ADDRESS_WINDOW_MS)

  const rehashed = async (user: User, password: string): Promise<User> => {
    if (!needsRehash(user.passwordHash)) return user
    const passwordHash = await hashPassword(password, random)
    await writes.updateUser(user.id, { passwordHash })
    return { ...user, passwordHash }
  }
  const secondStep = createSecondStep(provider)
  const second = async (context: OidcContext, ticket: string, code: string): Promise<SignInOutcome> => {
    const ip = addressOf(provider, context)
    const outcome = await secondStep.check(ticket, code)
    if (outcome.kind === 'right') return signedIn(provider, context, outcome.user)
    if (outcome.kind !== 'wrong') return outcome
    await auditFailure(provider, outcome.user, ip)
    return { kind: 'second_step', ticket, wrong: true }
  }
  const first = async (context: OidcContext, email: string, password: string): Promise<SignInOutcome> => {
    const ip = addressOf(provider, context)
    const typed = composed(email.trim(), MAX_NAME_CHARACTERS)
    const name = typed.toLowerCase().slice(0, MAX_NAME_CHARACTERS)
    const device = knownDevice(provider, context, name)
    // An attack on a name must not lock out its owner: a browser that signed in before has its own count.
    const counters = device
      ? [{ throttle: perName, key: `device ${device}` }]
      : [
          { throttle: perName, key: JSON.stringify([name, addressBlock(ip)]) },
          { throttle: perAddress, key: addressBlock(ip) },
        ]
    for (const { throttle, key } of counters) {
      const waitSeconds = await throttle.take(key)
      if (waitSeconds !== undefined) return { kind: 'throttled', waitSeconds }
    }
    try {
      const user = await reads.findUserByEmail(typed)
      const usable = password.length <= PASSWORD_MAX_LENGTH * 4
      const correct = (await verify(usable ? password : '', user?.passwordHash)) && usable
      if (!user || !correct || user.disabledAt !== undefined) {
        await auditFailure(provider, user, ip)
        return { kind: 'wrong' }
      }
      for (const { throttle, key } of counters) await throttle.giveBack(key)
      if (!(await mayUsePassword(provider, user))) {
        await auditFailure(provider, user, ip)
        return { kind: 'by_provider' }
      }
      const current = await rehashed(user, password)
      const ticket = await secondStep.ticketFor(current)
      // A browser is only known once the whole sign-in has worked in it.
      if (ticket !== undefined) return { kind: 'second_step', ticket, wrong: false }
      return signedIn(provider, context, current)
    } catch (error) {
      if (!(error instanceof LaneFull)) throw error
      log.warn({ ip }, 'a sign-in was turned away: too many at once')
      return { kind: 'busy' }
    }
  }
  return (context, form) => {
    const ticket = form.get('ticket')
    if (ticket) return second(context, ticket, form.get('code') ?? '')
    return first(context, form.get('email') ?? '', form.get('password') ?? '')
  }
}

async function mayUsePassword({ config, reads }: Provider, user: User): Promise<boolean> {
  return config.passwordSignIn === 'on' || isBreakGlass(user, await reads.listUsers(user.accountId))
}

export async function signedIn(provider: Provider, context: OidcContext, user: User): Promise<SignInOutcome> {
  const { id: userId, accountId, email: actor, role } = user
  rememberDevice(provider, context, actor.toLowerCase())
  const ip = addressOf(provider, context)
  await provider.writes.audit({ at: provider.now(), kind: 'sign_in', accountId, userId, actor, role, ip })
  return { kind: 'signed_in', user }
}

export async function auditFailure(
  { writes, now, log }: Provider,
  user: User | undefined,
  ip: string,
  reason?: string,
): Promise<void> {
  const who = user && { accountId: user.accountId, userId: user.id, actor: user.email, role: user.role }
  const why = reason === undefined ? {} : { subject: reason }
  log.warn({ ip, ...who, reason }, 'a sign-in failed')
  await writes.audit({ at: now(), kind: 'sign_in_failed', ...who, ...why, ip, outcome: 'refused' })
}

/** `<random>.<MAC over it and the login name>`: proof that this browser once knew the password. */
function knownDevice(provider: Provider, context: OidcContext, name: string): string | undefined {
  const [id = '', mac = ''] = (readCookie(context, provider, 'device') ?? '').split('.')
  return id !== '' && equalHashes(deviceMac(provider, id, name), mac) ? id : undefined
}

function rememberDevice(provider: Provider, context: OidcContext, name: string): void {
  if (knownDevice(provider, context, name) !== undefined) return
  const id = newSecret('plain', provider.random)
  writeCookie(context, provider, 'device', `${id}.${deviceMac(provider, id, name)}`)
}

function deviceMac({ config }: Provider, id: string, name: string): string {
  return macOf(derivedKey(config.secretKey, 'known device'), id, name)
}

/** ADMIN-F1: the password earns a sealed ticket for five minutes, a code completes it; codes are counted per user. */
const TICKET_MS = 300_000
const MAX_CODES = 10
const CODES_WINDOW_MS = 900_000

interface Ticket {
  readonly userId: string
  /** A new password, another role and disabling make it useless. */
  readonly mark: string
  readonly expiresAt: number
}

type SecondOutcome =
  | { readonly kind: 'right'; readonly user: User }
  /** The ticket is too old, or the user has changed meanwhile: the password once more. */
  | { readonly kind: 'over' }
  | { readonly kind: 'wrong'; readonly user: User }
  | { readonly kind: 'throttled'; readonly waitSeconds: number }

interface SecondStep {
  /** Undefined: the password alone is enough. */
  readonly ticketFor: (user: User) => Promise<string | undefined>
  readonly check: (ticket: string, code: string) => Promise<SecondOutcome>
  /** A code of a user who is signed in; right for one without a second factor. Counted with those of sign-ins. */
  readonly confirm: (user: User, code: string) => Promise<Exclude<SecondOutcome, { readonly kind: 'over' }>>
}

export function createSecondStep(provider: Provider): SecondStep {
  const { reads, writes, now, random, config, limits } = provider
  const box = sealedBox(config.secretKey, 'secondSteps', random)
  const throttle = createThrottle(limits, 'code', MAX_CODES, CODES_WINDOW_MS)

  const userOf = async (text: string): Promise<User | undefined> => {
    const opened = box.open(text)
    const ticket = opened === undefined ? undefined : (JSON.parse(opened) as Ticket)
    const user = ticket && (await reads.findUser(ticket.userId))
    if (!ticket || !user || user.disabledAt !== undefined || ticket.expiresAt <= now()) return undefined
    return ticket.mark === passwordMark(user) ? user : undefined
  }
  const spend = async (factor: SecondFactor, code: string): Promise<boolean> => {
    const secret = sharedSecret(provider, factor)
    const step = secret === undefined ? undefined : stepOf(secret, code, now())
    if (step !== undefined) return writes.spendTimeStep(factor.userId, step, now())
    return writes.spendRecoveryCode(factor.userId, recoveryHash(code))
  }
  const confirm: SecondStep['confirm'] = async (user, code) => {
    const waitSeconds = await throttle.take(user.id)
    if (waitSeconds !== undefined) return { kind: 'throttled', waitSeconds }
    const factor = await reads.findSecondFactor(user.id)
    // Taken away meanwhile, by the user or an administrator: the password was right.
    if (factor?.confirmedAt !== undefined && !(await spend(factor, code))) return { kind: 'wrong', user }
    await throttle.giveBack(user.id)
    return { kind: 'right', user }
  }
  return {
    confirm,
    async ticketFor(user) {
      const { id: userId } = user
      const factor = await reads.findSecondFactor(userId)
      if (factor?.confirmedAt === undefined) return undefined
      const ticket: Ticket = { userId, mark: passwordMark(user), expiresAt: now() + TICKET_MS }
      return box.seal(JSON.stringify(ticket))
    },
    async check(ticket, code) {
      const user = await userOf(ticket)
      return user ? confirm(user, code) : { kind: 'over' }
    },
  }
}

type Sealing = Pick<Provider, 'config' | 'random'>

const secretBox = ({ config, random }: Sealing): SealedBox => sealedBox(config.secretKey, 'secondFactors', random)

/** Undefined, so that no code is right, when it was sealed under another secret key or for another user. */
export function sharedSecret(sealing: Sealing, { userId, sealedSecret }: SecondFactor): string | undefined {
  return secretBox(sealing).open(sealedSecret, userId)
}

export function sealedSecret(sealing: Sealing, userId: string, secret: string): string {
  return secretBox(sealing).seal(secret, userId)
}

/** Time for the sign-ins before it. */
const BUSY_SECONDS = 5

export interface SignInAgain {
  readonly email: string
  readonly problem?: string | undefined
  readonly ticket?: string | undefined
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export function signInAgain(
  outcome: Exclude<SignInOutcome, { kind: 'signed_in' }>,
  email: string,
  texts: Texts,
): SignInAgain {
  switch (outcome.kind) {
    case 'wrong':
      return { email, problem: texts.wrongPassword, status: 401 }
    case 'by_provider':
      return { email, problem: texts.passwordIsOff, status: 403 }
    case 'second_step': {
      const { ticket, wrong } = outcome
      return wrong ? { email, ticket, problem: texts.wrongCode, status: 401 } : { email, ticket, status: 200 }
    }
    case 'over':
      return { email, problem: texts.signInOver, status: 401 }
    case 'busy':
      return { email, problem: texts.busy, status: 503, headers: retryAfter(BUSY_SECONDS) }
    case 'throttled': {
      const problem = texts.tooManyAttempts(Math.ceil(outcome.waitSeconds / 60))
      return { email, problem, status: 429, headers: retryAfter(outcome.waitSeconds) }
    }
  }
}

function retryAfter(seconds: number): Readonly<Record<string, string>> {
  return { 'retry-after': String(seconds) }
}
