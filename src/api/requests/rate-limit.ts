/**
 * Rate limits (API-E2): token buckets per account, shared by its credentials; an application has a further, smaller
 * one, so that it cannot starve the rest of the account. Searches have limits of their own, everything else shares
 * `api`; who shows no valid credential is counted by address.
 */

import type { Limits } from '../../domain/ports/limits.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { secondsUntil } from '../../limits/token-bucket.ts'
import type { Principal } from '../access/access.ts'
import { Problem } from '../respond.ts'

type Limited = 'v1' | 'v2' | 'api'

export interface RateLimits {
  /**
   * Takes `cost` tokens from every bucket of the caller, or none. @returns headers; none when the limit is off
   * @param paid what this request took before its whole cost was known; given back when it is refused now
   * @throws Problem 429 `rate_limited` with the same headers and `Retry-After`
   */
  spend(limited: Limited, principal: Principal, cost: number, paid?: number): Promise<Readonly<Record<string, string>>>
  /** After which `spend` would take so much; 0 when it would now. */
  secondsUntil(limited: Limited, principal: Principal, cost: number): Promise<number>
  /** Counts a request without a valid credential. @throws Problem 429 `rate_limited` */
  spendAnonymous(address: string): Promise<void>
}

export function ratesOf({ rateV1, rateV2, rateApi }: Record<'rateV1' | 'rateV2' | 'rateApi', number>) {
  return { v1: rateV1, v2: rateV2, api: rateApi }
}

const CLIENT_SHARE = 0.8
const MINUTE_MS = 60_000

export function createRateLimits(
  limits: Limits,
  perMinute: { readonly v1: number; readonly v2: number; readonly api?: number | undefined },
): RateLimits {
  const take = async (
    purpose: 'account' | 'address',
    policies: readonly Policy[],
    cost: number,
    paid: number,
    refusal: string,
  ): Promise<Readonly<Record<string, string>>> => {
    // An expensive request must be possible under a small limit too: it then takes the whole bucket.
    const price = (policy: Policy): number => Math.min(cost, policy.perMinute)
    const bucket = ({ key, perMinute }: Policy) => ({ key, most: perMinute, perMs: MINUTE_MS })
    if (paid > 0) {
      await limits.take(
        purpose,
        policies.map((policy) => ({ ...bucket(policy), tokens: -paid })),
      )
    }
    const { taken, levels } = await limits.take(
      purpose,
      policies.map((policy) => ({ ...bucket(policy), tokens: price(policy) })),
    )
    const after = policies.map((policy, index) => ({
      ...policy,
      level: levels[index] ?? { level: policy.perMinute, at: 0 },
    }))
    const headers = {
      'ratelimit-policy': after.map(({ name, perMinute }) => `"${name}";q=${perMinute};w=60`).join(', '),
      ratelimit: after
        .map(
          ({ name, level, perMinute }) =>
            `"${name}";r=${Math.floor(level.level)};t=${secondsUntil(level, perMinute, perMinute)}`,
        )
        .join(', '),
    }
    if (taken) return headers
    const wait = Math.max(...after.map((part) => secondsUntil(part.level, price(part), part.perMinute)))
    throw new Problem(429, 'rate_limited', `${refusal}; wait ${wait} seconds.`, {
      headers: { ...headers, 'retry-after': String(Math.max(1, wait)) },
    })
  }
  return {
    async secondsUntil(limited, principal, cost) {
      const limit = perMinute[limited] ?? 0
      if (limit === 0) return 0
      const policies = policiesOf(limited, principal, limit)
      const { levels } = await limits.take(
        'account',
        policies.map(({ key, perMinute }) => ({ key, most: perMinute, perMs: MINUTE_MS, tokens: 0 })),
      )
      const waits = policies.map(({ perMinute }, index) => {
        const level = levels[index]
        return level ? secondsUntil(level, Math.min(cost, perMinute), perMinute) : 0
      })
      return Math.max(...waits)
    },
    async spend(limited, principal, cost, paid = 0) {
      const limit = perMinute[limited] ?? 0
      if (limit === 0) return {}
      const what = limited === 'api' ? 'requests' : 'searches'
      const refusal = `The account may send ${limit} ${what} a minute`
      return take('account', policiesOf(limited, principal, limit), cost, paid, refusal)
    },
    async spendAnonymous(address) {
      const limit = perMinute.api ?? 0
      if (limit === 0) return
      const policy = { name: 'address', key: addressBlock(address), perMinute: limit }
      await take('address', [policy], 1, 0, `An address may send ${limit} requests a minute without a valid credential`)
    },
  }
}

interface Policy {
  readonly name: string
  readonly key: string
  readonly perMinute: number
}

function policiesOf(limited: Limited, principal: Principal, limit: number): readonly Policy[] {
  const name = limited === 'api' ? 'api' : 'search'
  const account = { name, key: JSON.stringify([limited, principal.accountId]), perMinute: limit }
  if (principal.kind === 'credential') return [account]
  const key = JSON.stringify([limited, principal.accountId, principal.clientId])
  return [account, { name: `${name}-client`, key, perMinute: Math.max(1, Math.floor(limit * CLIENT_SHARE)) }]
}
