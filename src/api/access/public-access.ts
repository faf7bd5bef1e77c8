/** Who may read what is published (AFIR-A1): anyone, or callers with the token of the setting. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { ApiEnv } from '../endpoint.ts'
import { Problem } from '../respond.ts'

export interface PublicAccess {
  readonly afir: 'off' | 'public' | 'token'
  readonly afirToken?: string | undefined
}

/** @throws Problem 401 */
export function admitReader(context: Context<ApiEnv>, { afir, afirToken }: PublicAccess): void {
  if (afir === 'public') return
  const [, given] = /^(?:Bearer|Token) +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? []
  if (given !== undefined && afirToken !== undefined && timingSafeEqual(digest(given), digest(afirToken))) return
  const headers = { 'www-authenticate': 'Bearer' }
  throw new Problem(401, 'unauthorized', 'Send the token of PILOTWIRE_AFIR_TOKEN as a bearer token.', { headers })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
