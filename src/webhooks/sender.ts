/**
 * One HTTP attempt: resolve, check every address, connect to a checked one, post, read at most 16 KiB of the answer
 * (R1-R3, X1-X5, W2). Never follows a redirect, never uses a proxy, never throws: whatever happens is a result.
 */
import type { LookupFunction } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { Clock } from '../clock.ts'
import type { AttemptError } from '../storage/webhook-store.ts'
import { literalAddress, mayReach } from './address-guard.ts'
import type { Reaction } from './outcome.ts'
import { isSuccess } from './outcome.ts'

export interface SenderSettings {
  /** CIDR blocks (X1). */
  readonly allowPrivate: readonly string[]
  readonly connectTimeoutMs: number
  /** Wall clock, from the look-up of the name to the end of the answer (R3). */
  readonly totalTimeoutMs: number
}

/** R3. */
export const SENDER_TIMEOUTS = { connectTimeoutMs: 5000, totalTimeoutMs: 15_000 }

export interface Post {
  /** `POST` unless given. */
  readonly method?: 'POST' | 'OPTIONS'
  /** Connections are kept per subscription: none carries what another one's receiver answered. */
  readonly subscriptionId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface PostResult extends Reaction {
  readonly durationMs: number
  readonly location?: string
  readonly answer?: string
  /** What the receiver consents to, where it says so (consent.ts). */
  readonly allowedOrigin?: string
  readonly allowedRate?: string
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface Sender {
  /** @param signal ends the attempt early, as `interrupted` */
  send(post: Post, signal: AbortSignal): Promise<PostResult>
  close(): Promise<void>
}

const ANSWER_BYTES = 16 * 1024
/** X5: a kept connection skips the look-up of its name, so it is not kept for long. */
const KEEP_ALIVE_MS = 30_000

interface Kept {
  readonly client: Client
  /** It has carried an answer: a loss may mean that the peer closed it while it was idle. */
  used: boolean
  cancelClose: () => void
}

export function createSender(settings: SenderSettings, clock: Clock, resolve: Resolve): Sender {
  const idle = new Map<string, Kept[]>()

  const connect = (url: URL, addresses: readonly string[]): Kept => ({
    client: new Client(url.origin, {
      pipelining: 1,
      headersTimeout: settings.totalTimeoutMs,
      bodyTimeout: settings.totalTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connectTimeout: settings.connectTimeoutMs,
      connect: { lookup: onlyThese(addresses), autoSelectFamily: true, timeout: settings.connectTimeoutMs },
    }),
    used: false,
    cancelClose: () => undefined,
  })

  const keep = (key: string, kept: Kept): void => {
    kept.used = true
    const list = idle.get(key) ?? []
    list.push(kept)
    idle.set(key, list)
    kept.cancelClose = clock.after(KEEP_ALIVE_MS, () => {
      idle.set(
        key,
        (idle.get(key) ?? []).filter((other) => other !== kept),
      )
      if (idle.get(key)?.length === 0) idle.delete(key)
      void kept.client.destroy()
    })
  }

  const taken = (key: string): Kept | undefined => {
    const kept = idle.get(key)?.pop()
    if (idle.get(key)?.length === 0) idle.delete(key)
    kept?.cancelClose()
    return kept
  }

  const attempt = async (post: Post, signal: AbortSignal): Promise<Omit<PostResult, 'durationMs'>> => {
    const url = new URL(post.url)
    const literal = literalAddress(url)
    const addresses = literal === undefined ? await resolveOrFail(resolve, url.hostname, signal) : [literal]
    if (!mayReach(url, addresses, settings.allowPrivate)) return { error: 'address_refused' }
    const key = JSON.stringify([post.subscriptionId, url.origin, [...addresses].sort()])
    const reused = taken(key)
    const first = await exchange(reused ?? connect(url, addresses), url, post, signal, (kept) => keep(key, kept))
    if (!reused || first.error !== 'connection_lost') return first
    // Pitfall 23: the peer closed the idle connection; nothing was answered, so this was no attempt yet.
    return exchange(connect(url, addresses), url, post, signal, (kept) => keep(key, kept))
  }

  return {
    async send(post, stop) {
      const started = clock.now()
      const deadline = new AbortController()
      const cancel = clock.after(settings.totalTimeoutMs, () => deadline.abort())
      const signal = AbortSignal.any([deadline.signal, stop])
      try {
        return { ...(await attempt(post, signal)), durationMs: clock.now() - started }
      } catch (error) {
        const kind = stop.aborted ? 'interrupted' : deadline.signal.aborted ? 'timeout' : errorKind(error)
        return { error: kind, durationMs: clock.now() - started }
      } finally {
        cancel()
      }
    },
    async close() {
      const kept = [...idle.values()].flat()
      idle.clear()
      for (const { cancelClose } of kept) cancelClose()
      await Promise.all(kept.map(({ client }) => client.destroy()))
    },
  }
}

async function exchange(
  kept: Kept,
  url: URL,
  post: Post,
  signal: AbortSignal,
  keep: (kept: Kept) => void,
): Promise<Omit<PostResult, 'durationMs'>> {
  const { client } = kept
  let reusable = false
  try {
    const response = await client.request({
      method: post.method ?? 'POST',
      path: url.pathname + url.search,
      headers: post.headers,
      body: post.body === '' ? null : post.body,
      signal,
    })
    const { text, complete } = await readStart(response.body)
    reusable = complete
    return reactionOf(response, text)
  } catch (error) {
    if (signal.aborted) throw error
    return { error: errorKind(error) }
  } finally {
    if (reusable) keep(kept)
    else void client.destroy()
  }
}

function reactionOf(response: Dispatcher.ResponseData, answer: string): Omit<PostResult, 'durationMs'> {
  const { statusCode: status, headers } = response
  const retryAfter = single(headers['retry-after'])
  const location = single(headers.location)
  const allowedOrigin = single(headers['webhook-allowed-origin'])
  const allowedRate = single(headers['webhook-allowed-rate'])
  const redirect = status >= 300 && status <= 399
  return {
    status,
    ...(!isSuccess({ status }) && { error: redirect ? ('redirect' as const) : ('status' as const) }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(redirect && location !== undefined && { location }),
    answer,
    ...(allowedOrigin !== undefined && { allowedOrigin }),
    ...(allowedRate !== undefined && { allowedRate }),
  }
}

/** R1: the status has decided already; a body that drips, breaks off or never ends changes nothing. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<{ text: string; complete: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  let complete = true
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length < ANSWER_BYTES) continue
      complete = false
      break
    }
  } catch {
    complete = false
  }
  return { text: Buffer.concat(chunks).subarray(0, ANSWER_BYTES).toString('utf8'), complete }
}

/** X2: the name was resolved once; the connection goes to what was checked, whatever the name says by now. */
function onlyThese(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, done) => {
    const [first] = entries
    if (options.all) done(null, entries)
    else if (first) done(null, first.address, first.family)
  }
}

class NameNotResolved extends Error {}

async function resolveOrFail(resolve: Resolve, hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
  return Promise.race([
    aborted,
    resolve(hostname).catch((error: unknown) => {
      throw new NameNotResolved(hostname, { cause: error })
    }),
  ])
}

const LOST = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_DESTROYED', 'UND_ERR_CLOSED'])
const MALFORMED = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

function errorKind(error: unknown): AttemptError {
  if (error instanceof NameNotResolved) return 'name_not_resolved'
  const code = String((error as { code?: unknown }).code ?? '')
  if (isMalformed(error, code)) return 'malformed_answer'
  if (LOST.has(code)) return 'connection_lost'
  if (TIMEOUTS.has(code)) return 'timeout'
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)|CERT/.test(code)) return 'tls_failed'
  return 'connect_failed'
}

/** Not every fault that undici's parser finds has a code. */
function isMalformed(error: unknown, code: string): boolean {
  return code.startsWith('HPE_') || MALFORMED.has(code) || (error instanceof Error && error.name === 'HTTPParserError')
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
