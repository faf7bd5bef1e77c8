/** A request that needs a page is kept until a user answers it; anyone who knows a client can make one. */

import type { Limits } from '../../domain/ports/limits.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { renderFault, seeOther } from '../../web/respond.tsx'
import { hashOf, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { createThrottle, type Throttle } from '../throttle.ts'

/** At once, and again within the window: enough for a company behind one address, and too few to fill a disk. */
const MAX_STARTED = 600
const WINDOW_MS = 600_000

export function createBeginThrottle(limits: Limits): Throttle {
  return createThrottle(limits, 'begin', MAX_STARTED, WINDOW_MS)
}

interface Begun {
  readonly clientId: string
  readonly request: string
  readonly browserHash?: string | undefined
  readonly userId?: string | undefined
}

/** @param locationOf where the browser goes on with the handle */
export async function begin(
  provider: Provider,
  context: OidcContext,
  begun: Begun,
  locationOf: (handle: string) => string,
): Promise<Response> {
  const { writes, now, random, config, beginThrottle } = provider
  const waitSeconds = await beginThrottle.take(addressBlock(addressOf(provider, context)))
  if (waitSeconds !== undefined) {
    return renderFault(provider, context, 'too_many', {
      status: 429,
      headers: { 'retry-after': String(waitSeconds) },
    })
  }
  const handle = newSecret('plain', random)
  await writes.createInteraction({
    ...begun,
    idHash: hashOf(handle),
    createdAt: now(),
    expiresAt: now() + config.interactionTtlSeconds * 1000,
  })
  return seeOther(provider, context, locationOf(handle))
}
