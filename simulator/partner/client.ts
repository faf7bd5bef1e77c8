/** The partner as a client: a request of OCPI, and lists that come in pages. */
import { randomUUID } from 'node:crypto'
import { parsedJson } from '../../src/domain/parsed-json.ts'
import type { PartnerQuirks } from './quirks.ts'
import { isObject, type Json, nextPage, objectsOf, type Party, tokenHeader } from './wire.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Of the envelope; absent where the answer is none. */
  readonly statusCode?: number | undefined
  readonly message?: string | undefined
  readonly data?: unknown
}

export interface Pulled {
  readonly objects: readonly Json[]
  readonly pages: number
}

export interface Client {
  /** Whatever the answer is. Rejects with a sentence where none comes. */
  call(method: string, url: string, body?: unknown, headers?: Json): Promise<Answer>
  /** The data of an answer with 1000. Rejects with a sentence otherwise. */
  ask(method: string, url: string, body?: unknown): Promise<unknown>
  /** All pages of a list. */
  pull(url: string, query?: Readonly<Record<string, string>>): Promise<Pulled>
}

interface ClientContext {
  readonly quirks: PartnerQuirks
  readonly token: () => string
  readonly own: Party
  /** Undefined until the registration: its requests have no routing headers. */
  readonly peer: () => Party | undefined
}

const ANSWER_TIMEOUT_MS = 30_000
const MAX_PAGES = 10_000
/** Requests of the registration are to a platform and not to a party. */
const UNROUTED = /\/(credentials|versions|\d\.\d(\.\d)?)\/?$/

export function createClient({ quirks, token, own, peer }: ClientContext): Client {
  const call: Client['call'] = async (method, url, body, headers = {}) => {
    const to = UNROUTED.test(new URL(url).pathname) ? undefined : peer()
    const response = await fetch(url, {
      method,
      headers: {
        authorization: tokenHeader(token(), quirks),
        'x-request-id': randomUUID(),
        'x-correlation-id': randomUUID(),
        ...(to && {
          'ocpi-from-country-code': own.countryCode,
          'ocpi-from-party-id': own.partyId,
          'ocpi-to-country-code': to.countryCode,
          'ocpi-to-party-id': to.partyId,
        }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new Error(`${url} does not answer: is the server running, and is this its address?`, { cause })
    })
    const envelope = parsedJson(await response.text())
    const { status_code: statusCode, status_message: message, data } = isObject(envelope) ? envelope : {}
    return {
      status: response.status,
      headers: response.headers,
      statusCode: typeof statusCode === 'number' ? statusCode : undefined,
      message: typeof message === 'string' ? message : undefined,
      data,
    }
  }
  const asked = async (method: string, url: string, body?: unknown): Promise<Answer> => {
    const answer = await call(method, url, body)
    if (answer.statusCode === 1000) return answer
    const said =
      answer.statusCode === undefined ? 'no envelope of OCPI' : `${answer.statusCode} ${answer.message ?? ''}`
    const advice = answer.status === 401 ? ': the server does not know the token' : ''
    throw new Error(`${method} ${url} was answered with HTTP ${answer.status}, ${said.trim()}${advice}`)
  }
  return {
    call,
    ask: async (method, url, body) => (await asked(method, url, body)).data,
    async pull(url, query = {}) {
      const objects: Json[] = []
      let pages = 0
      const parameters = new URLSearchParams(query).toString()
      let next: string | undefined = parameters === '' ? url : `${url}?${parameters}`
      while (next !== undefined && pages < MAX_PAGES) {
        const page: Answer = await asked('GET', next)
        objects.push(...objectsOf(page.data))
        pages++
        next = nextPage(page.headers.get('link'))
      }
      return { objects, pages }
    },
  }
}
