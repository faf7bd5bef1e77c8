/** Errors of the OAuth endpoints: RFC 6749 §5.2 bodies. What only the log may know is the cause. */
import { LaneFull } from '../../domain/accounts/password.ts'
import { isForm, MAX_BODY_BYTES, readBody } from '../../web/form.ts'
import { printable, repeatedName } from '../authorize/parse.ts'

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

/** An address ends up in logs and histories, so these never stand in it. */
const SECRET_PARAMETERS = [
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'access_token',
  'token',
  'password',
]

/** The parameters of a form, each at most once; empty ones count as absent. */
export interface Form {
  get(name: string): string | undefined
}

/** @throws OAuthError 400 `invalid_request`, 413 */
export async function readForm(request: Request): Promise<Form> {
  const query = new URL(request.url).searchParams
  const exposed = SECRET_PARAMETERS.find((name) => query.has(name))
  if (exposed !== undefined) {
    throw new OAuthError(400, 'invalid_request', `${exposed} belongs into the body, not into the address`)
  }
  if (!isForm(request.headers.get('content-type'))) {
    throw new OAuthError(400, 'invalid_request', 'send the body as application/x-www-form-urlencoded')
  }
  const params = new URLSearchParams(await readText(request))
  const twice = repeatedName(params)
  if (twice !== undefined) throw new OAuthError(400, 'invalid_request', `${printable(twice)} is given twice`)
  return { get: (name) => params.get(name) || undefined }
}

/** @throws OAuthError 400 `invalid_request` */
export function required(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError(400, 'invalid_request', `${name} is required`)
  return value
}

/** @throws OAuthError 413 once the limit is passed, without reading on */
export async function readText(request: Request): Promise<string> {
  const body = await readBody(request)
  if ('text' in body) return body.text
  throw body.fault === 'too_large'
    ? new OAuthError(413, 'invalid_request', `the body may have at most ${MAX_BODY_BYTES} bytes`)
    : new OAuthError(400, 'invalid_request', 'the body broke off before its end')
}
