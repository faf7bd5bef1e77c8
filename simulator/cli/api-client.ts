export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
}

export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ApiClient {
  request(method: string, path: string, body?: unknown): Promise<ApiAnswer>
  /** Newest first. Throws a sentence that says what to do. */
  sessions(chargePointId: string): Promise<readonly ShownSession[]>
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

export function createApiClient(apiUrl: string, credential: string): ApiClient {
  const request = async (method: string, path: string, body?: unknown, patience = MAX_WAITS): Promise<ApiAnswer> => {
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
      return request(method, path, body, patience - 1)
    }
    if (response.status === 401)
      throw new ApiFailure(
        'the API refused the credential: give another one with --api (or --credential) or PILOTWIRE_API_CREDENTIAL',
      )
    return { status: response.status, body: parsed(text) }
  }
  return {
    request: (method, path, body) => request(method, path, body),
    async sessions(chargePointId) {
      const path = `/2/sessions?evseControllerId=${encodeURIComponent(chargePointId)}&limit=20`
      const { status, body } = await request('GET', path)
      const data = (body as { data?: readonly ShownSession[] } | undefined)?.data
      if (status !== 200 || !data)
        throw new ApiFailure(`the API at ${apiUrl} answered ${status} when asked for the sessions of ${chargePointId}`)
      return data
    },
  }
}

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return Math.min(MAX_WAIT_MS, Math.max(100, (Number.isFinite(seconds) ? seconds : 1) * 1000))
}
