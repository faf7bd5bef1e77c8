/**
 * `Idempotency-Key` (S5, O3): one key is one effect. A repetition gets the first answer; another request under the same
 * key is refused. Kept in memory for 24 hours: what a restart forgets is that a request was already answered.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../commands/canonical-json.ts'
import type { Principal } from './principal.ts'
import { Problem } from './problem.ts'

const LIFETIME_MS = 24 * 3600_000
const MOST_KEYS = 10_000
/** Printable, so that it can stand in a header and a log. */
const KEY = /^[\x21-\x7e]{1,255}$/

interface Answer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

interface Entry {
  readonly fingerprint: string
  readonly at: number
  /** Absent while the first request runs. */
  readonly answer?: Answer
}

export interface IdempotentRequest {
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

export function createIdempotency(now: () => number): Idempotency {
  const entries = new Map<string, Entry>()
  const prune = (): void => {
    for (const [key, entry] of entries) {
      // Oldest first: the first one young enough ends the search.
      if (entries.size <= MOST_KEYS && now() - entry.at < LIFETIME_MS) return
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
      entries.set(name, { fingerprint, at: now() })
      let kept = false
      try {
        const response = await run()
        if (response.ok) {
          const answer = {
            status: response.status,
            headers: [...response.headers],
            body: await response.clone().text(),
          }
          entries.set(name, { fingerprint, at: now(), answer })
          kept = true
        }
        return response
      } finally {
        if (!kept) entries.delete(name)
      }
    },
  }
}

function replay({ fingerprint, answer }: Entry, asked: string): Response {
  if (fingerprint !== asked) {
    throw new Problem(
      422,
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request; take a new one.',
    )
  }
  if (!answer) {
    throw new Problem(409, 'idempotency_key_in_use', 'The first request with this Idempotency-Key is still running.', {
      headers: { 'retry-after': '1' },
    })
  }
  const headers = new Headers(answer.headers.map(([name, value]) => [name, value]))
  headers.set('idempotent-replayed', 'true')
  return new Response(answer.body, { status: answer.status, headers })
}
