import type { Fault } from '../domain/message-log/fault.ts'
import type { Refusal } from '../domain/ports/storage-records.ts'
import { noSuch, refuseFaults } from '../domain/refuse.ts'
import { problemTitle } from './problem-codes.ts'

type Headers = Readonly<Record<string, string>>

export function json(value: unknown, status = 200, headers: Headers = {}): Response {
  return jsonText(JSON.stringify(value), status, headers)
}

/** For JSON that was composed as text, so that payloads keep their bytes. */
export function jsonText(text: string, status = 200, headers: Headers = {}): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

/** Of a file that a browser keeps. */
export function fileHeaders(fileName: string, type = 'text/csv; charset=utf-8; header=present'): Headers {
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  }
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

export function orRefused<T extends object>(result: T | Refusal, forbidden: Headers = {}): T {
  if (!('refused' in result)) return result
  throw problemOfRefusal(result, forbidden)
}

/** RFC 9457 problems: `code` for programs, `detail` for people; what only the log may know is the cause. */
const RETRY_AFTER_SECONDS = 5

export interface ProblemOptions {
  readonly errors?: readonly Fault[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly members?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: string
  readonly errors: readonly Fault[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.members = options.members ?? {}
  }
}

/** The one place where a refusal becomes a problem; pointers point into the body. @param forbidden headers of a 403 */
export function problemOfRefusal(
  { status, code, detail, errors, unread, retryAfterSeconds }: Refusal,
  forbidden: NonNullable<ProblemOptions['headers']> = {},
): Problem {
  const comesBack = status === 429 || status === 503
  return new Problem(status, code, detail, {
    errors: errors?.map((fault) => ({ ...fault, code: fault.code ?? code })),
    headers: {
      ...(status === 403 && forbidden),
      ...(status === 415 && { 'accept-post': 'multipart/form-data' }),
      ...(unread && { connection: 'close' }),
      ...(comesBack && { 'retry-after': String(retryAfterSeconds ?? RETRY_AFTER_SECONDS) }),
    },
  })
}

export function invalidRequest(
  errors: readonly Fault[],
  members: ProblemOptions['members'] = {},
  leading?: string,
): Problem {
  const refusal = refuseFaults(errors, leading)
  return new Problem(refusal.status, refusal.code, refusal.detail, { errors: refusal.errors, members })
}

export function notFound(what: string): Problem {
  return problemOfRefusal(noSuch(what))
}

/** @throws Problem 404 */
export function orNotFound<Found>(found: Found | undefined, what: string): Found {
  if (found === undefined) throw notFound(what)
  return found
}

export function renderProblem(problem: Problem, requestId: string, baseUrl: string): Response {
  const body = {
    type: `${baseUrl}/docs#problem-${problem.code}`,
    title: problemTitle(problem.code, problem.status),
    status: problem.status,
    detail: problem.message,
    instance: `urn:request:${requestId}`,
    code: problem.code,
    errors: problem.errors,
    ...problem.members,
  }
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers },
  })
}
