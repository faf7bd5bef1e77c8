/**
 * All calls to partners (OCPI-A1, OCPI-A2): the webhooks' guarded sender (no redirect, no proxy, only addresses that
 * may be reached, time limits), and an envelope that is read. Every call is kept as an exchange.
 */
import { z } from '@hono/zod-openapi'
import type { UseCaseContext } from '../../application/context.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Party } from '../../domain/partners/ocpi-versions.ts'
import type { Partner } from '../../domain/partners/records.ts'
import type { AttemptError } from '../../domain/ports/storage-webhooks.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import type { PostResult, Sender } from '../../webhooks/sending/sender.ts'
import type { ExchangeLog } from './exchanges.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: unknown
  /** The token's or object's party, not the platform's; none at versions, credentials, HubClientInfo (OCPI-A9). */
  readonly routing?: { readonly from: Party; readonly to: Party } | undefined
  /** In place of the partner's stored one, while tokens are exchanged. */
  readonly token?: string | undefined
  readonly timeoutMs?: number | undefined
  /** 1 unless it is a repetition. */
  readonly attempt?: number | undefined
}

export interface Failed {
  readonly ok: false
  /** A sentence for people. */
  readonly message: string
  /** Of HTTP and OCPI, where there was an answer. */
  readonly status?: number | undefined
  readonly code?: number | undefined
  readonly error?: AttemptError | undefined
  readonly retryAfter?: string | undefined
  readonly durationMs?: number | undefined
  /** The partner may have carried it out all the same. */
  readonly isUncertain: boolean
}

interface Answered {
  readonly ok: true
  readonly data: unknown
  readonly status: number
  readonly code: number
  readonly durationMs: number
  readonly headers: NonNullable<PostResult['headers']>
}

export type Called = Answered | Failed

interface ClientContext extends Pick<UseCaseContext, 'now' | 'after' | 'random'> {
  readonly sender: Sender
  readonly exchanges: ExchangeLog
  readonly sealed: SealedBox
  readonly baseUrl: string
  /** The server stops: what is on its way ends. */
  readonly stopping: AbortSignal
}

const MAX_ANSWER = 10 * 1024 * 1024
const MAX_PAGES = 20_000

export type PartnerClient = ReturnType<typeof createPartnerClient>

export function createPartnerClient(context: ClientContext) {
  const { stopping, sender, exchanges, sealed, baseUrl, now, after, random } = context
  const own = new URL(baseUrl).origin
  const send = async (partner: Partner, call: Call, token: string): Promise<PostResult> => {
    const stop = new AbortController()
    const cancel = call.timeoutMs === undefined ? undefined : after(call.timeoutMs, () => stop.abort())
    const { method, url, body } = call
    const post = {
      method,
      subscriptionId: partner.partnerId,
      url,
      body: body === undefined ? '' : JSON.stringify(body),
      answerBytes: MAX_ANSWER,
      headers: headersOf(call, token, random(16).toString('hex')),
    }
    try {
      return await sender.send(post, AbortSignal.any([stop.signal, stopping]))
    } finally {
      cancel?.()
    }
  }
  /** Never rejects. */
  const ask = async (partner: Partner, call: Call): Promise<Called> => {
    const token = call.token ?? (partner.sealedToken && sealed.open(partner.sealedToken, partner.partnerId))
    if (token === undefined) return failed('There is no token with which the partner can be called: register anew.')
    if (urlFault(call.url) !== undefined) return failed(`${call.url.slice(0, 200)} is no address that can be called.`)
    if (new URL(call.url).origin === own) return failed('The address is one of this server itself.')
    const at = now()
    const result = await send(partner, call, token)
    const called = readAnswer(result)
    exchanges.note(partner, {
      at,
      direction: 'out',
      method: call.method,
      url: call.url,
      status: result.status ?? 0,
      statusCode: called.code,
      body: call.body,
      response: result.status === undefined && !called.ok ? called.message : result.answer,
      durationMs: result.durationMs,
      attempt: call.attempt ?? 1,
    })
    return called
  }
  return {
    sealed,
    call: ask,
    /** Page by page, as the partner's links lead; ends with what failed, if anything did. */
    async *pages(partner: Partner, call: Omit<Call, 'method' | 'body'>): AsyncGenerator<readonly unknown[] | Failed> {
      const seen = new Set<string>()
      let url = call.url
      while (!seen.has(url) && seen.size < MAX_PAGES) {
        seen.add(url)
        const called = await ask(partner, { ...call, url, method: 'GET' })
        if (!called.ok) return yield called
        if (!Array.isArray(called.data)) return yield failed('The partner answered a list without a list in `data`.')
        yield called.data
        const links = [called.headers.link ?? []].flat().join(', ')
        const next = /<([^>]*)>\s*;\s*rel\s*=\s*"?next"?/i.exec(links)?.[1]
        if (next === undefined) return
        // Only its query counts: behind a proxy partners name hosts that are none, and a token goes to no other host.
        url = withQuery(call.url, next)
      }
      yield failed('The links from page to page never end.')
    },
  }
}

