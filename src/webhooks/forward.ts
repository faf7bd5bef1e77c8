/** Deliveries without a tunnel (HOOK-B1): events are pulled, signed here and posted to this machine as a webhook. */

import { sessionUpdated } from '../domain/events/session-events.ts'
import { isoTime } from '../domain/iso-time.ts'
import { type Posted, postEvent } from './sending/post.ts'
import { sign } from './sending/signature.ts'

interface ForwardContext {
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

export type ForwardedEvent = Posted & { readonly id: string; readonly time: string } & (SessionLine | OtherLine)

interface SessionLine {
  readonly type?: never | undefined
  readonly sessionId: string
  readonly state: string
  readonly energyKwh: number
}

interface OtherLine {
  readonly type: string
}

interface Pulled {
  readonly id: string
  readonly type: string
  readonly time: string
  readonly data: unknown
}

const WAIT_SECONDS = 20
const RETRY_MS = 2000

class ForwardRefused extends Error {
  override readonly name = 'ForwardRefused'
}

/** Runs until the signal. @throws ForwardRefused when the server refuses the credential or the position */
export async function forwardEvents(parts: ForwardContext): Promise<void> {
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
      parts.forwarded({ id: event.id, time: event.time, ...lineOf(event), ...outcome })
      after = event.id
    }
  }
}

function lineOf({ type, data }: Pulled): SessionLine | OtherLine {
  if (type !== sessionUpdated.type) return { type }
  const { id: sessionId, state, energyKwh } = data as ReturnType<typeof sessionUpdated.of>['data']
  return { sessionId, state, energyKwh }
}

/** Undefined: the server cannot be reached at the moment. */
async function pull(parts: ForwardContext, after: string | undefined): Promise<readonly string[] | undefined> {
  const { apiUrl, credential, from, signal, note } = parts
  const url = new URL(`${apiUrl}/2/events`)
  url.searchParams.set('wait', String(WAIT_SECONDS))
  if (after === undefined) url.searchParams.set('from', isoTime(from))
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

function hand(
  { forwardUrl, secret, userAgent, now, signal }: ForwardContext,
  event: Pulled,
  body: string,
): Promise<Posted> {
  const timestamp = Math.floor(now() / 1000)
  const signature = sign(secret, timestamp, body)
  const deliveryId = `listen_${event.id}`
  const { type } = event
  return postEvent({ url: forwardUrl, userAgent, type, body, timestamp, signature, deliveryId, attempt: 1, signal })
}

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text)
  } catch {
    return text.slice(0, 200)
  }
}
