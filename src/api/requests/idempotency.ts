/** `Idempotency-Key` (HOOK-S5, SESSION-O3): one effect and answer per key; 24 hours, in memory or stored. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/message-log/cursor.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import type { Principal } from '../access/access.ts'
import { Problem } from '../respond.ts'

const LIFETIME_MS = 24 * 3600_000
const MAX_KEYS = 10_000
/** Printable, so that it can stand in a header and a log. */
const KEY = /^[\x21-\x7e]{1,255}$/

export interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

export interface Answered {
  readonly fingerprint: string
  readonly at: number
  readonly answer: Answer
}

export interface KeptAnswers {
  find(name: string): Promise<Answered | undefined>
  keep(name: string, answered: Answered): Promise<void>
}

interface IdempotentRequest {
  readonly key: string
  readonly principal: Principal
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface Idempotency {
  /** Runs the request once per key; an attempt that fails gives the key free again. */
  once(request: IdempotentRequest, run: () => Promise<Response>): Promise<Response>
}

export function createIdempotency(limits: Limits, now: () => number, store?: KeptAnswers): Idempotency {
  const entries = new Map<string, Answered>()
  const prune = (): void => {
    for (const [key, entry] of entries) {
      // Oldest first: the first one young enough ends the search.
      if (entries.size <= MAX_KEYS && now() - entry.at < LIFETIME_MS) return
      entries.delete(key)
    }
  }
  return {
    async once({ key, principal, method, path, body }, run) {
      if (!KEY.test(key)) {
        const rule = 'An Idempotency-Key has 1 to 255 visible ASCII characters.'
        throw new Problem(400, 'invalid_idempotency_key', rule)
      }
      prune()
      const owner = principal.kind === 'credential' ? principal.credentialId : principal.grantId
      const name = JSON.stringify([principal.accountId, owner, key])
      const fingerprint = createHash('sha256')
        .update(canonicalJson([method, path, body ?? null]))
        .digest('base64')
      const known = entries.get(name)
      if (known) return replay(known, fingerprint)
      const place = await limits.occupy(`key ${name}`, 1, fingerprint)
      if (!('free' in place)) throw inUse(place[0]?.reported, fingerprint)
      try {
        const earlier = await store?.find(name)
        if (earlier && now() - earlier.at < LIFETIME_MS) {
          entries.set(name, earlier)
          return replay(earlier, fingerprint)
        }
        const response = await run()
        if (response.ok) {
          const answer = {
            status: response.status,
            headers: [...response.headers],
            body: await response.clone().text(),
          }
          const answered = { fingerprint, at: now(), answer }
          entries.set(name, answered)
          await store?.keep(name, answered)
        }
        return response
      } finally {
        place.free()
      }
    },
  }
}

function replay({ fingerprint, answer }: Answered, asked: string): Response {
  if (fingerprint !== asked) throw reused()
  const headers = new Headers(answer.headers.map(([name, value]) => [name, value]))
  headers.set('idempotent-replayed', 'true')
  return new Response(answer.body, { status: answer.status, headers })
}

function inUse(running: string | undefined, asked: string): Problem {
  if (running !== asked) return reused()
  const detail = 'The first request with this Idempotency-Key is still running.'
  return new Problem(409, 'idempotency_key_in_use', detail, { headers: { 'retry-after': '1' } })
}

function reused(): Problem {
  const detail = 'This Idempotency-Key was used for another request; take a new one.'
  return new Problem(422, 'idempotency_key_reused', detail)
}
