/**
 * Errors of the API: RFC 9457 problems. `code` is stable and meant for programs, `detail` for people; what only the log
 * may know travels as the error's cause.
 */
import type { Fault } from '../commands/fault.ts'
import { problemTitle } from './problem-codes.ts'

export interface ProblemOptions {
  readonly errors?: readonly Fault[]
  readonly headers?: Readonly<Record<string, string>>
  /** Further members of the body, such as `migrateTo`. */
  readonly members?: Readonly<Record<string, unknown>>
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

/**
 * Nobody mends more at once, and a body of thousands of wrong members must not be answered with a megabyte (OIDC-U9).
 */
const MOST_FAULTS = 1000
/** In the sentence; all of them are in `errors`. */
const MOST_SENTENCES = 20

/**
 * 400 with every fault; the problem takes the code of the only kind of fault, if there is just one.
 * @param leading the code whatever else is wrong, where one fault says more than all others
 */
export function invalidRequest(
  errors: readonly Fault[],
  members: ProblemOptions['members'] = {},
  leading?: string,
): Problem {
  const codes = new Set(errors.map((fault) => fault.code))
  const [only = 'invalid_request'] = codes.size === 1 ? codes : []
  const sentences = errors
    .slice(0, MOST_SENTENCES)
    .map(({ pointer, message }) => `${pointer || 'The body'} ${message}.`)
  if (errors.length > MOST_SENTENCES) sentences.push(`There are ${errors.length} faults in all.`)
  const detail = sentences.join(' ') || 'The request is not valid.'
  return new Problem(400, leading ?? only, detail, { errors: errors.slice(0, MOST_FAULTS), members })
}

export function notFound(what: string): Problem {
  return new Problem(404, 'not_found', `There is no such ${what}.`)
}

/** The response of a problem. `requestId` makes the occurrence findable in the log. */
export function renderProblem(problem: Problem, requestId: string, baseUrl: string): Response {
  const body = {
    type: `${baseUrl}/docs#problem-${problem.code}`,
    title: problemTitle(problem.code, problem.status),
    status: problem.status,
    detail: problem.message,
    instance: `urn:request:${requestId}`,
    code: problem.code,
    ...(problem.errors && { errors: problem.errors }),
    ...problem.members,
  }
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers },
  })
}
