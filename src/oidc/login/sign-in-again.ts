import type { Texts } from '../../web/texts.ts'
import type { SignInOutcome } from './sign-in.ts'

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
