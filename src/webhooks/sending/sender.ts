/** One HTTP attempt (HOOK-R1 to HOOK-R3, HOOK-X1 to HOOK-X5, HOOK-W2). No redirect, no proxy; never throws. */

import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as sendPlain,
} from 'node:http'
import { request as sendTls, Agent as TlsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { isSuccess, type Reaction } from '../../domain/deliveries/outcome.ts'
import type { Clock } from '../../domain/ports/core.ts'
import type { AttemptError } from '../../domain/ports/storage-webhooks.ts'
import { literalAddress, mayReach } from './address-guard.ts'

export interface SenderSettings {
  /** CIDR blocks (HOOK-X1). */
  readonly allowPrivate: readonly string[]
  readonly connectTimeoutMs: number
  /** Wall clock, from the look-up of the name to the end of the answer (HOOK-R3). */
  readonly totalTimeoutMs: number
}

/** HOOK-R3. */
export const SENDER_TIMEOUTS = { connectTimeoutMs: 5000, totalTimeoutMs: 15_000 }

export interface Post {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | undefined
  /** Connections are kept per subscription, so that none carries the answers of another subscription's receiver. */
  readonly subscriptionId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** One that is made while it is sent is made anew where a kept connection was lost. */
  readonly body: string | (() => Iterable<Uint8Array>)
  /** With which we are known to the receiver, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined
  /** How much of the answer is read; 16 KiB unless given. */
  readonly answerBytes?: number | undefined
}

export interface PostResult extends Reaction {
  readonly durationMs: number
  /** The answer ended, and within the limit. */
  readonly isWhole?: boolean | undefined
  readonly headers?: IncomingHttpHeaders | undefined
  readonly location?: string | undefined
  readonly answer?: string | undefined
}

export type Resolve = (hostname: string) => Promise<readonly string[]>

export interface Sender {
  /** @param signal ends the attempt early, as `interrupted` */
  send(post: Post, signal: AbortSignal): Promise<PostResult>
  close(): Promise<void>
}

const ANSWER_BYTES = 16 * 1024
/** HOOK-X5: a kept connection skips the look-up of its name, so it is not kept for long. */
const KEPT = { keepAlive: true, timeout: 30_000 }

/** Wall-clock time plays no part in how long an attempt takes. */
type SenderClock = Pick<Clock, 'monotonic' | 'after'>

export function createSender(settings: SenderSettings, clock: SenderClock, resolve: Resolve): Sender {
  const agents = { 'http:': apart(new Agent(KEPT)), 'https:': apart(new TlsAgent(KEPT)) }

  const attempt = async (post: Post, signal: AbortSignal): Promise<Omit<PostResult, 'durationMs'>> => {
    const url = new URL(post.url)
    const literal = literalAddress(url)
    const addresses = literal === undefined ? await resolveOrFail(resolve, url.hostname, signal) : [literal]
    if (!mayReach(url, addresses, settings.allowPrivate)) return { error: 'address_refused' }
    const agent = agents[url.protocol as keyof typeof agents]
    return sendOver(agent, { post, url, addresses, signal, clock, connectTimeoutMs: settings.connectTimeoutMs })
  }

  return {
    async send(post, stop) {
      const started = clock.monotonic()
      const durationMs = (): number => Math.round(clock.monotonic() - started)
      const deadline = new AbortController()
      const cancel = clock.after(settings.totalTimeoutMs, () => deadline.abort())
      const signal = AbortSignal.any([deadline.signal, stop])
      try {
        return { ...(await attempt(post, signal)), durationMs: durationMs() }
      } catch (error) {
        const kind = stop.aborted ? 'interrupted' : deadline.signal.aborted ? 'timeout' : errorKind(error)
        return { error: kind, durationMs: durationMs() }
      } finally {
        cancel()
      }
    },
    async close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

interface Sending {
  readonly post: Post
  readonly url: URL
  /** It connects to these only (HOOK-X2): whatever the name says by now. */
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'after'>
  /** Until the connection stands, TLS included. */
  readonly connectTimeoutMs: number
}

/** @param agent false: a connection of its own, which is not kept */
async function sendOver(agent: Agent | false, sending: Sending): Promise<Omit<PostResult, 'durationMs'>> {
  try {
    const response = await exchange(agent, sending)
    const { text, complete } = await readStart(response, sending.post.answerBytes ?? ANSWER_BYTES)
    return { ...reactionOf(response, text), isWhole: complete }
  } catch (error) {
    if (sending.signal.aborted) throw error
    // HOOK-F4: the peer closed the idle connection; nothing was answered, so this was no attempt yet.
    return error instanceof IdleConnectionLost ? sendOver(false, sending) : { error: errorKind(error) }
  }
}

function reactionOf(response: IncomingMessage, answer: string): Omit<PostResult, 'durationMs'> {
  const { statusCode: status = 0, headers } = response
  const { location, 'retry-after': retryAfter } = headers
  const redirect = status >= 300 && status <= 399
  return {
    status,
    ...(!isSuccess({ status }) && { error: redirect ? ('redirect' as const) : ('status' as const) }),
    retryAfter,
    ...(redirect && location !== undefined && { location }),
    answer,
    headers,
  }
}

/** HOOK-R1: the status has already decided. A body that comes slowly, breaks off or never ends changes nothing. */
async function readStart(body: IncomingMessage, most: number): Promise<{ text: string; complete: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  let complete = true
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length < most) continue
      complete = false
      break
    }
  } catch {
    complete = false
  }
  return { text: Buffer.concat(chunks).subarray(0, most).toString('utf8'), complete }
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

const LOST = new Set(['ECONNRESET', 'EPIPE'])

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '')
}

