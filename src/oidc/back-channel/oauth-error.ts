/** Errors of the OAuth endpoints: RFC 6749 §5.2 bodies. What only the log may know is the cause. */
import { LaneFull } from '../../domain/accounts/password.ts'
import { printable } from '../authorize/parse.ts'

export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly status: number
  readonly error: string
  readonly headers: Readonly<Record<string, string>>

  /** @param description says how to do it right; ASCII without quotes */
  constructor(
    status: number,
    error: string,
    description: string,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(description, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.error = error
    this.headers = options.headers ?? {}
  }
}

/** RFC 6749 names no error for a client that asks too often. */
export function tooMany(what: string, waitSeconds: number): OAuthError {
  return new OAuthError(429, 'temporarily_unavailable', `too many ${what}: wait ${waitSeconds} seconds`, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

export function renderOAuthError({ status, error, message, headers }: OAuthError): Response {
  const body = { error, error_description: [...message].map((char) => printable(char)).join('') }
  return Response.json(body, { status, headers: { ...NO_STORE, ...headers } })
}

export function isUnavailable(error: unknown): boolean {
  if (error instanceof LaneFull) return true
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined
  return typeof code === 'string' && (code.startsWith('storage_') || code === 'THREAD_ENDED')
}
