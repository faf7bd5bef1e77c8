/** One signed event to a developer's own receiver: no address guard, no retries. For tools, not deliveries. */

export interface SignedEvent {
  readonly url: string
  readonly userAgent: string
  readonly type: string
  readonly body: string
  /** Unix seconds. */
  readonly timestamp: number
  /** The whole header: one value, or several with commas. */
  readonly signature: string
  readonly deliveryId: string
  readonly attempt: number
  /** A synthetic event (HOOK-S4). */
  readonly test?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Posted {
  readonly status?: number | undefined
  readonly error?: string | undefined
}

const RECEIVER_TIMEOUT_MS = 15_000

/** Redirects are not followed (HOOK-R2). Resolves in any case. */

export async function postEvent(event: SignedEvent): Promise<Posted> {
  const timeout = AbortSignal.timeout(RECEIVER_TIMEOUT_MS)
  try {
    const response = await fetch(event.url, {
      method: 'POST',
      redirect: 'manual',
      signal: event.signal ? AbortSignal.any([event.signal, timeout]) : timeout,
      headers: {
        'content-type': 'application/json',
        'user-agent': event.userAgent,
        'webhook-timestamp': String(event.timestamp),
        'webhook-event': event.type,
        'webhook-signature': event.signature,
        'webhook-delivery': event.deliveryId,
        'webhook-attempt': String(event.attempt),
        ...(event.test && { 'webhook-test': 'true' }),
      },
      body: event.body,
    })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    return { error: causeOf(error) }
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = (cause as { code?: unknown }).code
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : String(cause)
}
