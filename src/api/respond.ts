import type { Refusal } from '../domain/ports/refusal.ts'
import { problemOfRefusal } from './problem.ts'

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

export function orRefused<T extends object>(result: T | Refusal, forbidden: Headers = {}): T {
  if (!('refused' in result)) return result
  throw problemOfRefusal(result, forbidden)
}
