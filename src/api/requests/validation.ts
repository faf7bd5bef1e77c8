import { z } from '@hono/zod-openapi'
import { type Checked, check, faultsOf, type Hints, type Present } from '../../application/check-schema.ts'
import type { Fault, Parsed } from '../../domain/message-log/fault.ts'
import { parseInstant, WINDOW_HINT, withPlus } from '../../domain/message-log/search.ts'
import { invalidRequest, type ProblemOptions } from '../respond.ts'

export type Queries = Readonly<Record<string, readonly string[]>>

export function checkQuery<T>(schema: z.ZodType<T>, queries: Queries, hints: Hints = {}): Checked<T> {
  const lists = listParameters(schema)
  const first: Readonly<Record<string, unknown>> = firstValues(queries)
  const all = Object.entries(queries).filter(([name]) => lists.has(name))
  const checked = check(schema, { ...first, ...Object.fromEntries(all) }, '?', hints)
  // A parameter given twice has no single meaning, unless it is a list.
  const repeated = Object.entries(queries).flatMap(([name, values]) =>
    values.length > 1 && !lists.has(name)
      ? [{ pointer: `?${name}`, code: 'invalid_value', message: 'may be given once' }]
      : [],
  )
  // One of several values of a parameter is that parameter.
  const faults = faultsOf(checked).map((fault) => ({ ...fault, pointer: fault.pointer.replace(/\/.*$/s, '') }))
  return checked.ok && repeated.length === 0 ? checked : { ok: false, faults: [...repeated, ...faults] }
}

function listParameters(schema: z.ZodType): ReadonlySet<string> {
  if (!(schema instanceof z.ZodObject)) return new Set()
  const isList = (member: unknown): boolean =>
    member instanceof z.ZodOptional ? isList(member.unwrap()) : member instanceof z.ZodArray
  return new Set(Object.entries(schema.shape).flatMap(([name, member]) => (isList(member) ? [name] : [])))
}

export function firstValues(queries: Queries): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(queries).map(([name, [value]]) => [name, value]))
}

export function validateQuery<T>(schema: z.ZodType<T>, queries: Queries): Present<T> {
  return orRefuse(checkQuery(schema, queries))
}

export function orRefuse<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value
  throw invalidRequest(parsed.faults)
}

/** SEARCH-Q13: every fault is reported at once; of a member that two rules refuse, what the first one says. */
export function refuseFaults(
  faults: readonly Fault[],
  {
    members,
    code,
  }: { readonly members?: ProblemOptions['members'] | undefined; readonly code?: string | undefined } = {},
): void {
  if (faults.length === 0) return
  const seen = new Set<string>()
  const reported = faults.filter(({ pointer }) => !seen.has(pointer) && seen.add(pointer))
  throw invalidRequest(reported, members, code)
}

/** An empty window is refused (SEARCH-Q3); what is no time, the schema reports. @param pointer of its end */
export function windowFaults(
  { from, to }: { readonly from?: unknown; readonly to?: unknown },
  pointer: string,
): readonly Fault[] {
  const [start, end] = [from, to].map((text) => (typeof text === 'string' ? parseInstant(withPlus(text)) : undefined))
  if (!start || !end || start.ceilMs < end.ceilMs) return []
  return [{ pointer, code: 'invalid_window', message: WINDOW_HINT }]
}
