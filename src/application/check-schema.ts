/** What is wrong with a value by its schema: pointer, stable code, a sentence that says what to do. */

import type { z } from '@hono/zod-openapi'
import { type Fault, type Parsed, pointerTo } from '../domain/message-log/fault.ts'

/** Members a request gave no value: absent instead of undefined, as exact optional properties want them. */
export type Present<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { [K in keyof T]: undefined extends T[K] ? Exclude<T[K], undefined> : T[K] }
    : T

export function faultsOf(parsed: Parsed<unknown>): readonly Fault[] {
  return parsed.ok ? [] : parsed.faults
}

export type Checked<T> = Parsed<Present<T>>

/** @param root prefix of the pointers: empty for the body, `?` for query parameters. */
export function check<T>(schema: z.ZodType<T>, value: unknown, root = '', hints: Hints = {}): Checked<T> {
  const result = schema.safeParse(value)
  if (result.success) {
    const faults = Array.from(lostMembers(value), (path) => unknownField(pointerIn(root, path)))
    return faults.length === 0 ? { ok: true, value: withoutUndefined(result.data) } : { ok: false, faults }
  }
  return { ok: false, faults: result.error.issues.flatMap((issue) => issueFaults(issue, value, root, hints)) }
}

export type Hints = Readonly<Record<string, string>>

type Issue = z.core.$ZodIssue

function issueFaults(issue: Issue, value: unknown, root: string, hints: Hints): readonly Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      unknownField(pointerIn(root, [...issue.path, key]), Object.hasOwn(hints, key) ? hints[key] : undefined),
    )
  }
  const inside = issue.code === 'invalid_union' ? meantOf(issue) : undefined
  if (inside) {
    return inside.flatMap((one) => issueFaults({ ...one, path: [...issue.path, ...one.path] }, value, root, hints))
  }
  return [{ pointer: pointerIn(root, issue.path), code: codeOf(issue, value), message: messageOf(issue, value) }]
}

function pointerIn(root: string, path: readonly PropertyKey[]): string {
  return root === '' ? pointerTo(...path) : root + pointerTo(...path).replace('/', '')
}

function unknownField(pointer: string, hint = 'does not exist here'): Fault {
  return { pointer, code: 'unknown_field', message: hint }
}

/** Records leave a member of this name out, and nothing that was sent is left out silently. */
function* lostMembers(value: unknown, path: readonly PropertyKey[] = []): Generator<readonly PropertyKey[]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) yield [...path, '__proto__']
  for (const [key, member] of Object.entries(value)) {
    if (key !== '__proto__') yield* lostMembers(member, [...path, key])
  }
}

type UnionIssue = Extract<Issue, { readonly code: 'invalid_union' }>

/** What is wrong with the one alternative whose kind of value was sent; undefined: none is of that kind. */
function meantOf({ errors }: UnionIssue): readonly Issue[] | undefined {
  const meant = errors.filter((issues) => issues.every(({ path }) => path.length > 0))
  return meant.length === 1 ? meant[0] : undefined
}

function offeredBy(issue: UnionIssue): readonly unknown[] | undefined {
  if ('options' in issue && Array.isArray(issue.options)) return issue.options
  const issues = issue.errors.flat()
  if (issues.length === 0 || issues.some(({ code }) => code !== 'invalid_value')) return undefined
  return issues.flatMap((one) => (one.code === 'invalid_value' ? one.values : []))
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
      if (isMissing(issue, value)) return 'required'
      return offeredBy(issue) ? 'invalid_value' : 'invalid_type'
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
  const offered = issue.code === 'invalid_value' ? issue.values : issue.code === 'invalid_union' && offeredBy(issue)
  if (offered) return `must be one of ${offered.map(String).join(', ')}`
  if (issue.code === 'too_small') {
    return `must be ${measured(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`
  }
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
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return false
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
