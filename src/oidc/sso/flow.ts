/** A provider sign-in under way, sealed in the browser's cookie: ten minutes, one answer, one state (ADMIN-K5). */
import { sealedBox } from '../../secrets/sealed-box.ts'
import { clearCookie, readCookie, writeCookie } from '../../web/cookies.ts'
import { equalHashes } from '../../web/mac.ts'
import { hashOf, newSecret } from '../oidc-secrets.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import type { Checks } from './identity-provider.ts'

const FLOW_MS = 600_000

export interface Flow extends Checks {
  /** A page of ours, checked. */
  readonly next: string
  /** Hash of the request of an application that waits for this sign-in. */
  readonly interaction?: string | undefined
}

interface Kept extends Flow {
  readonly expiresAt: number
}

export interface Returned extends Flow {
  /** Since the browser left. */
  readonly tookMs: number
}

type FlowContext = Pick<Provider, 'config' | 'random' | 'now' | 'limits'>

export function beginFlow(
  place: FlowContext,
  context: OidcContext,
  way: Pick<Flow, 'next' | 'interaction' | 'maxAgeSeconds'>,
): Flow {
  const { random, now } = place
  const secret = (): string => newSecret('plain', random)
  const flow: Flow = { state: secret(), nonce: secret(), verifier: secret(), ...way }
  const kept: Kept = { ...flow, expiresAt: now() + FLOW_MS }
  writeCookie(context, place, 'sso', box(place).seal(JSON.stringify(kept)))
  return flow
}

/** Undefined for an answer that this browser does not wait for, or no longer, or has had. */
export async function endFlow(place: FlowContext, context: OidcContext, state: string): Promise<Returned | undefined> {
  const opened = box(place).open(readCookie(context, place, 'sso') ?? '')
  if (opened === undefined) return undefined
  const { expiresAt, ...flow } = JSON.parse(opened) as Kept
  if (!equalHashes(hashOf(flow.state), hashOf(state))) return undefined
  clearCookie(context, place, 'sso')
  // A copy of the cookie would open again.
  const isSpent = (await createThrottle(place.limits, 'answer to', 1, FLOW_MS).take(flow.state)) !== undefined
  const leftMs = expiresAt - place.now()
  return isSpent || leftMs <= 0 ? undefined : { ...flow, tookMs: Math.max(0, FLOW_MS - leftMs) }
}

function box({ config, random }: Pick<FlowContext, 'config' | 'random'>) {
  return sealedBox(config.secretKey, 'signInFlows', random)
}
