/** What is wrong with a value by its schema: pointer, stable code, a sentence that says what to do. */
import type { z } from '@hono/zod-openapi'
import type { Fault, Parsed } from '../domain/message-log/fault.ts'
import { pointerTo } from '../domain/message-log/fault.ts'

/** Members a request gave no value: absent instead of undefined, as exact optional properties want them. */
export type Present<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> : T[K] }
    : T

export function faultsOf(parsed: Parsed<unknown>): readonly Fault[] {
  return parsed.ok ? [] : parsed.faults
}

/** A part of a request as its schema sees it. */
export type Checked<T> = Parsed<Present<T>>

/** @param root prefix of the pointers: empty for the body, `?` for query parameters. */
export function check<T>(schema: z.ZodType<T>, value: unknown, root = '', hints: Hints = {}): Checked<T> {
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, value: withoutUndefined(result.data) }
  return { ok: false, faults: result.error.issues.flatMap((issue) => issueFaults(issue, value, root, hints)) }
}

/** What to say about members that do not exist here but that somebody may expect. */
export type Hints = Readonly<Record<string, string>>

type Issue = z.core.$ZodIssue

function issueFaults(issue: Issue, value: unknown, root: string, hints: Hints): readonly Fault[] {
  const at = (...path: PropertyKey[]): string =>
    root === '' ? pointerTo(...path) : root + pointerTo(...path).replace('/', '')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: at(...issue.path, key),
      code: 'unknown_field',
      message: (Object.hasOwn(hints, key) ? hints[key] : undefined) ?? 'does not exist here',
    }))
  }
  return [{ pointer: at(...issue.path), code: codeOf(issue, value), message: messageOf(issue, value) }]
}

function codeOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue, value) ? 'required' : 'invalid_type'
    case 'too_small':
    case 'too_big':
      return 'out_of_range'
    case 'custom': {
      const code: unknown = issue.params?.code
      return typeof code === 'string' ? code : 'invalid_value'
    }
    case 'invalid_union':
      return 'invalid_type'
    case 'invalid_value':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
      return 'invalid_value'
    default:
      return 'invalid_value'
  }
}

function messageOf(issue: Issue, value: unknown): string {
  if (isMissing(issue, value)) return 'is required'
  if (issue.code === 'invalid_type') return `must be ${withArticle(issue.expected)}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small') return `must be ${measured(issue.origin, 'at least', issue.minimum)}`
  if (issue.code === 'too_big') return `must be ${measured(issue.origin, 'at most', issue.maximum)}`
  return issue.message.replace(/^Invalid input.*$/, 'has the wrong type')
}

function withArticle(type: string): string {
  const noun = { int: 'integer', record: 'object' }[type] ?? type
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function measured(origin: string, word: string, limit: number | bigint): string {
  if (origin === 'string') return `${word} ${limit} characters long`
  return origin === 'array' ? `a list of ${word} ${limit}` : `${word} ${limit}`
}

function isMissing(issue: Issue, value: unknown): boolean {
  if (issue.code !== 'invalid_type') return false
  return at(value, issue.path) === undefined
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined),
    value,
  )
}

function withoutUndefined<T>(value: T): Present<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as Present<T>
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Present<T>
}
