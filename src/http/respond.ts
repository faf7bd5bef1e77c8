/** Successful answers. */
import type { Refusal } from '../ports/core.ts'
import { Problem } from './problem.ts'

type Headers = Readonly<Record<string, string>>

export function json(value: unknown, status = 200, headers: Headers = {}): Response {
  return jsonText(JSON.stringify(value), status, headers)
}

/** For JSON that was composed as text, so that payloads keep their bytes. */
export function jsonText(text: string, status = 200, headers: Headers = {}): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

/**
 * The core's refusal as a problem; `pointers` of the core already point into the body.
 * @param forbidden headers of a 403
 */
export function orRefused<T extends object>(result: T | Refusal, forbidden: Headers = {}): T {
  if (!('refused' in result)) return result
  const { status, code, detail, errors } = result
  throw new Problem(status, code, detail, {
    ...(errors && { errors: errors.map((fault) => ({ ...fault, code })) }),
    ...(status === 403 && { headers: forbidden }),
    ...((status === 429 || status === 503) && { headers: { 'retry-after': '5' } }),
  })
}
