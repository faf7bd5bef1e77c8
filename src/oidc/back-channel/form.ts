/** Reading form-encoded requests: media type, size and repetitions are checked before anything looks inside (T). */
import { printable, repeatedName } from '../authorize/parse.ts'
import { OAuthError } from './oauth-error.ts'

/** Contract §3, Limits. */
export const MOST_BODY_BYTES = 64 * 1024
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

export function isForm(contentType: string | null): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(;.*)?$/i.test(contentType ?? '')
}

/** @throws OAuthError 413 once the limit is passed, without reading on */
export async function readText(request: Request): Promise<string> {
  const tooLarge = (): OAuthError =>
    new OAuthError(413, 'invalid_request', `the body may have at most ${MOST_BODY_BYTES} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY_BYTES) throw tooLarge()
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new OAuthError(400, 'invalid_request', 'the body broke off before its end')
    })
    if (done) return Buffer.concat(chunks).toString('utf8')
    size += value.length
    if (size > MOST_BODY_BYTES) {
      await reader.cancel()
      throw tooLarge()
    }
    chunks.push(value)
  }
}
