/** Reading form-encoded requests: media type, size and repetitions are checked before anything looks inside (T). */
import { isForm, MAX_BODY_BYTES, readBody } from '../../web/form.ts'
import { printable, repeatedName } from '../authorize/parse.ts'
import { OAuthError } from './oauth-error.ts'

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

/** @throws OAuthError 413 once the limit is passed, without reading on */
export async function readText(request: Request): Promise<string> {
  const body = await readBody(request)
  if ('text' in body) return body.text
  throw body.fault === 'too_large'
    ? new OAuthError(413, 'invalid_request', `the body may have at most ${MAX_BODY_BYTES} bytes`)
    : new OAuthError(400, 'invalid_request', 'the body broke off before its end')
}
