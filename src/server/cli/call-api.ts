/** Asks a running server: `--credential` or PILOTWIRE_API_CREDENTIAL, `--url` or PILOTWIRE_BASE_URL. */
import { type CliContext, UsageError, useSettings } from './cli-context.ts'

export interface ApiOptions {
  readonly url?: string | undefined
  readonly credential?: string | undefined
}

export function serverOf(
  context: CliContext,
  options: ApiOptions,
): { readonly url: string; readonly credential: string } {
  const credential = options.credential ?? context.environment.PILOTWIRE_API_CREDENTIAL
  if (credential === undefined) {
    throw new UsageError('An API credential is needed: give --credential, or set PILOTWIRE_API_CREDENTIAL.')
  }
  return { url: (options.url ?? useSettings(context).baseUrl).replace(/\/$/, ''), credential }
}

interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type ApiAnswer = Readonly<Record<string, unknown>>

export async function callApi(context: CliContext, options: ApiOptions, request: ApiRequest): Promise<ApiAnswer> {
  const { url, credential } = serverOf(context, options)
  const response = await send(url, credential, request)
  const answer = (await response.json().catch(() => undefined)) as ApiAnswer | undefined
  if (!response.ok || !answer) {
    throw new Error(typeof answer?.detail === 'string' ? answer.detail : `${url} answered ${response.status}.`)
  }
  return answer
}

async function send(url: string, credential: string, { method, path, body, headers }: ApiRequest): Promise<Response> {
  try {
    return await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new Error(`There is no answer from ${url} (${cause}): is the server running? --url names another address.`)
  }
}
