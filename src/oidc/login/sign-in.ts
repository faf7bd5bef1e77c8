/** Checking a password: counted before it is hashed, the same time and words for known and unknown users (OIDC-L4). */

import {
  composed,
  hashPassword,
  LaneFull,
  needsRehash,
  PASSWORD_MAX_LENGTH,
  verifyPassword,
} from '../../domain/accounts/password.ts'
import { isBreakGlass } from '../../domain/accounts/user.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { readCookie, writeCookie } from '../../web/cookies.ts'
import { equalHashes, macOf } from '../../web/mac.ts'
import { derivedKey, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { createSecondStep } from './second-step.ts'

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