function headersOf({ routing, body }: Call, token: string, id: string): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Token ${Buffer.from(token).toString('base64')}`,
    'x-request-id': id,
    'x-correlation-id': id,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(routing && {
      'ocpi-from-country-code': routing.from.countryCode,
      'ocpi-from-party-id': routing.from.partyId,
      'ocpi-to-country-code': routing.to.countryCode,
      'ocpi-to-party-id': routing.to.partyId,
    }),
  }
}

function withQuery(url: string, link: string): string {
  const next = new URL(url)
  next.search = URL.canParse(link, url) ? new URL(link, url).search : ''
  return next.href
}

const FAULTS: Readonly<Record<Exclude<AttemptError, 'status'>, string>> = {
  timeout: 'The partner did not answer in time.',
  interrupted: 'The partner did not answer in time.',
  connect_failed: 'The partner’s server could not be reached.',
  name_not_resolved: 'The name of the partner’s server is not known.',
  address_refused:
    'The address may not be called: only https to public addresses, or what PILOTWIRE_WEBHOOK_ALLOW_PRIVATE allows.',
  tls_failed: 'The partner’s TLS certificate is not valid.',
  connection_lost: 'The partner closed the connection without an answer.',
  malformed_answer: 'The partner’s answer is not HTTP.',
  redirect: 'The partner answered with a redirect, which is not followed: use its final address.',
}
/** For the others it has not carried anything out. */
const UNCERTAIN: readonly AttemptError[] = ['timeout', 'interrupted', 'connection_lost', 'malformed_answer']

function readAnswer(result: PostResult): Called {
  const { error, status = 0, answer = '', isWhole, headers = {}, durationMs } = result
  const fail = (message: string, isUncertain: boolean, code?: number): Failed => {
    const { retryAfter } = result
    const text = message.trimEnd()
    return { ok: false, message: text, status: result.status, code, error, retryAfter, durationMs, isUncertain }
  }
  if (error !== undefined && error !== 'status') return fail(FAULTS[error], UNCERTAIN.includes(error))
  const envelope = isWhole ? Envelope.safeParse(parsedJson(answer)).data : undefined
  const { status_code: code, status_message, data } = envelope ?? {}
  const said = status_message?.slice(0, 500) ?? ''
  if (status === 401) return fail(`The partner refused our token (HTTP 401). ${said}`, false, code)
  if (error === 'status') return fail(`The partner answered HTTP ${status}. ${said}`, status >= 500, code)
  if (!isWhole) return fail('The answer broke off, or has more than 10 MB.', true)
  if (code === undefined) return fail('The answer is no JSON object with a status_code.', true)
  if (code < 1000 || code > 1999) return fail(`The partner answered ${code}. ${said}`, false, code)
  return { ok: true, data, status, code, headers, durationMs }
}

const Envelope = z.looseObject({
  status_code: z.int(),
  status_message: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
})

function failed(message: string): Failed {
  return { ok: false, message, isUncertain: false }
}