function errorKind(error: unknown): AttemptError {
  if (error instanceof NameNotResolved) return 'name_not_resolved'
  const code = codeOf(error)
  if (code.startsWith('HPE_')) return 'malformed_answer'
  if (LOST.has(code)) return 'connection_lost'
  if (code === 'ETIMEDOUT') return 'timeout'
  if (/^(EPROTO|ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)|CERT/.test(code)) return 'tls_failed'
  return 'connect_failed'
}

class IdleConnectionLost extends Error {}

interface Kept {
  readonly keptFor?: string
}

/** No connection carries the answers of another subscription's receiver, or goes to other addresses than it may. */
function apart(agent: Agent): Agent {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options = {}) => `${nameOf(options)} ${(options as Kept).keptFor}`
  return agent
}

/** The final answer's head; answers before it (RFC 9110 §15.2), which some send unasked, are passed over. */
function exchange(agent: Agent | false, { post, url, addresses, ...waiting }: Sending): Promise<IncomingMessage> {
  const { method = 'POST', headers, body, subscriptionId, certificate } = post
  const keptFor = JSON.stringify([subscriptionId, [...addresses].sort()])
  const options: RequestOptions & Kept = {
    ...certificate,
    agent,
    method,
    headers,
    lookup: onlyThese(addresses),
    keptFor,
  }
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? sendTls : sendPlain
    const request = send(url, { ...options, signal: waiting.signal }, resolve)
    request.on('error', (error) =>
      reject(request.reusedSocket && LOST.has(codeOf(error)) ? new IdleConnectionLost() : error),
    )
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(failure('ECONNRESET'))
    })
    limitConnecting(request, url, waiting)
    if (typeof body === 'string') request.end(body === '' ? undefined : body)
    else pipeline(Readable.from(body()), request, () => undefined)
  })
}

function limitConnecting(
  request: ClientRequest,
  url: URL,
  { clock, connectTimeoutMs }: Pick<Sending, 'clock' | 'connectTimeoutMs'>,
): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const cancel = clock.after(connectTimeoutMs, () => request.destroy(failure('CONNECT_TIMEOUT')))
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', cancel)
    request.once('close', cancel)
  })
}

function onlyThese(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_hostname, options, done) => {
    const [first] = entries
    if (options.all) done(null, entries)
    else if (first) done(null, first.address, first.family)
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}
