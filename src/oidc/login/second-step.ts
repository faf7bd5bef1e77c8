/** ADMIN-F1: the password earns a sealed ticket for five minutes, a code completes it; codes are counted per user. */

import { recoveryHash, stepOf } from '../../domain/accounts/second-factor.ts'
import type { SecondFactor } from '../../domain/ports/storage-administration.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { type SealedBox, sealedBox } from '../../secrets/sealed-box.ts'
import type { Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { passwordMark } from './visitor.ts'

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
