/**
 * Deliveries without a tunnel (B1): events are pulled over an outbound connection, signed with a secret made here, and
 * posted to an address on this machine. What the receiver sees is what a webhook would have sent.
 */
import { EVENT_TYPE } from './envelope.ts'
import { sign } from './signature.ts'

export interface ForwardParts {
  /** Of the server, without a trailing slash. */
  readonly apiUrl: string
  readonly credential: string
  readonly forwardUrl: string
  readonly secret: string
  readonly userAgent: string
  /** Milliseconds; only events from then on. */
  readonly from: number
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  readonly signal: AbortSignal
  readonly forwarded: (event: ForwardedEvent) => void
  readonly note: (text: string) => void
}

export interface ForwardedEvent {
  readonly id: string
  readonly time: string
  readonly sessionId: string
  readonly state: string
  readonly energyKwh: number
  /** Of the receiver; absent when it did not answer. */
  readonly status?: number
  readonly error?: string
}

interface Pulled {
  readonly id: string
  readonly time: string
  readonly data: { readonly id: string; readonly state: string; readonly energyKwh: number }
}

const WAIT_SECONDS = 20
const RETRY_MS = 2000
const RECEIVER_TIMEOUT_MS = 15_000

/** The server said something that waiting does not mend. */
export class ForwardRefused extends Error {
  override readonly name = 'ForwardRefused'
}

/** Runs until the signal. @throws ForwardRefused when the server refuses the credential or the position */
export async function forwardEvents(parts: ForwardParts): Promise<void> {
  let after: string | undefined
  while (!parts.signal.aborted) {
    const bodies = await pull(parts, after)
    if (!bodies) {
      await parts.pause(RETRY_MS)
      continue
    }
    for (const body of bodies) {
      const event = JSON.parse(body) as Pulled
      const outcome = await hand(parts, event, body)
      if (parts.signal.aborted) return
      const { id: sessionId, state, energyKwh } = event.data
      parts.forwarded({ id: event.id, time: event.time, sessionId, state, energyKwh, ...outcome })
      after = event.id
    }
  }
}

/** Undefined: the server cannot be reached at the moment. */
async function pull(parts: ForwardParts, after: string | undefined): Promise<readonly string[] | undefined> {
  const { apiUrl, credential, from, signal, note } = parts
  const url = new URL(`${apiUrl}/2/events`)
  url.searchParams.set('wait', String(WAIT_SECONDS))
  if (after === undefined) url.searchParams.set('from', new Date(from).toISOString())
  else url.searchParams.set('after', after)
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${credential}` }, signal })
    const text = await response.text()
    if (response.ok) {
      const { data } = JSON.parse(text) as { readonly data: readonly Pulled[] }
      // Numbers and names of an envelope survive a round trip: the server wrote it with the same function.
      return data.map((event) => JSON.stringify(event))
    }
    if (response.status < 500 && response.status !== 429) {
      throw new ForwardRefused(`the server answered ${response.status}: ${detailOf(text)}`)
    }
    note(`the server answered ${response.status}; trying again`)
  } catch (error) {
    if (error instanceof ForwardRefused) throw error
    if (!signal.aborted) note(`the server at ${apiUrl} cannot be reached; trying again`)
  }
  return undefined
}

async function hand(
  { forwardUrl, secret, userAgent, now, signal }: ForwardParts,
  event: Pulled,
  body: string,
): Promise<Pick<ForwardedEvent, 'status' | 'error'>> {
  const timestamp = Math.floor(now() / 1000)
  try {
    const response = await fetch(forwardUrl, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        'webhook-timestamp': String(timestamp),
        'webhook-event': EVENT_TYPE,
        'webhook-signature': sign(secret, timestamp, body),
        'webhook-delivery': `listen_${event.id}`,
        'webhook-attempt': '1',
      },
      body,
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

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text)
  } catch {
    return text.slice(0, 200)
  }
}
