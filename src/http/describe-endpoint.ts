/** One endpoint in `/openapi.json`: what was declared, and what every endpoint of its kind answers besides. */
import { type RouteConfig, z } from '@hono/zod-openapi'
import type { Access } from './access.ts'

type Responses = RouteConfig['responses']
type Named = Readonly<Record<string, { readonly $ref: string }>>

/** As much of an endpoint as its description needs. */
export interface DescribedEndpoint {
  readonly method: RouteConfig['method']
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: true
  readonly access: Access
  readonly rate?: 'v1' | 'v2'
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly headers?: z.ZodObject
  readonly body?: z.ZodType
  readonly bodyOptional?: true
  readonly idempotent?: 'optional' | 'required'
  readonly responses: Responses
}

export function describeEndpoint(endpoint: DescribedEndpoint): RouteConfig {
  const { method, path, operationId, tag, summary, description, deprecated, access, params, query, body } = endpoint
  const security = {
    anyone: [],
    credential: [{ apiCredential: [] }],
    scope: [{ apiCredential: [] }, { oauth: access.kind === 'scope' ? [...access.scopes] : [] }],
  }[access.kind]
  const headers = endpoint.idempotent ? idempotencyKey(endpoint.idempotent) : endpoint.headers
  return {
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated && { deprecated }),
    security,
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && {
        body: { required: !endpoint.bodyOptional, content: { 'application/json': { schema: body } } },
      }),
    },
    responses: { ...successes(endpoint), ...problems(endpoint) },
  }
}

/** Only described: `idempotency.ts` says what is wrong with a key (S5). */
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

/** Statuses that an endpoint of this kind is known to answer; `default` stands for the rest. */
function problems({ access, params, rate, idempotent, deprecated }: DescribedEndpoint): Named {
  const anyone = access.kind === 'anyone'
  return {
    400: problem('InvalidRequest'),
    ...(!anyone && { 401: problem('Unauthorized'), 403: problem('Forbidden') }),
    ...(params && { 404: problem('NotFound') }),
    ...(idempotent && { 409: problem('Conflict'), 422: problem('Unprocessable') }),
    ...(deprecated && { 410: problem('Gone') }),
    ...(rate && { 429: problem('TooManyRequests') }),
    default: problem('Problem'),
  }
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const problem = (name: string) => ({ $ref: `#/components/responses/${name}` })
