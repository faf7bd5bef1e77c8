import { parsedJson } from '../../src/domain/parsed-json.ts'

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
}

interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ShownSession {
  readonly id: string
  readonly state: string
  readonly energyKwh: number
}

const ANSWER_TIMEOUT_MS = 45_000
/** A fleet asks more often than the API's limit allows. */
const MAX_WAITS = 10
const MAX_WAIT_MS = 60_000

export type ApiClient = ReturnType<typeof createApiClient>

export function createApiClient(apiUrl: string, credential: string) {
  const send = async (method: string, path: string, body: unknown, patience: number): Promise<ApiAnswer> => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new ApiFailure(`the API at ${apiUrl} does not answer: is the server still running?`, { cause })
    })
    const text = await response.text()
    if (response.status === 429 && patience > 0) {
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs(response)))
      return send(method, path, body, patience - 1)
    }
    if (response.status === 401)
      throw new ApiFailure(
        'the API refused the credential: give another one with --api (or --credential) or PILOTWIRE_API_CREDENTIAL',
      )
    return { status: response.status, body: parsedJson(text) ?? (text || undefined) }
  }
  const request = (method: string, path: string, body?: unknown) => send(method, path, body, MAX_WAITS)
  return {
    request,
    /** Newest first. Throws a sentence that says what to do. */
    async sessions(chargePointId: string): Promise<readonly ShownSession[]> {
      const path = `/2/sessions?evseControllerId=${encodeURIComponent(chargePointId)}&limit=20`
      const { status, body } = await request('GET', path)
      const data = (body as { data?: readonly ShownSession[] } | undefined)?.data
      if (status !== 200 || !data)
        throw new ApiFailure(`the API at ${apiUrl} answered ${status} when asked for the sessions of ${chargePointId}`)
      return data
    },
  }
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return Math.min(MAX_WAIT_MS, Math.max(100, (Number.isFinite(seconds) ? seconds : 1) * 1000))
}
