import { type RouteConfig, z } from '@hono/zod-openapi'
import type { Access } from '../access/access.ts'
import { type OperationId, RIGHTS } from '../access/rights.ts'

type Responses = RouteConfig['responses']

const PROBLEMS = {
  400: 'InvalidRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable',
  429: 'TooManyRequests',
} as const

type KnownProblem = keyof typeof PROBLEMS

export interface DescribedEndpoint {
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'put'
  readonly path: string
  readonly operationId: OperationId
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly deprecated?: true | undefined
  /** A limit of its own; otherwise `api` (API-E2). */
  readonly rate?: 'v1' | 'v2' | undefined
  /** For those who watch over the server: never refused for having asked too often. */
  readonly unlimited?: true | undefined
  /** Where nothing was found, the caller is counted by address all the same. */
  readonly countsMisses?: true | undefined
  readonly params?: z.ZodObject | undefined
  readonly query?: z.ZodObject | undefined
  readonly headers?: z.ZodObject | undefined
  readonly body?: z.ZodType | undefined
  readonly form?: z.ZodType | undefined
  readonly bodyOptional?: true | undefined
  /** Media types of a body that is read as it comes. */
  readonly streams?: readonly string[] | undefined
  /** An Idempotency-Key is honoured, or must be there (HOOK-S5). */
  readonly idempotent?: 'optional' | 'required' | undefined
  readonly problems?: readonly KnownProblem[] | undefined
  readonly responses: Responses
}

function oauth({ scopes, isAny }: Extract<Access, { readonly kind: 'scope' }>): { readonly oauth: string[] }[] {
  return isAny ? scopes.map((scope) => ({ oauth: [scope] })) : [{ oauth: [...scopes] }]
}

export function describeEndpoint(endpoint: DescribedEndpoint): RouteConfig {
  const { method, path, operationId, tag, summary, description, deprecated, params, query } = endpoint
  const { access } = RIGHTS[operationId]
  const security = {
    anyone: [],
    credential: [{ apiCredential: [] }],
    scope: [{ apiCredential: [] }, ...(access.kind === 'scope' ? oauth(access) : [])],
  }[access.kind]
  const headers = endpoint.idempotent ? idempotencyKey(endpoint.idempotent) : endpoint.headers
  return {
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    description,
    ...(deprecated && { deprecated }),
    security,
    request: {
      params,
      query,
      headers,
      ...bodyOf(endpoint),
    },
    responses: { ...successes(endpoint), ...problems(endpoint) },
  }
}

function bodyOf({ form, streams = [], body, bodyOptional }: DescribedEndpoint) {
  const content = {
    ...(form && { 'multipart/form-data': { schema: form } }),
    ...Object.fromEntries(streams.map((type) => [type, { schema: z.string() }])),
    ...(body && { 'application/json': { schema: body } }),
  }
  return Object.keys(content).length > 0 && { body: { required: !bodyOptional, content } }
}

/** Only described: `idempotency.ts` says what is wrong with a key (HOOK-S5). */
function idempotencyKey(need: 'optional' | 'required'): z.ZodObject {
  const description = 'Your name for this request and its repetitions: the second gets the answer of the first.'
  const key = z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]+$/)
    .openapi({ description })
  return z.object({ 'Idempotency-Key': need === 'required' ? key : key.optional() })
}

function successes({ responses, rate, deprecated, idempotent }: DescribedEndpoint): Responses {
  const headers = {
    'X-Request-Id': header('X-Request-Id'),
    ...(rate && { 'RateLimit-Policy': header('RateLimit-Policy'), RateLimit: header('RateLimit') }),
    ...(idempotent && { 'Idempotent-Replayed': header('Idempotent-Replayed') }),
    ...(deprecated && { Deprecation: header('Deprecation'), Sunset: header('Sunset'), Link: header('Link') }),
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...headers, ...('headers' in response && response.headers) } },
    ]),
  ) as Responses
}

function problems({
  operationId,
  params,
  unlimited,
  countsMisses,
  idempotent,
  deprecated,
  problems = [],
}: DescribedEndpoint): Responses {
  const statuses: readonly KnownProblem[] = [
    400,
    ...(RIGHTS[operationId].access.kind === 'anyone' ? [] : ([401, 403] as const)),
    ...(params ? ([404] as const) : []),
    ...(idempotent ? ([409, 422] as const) : []),
    ...(deprecated ? ([410] as const) : []),
    ...(unlimited && !countsMisses ? [] : ([429] as const)),
    ...problems,
  ]
  const named = Object.fromEntries(statuses.map((status) => [status, problem(PROBLEMS[status])]))
  return { ...named, default: problem('Problem') }
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const problem = (name: string) => ({ $ref: `#/components/responses/${name}` })
