/** The v1 search as a v2 search (SEARCH-V1, SEARCH-V2, SEARCH-V4): pure, of a body whose shape was checked before. */
import { type Fault, type Parsed, pointerTo, refused } from './fault.ts'
import { type Bounds, INSTANT_HINT, parseInstant, readBounds } from './search.ts'

const DEFAULT_WINDOW_DAYS = 90
export const SKIP_LIMIT = 10_000
export const MIGRATE_TO = 'POST /2/evse-controllers/{id}/commands/search'

const DAY_MS = 24 * 3600_000
/** SEARCH-V4: what v1 does not translate. */
const UNSUPPORTED = ['format', 'ids', 'status', 'sort']

/** Members that only v2 offers, or neither version; the answer is 400 and names v2. */
export function unsupportedInV1(body: Readonly<Record<string, unknown>>): readonly Fault[] {
  return UNSUPPORTED.filter((member) => Object.hasOwn(body, member)).map((member) => ({
    pointer: pointerTo(member),
    code: 'v1_unsupported',
    message: `is not offered by v1; use ${MIGRATE_TO}`,
  }))
}

export interface V1Dates {
  readonly createdAt?: unknown
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** `fromMs` 0: from the oldest row. The window may be empty. */
export function readV1Window({ createdAt, from, to }: V1Dates, now: number): Parsed<Bounds> {
  if (createdAt !== undefined) {
    if (from === undefined && to === undefined) return readOperators(createdAt)
    return refused('/createdAt', 'conflicting_dates', 'cannot be combined with from and to: send one of them')
  }
  if (from !== undefined) return readBounds(from, to)
  if (to === undefined) return { ok: true, value: { fromMs: now - DEFAULT_WINDOW_DAYS * DAY_MS } }
  const end = parseInstant(to)
  return end ? { ok: true, value: { fromMs: 0, toMs: end.ceilMs } } : refused('/to', 'invalid_time', INSTANT_HINT)
}

/** Several operators are ANDed, so the latest lower and the earliest upper bound count. */
function readOperators(createdAt: unknown): Parsed<Bounds> {
  if (typeof createdAt !== 'object' || createdAt === null || Array.isArray(createdAt)) {
    return refused('/createdAt', 'invalid_filter', 'must be an object of $gte, $gt, $lte and $lt')
  }
  const operators = Object.entries(createdAt)
  if (operators.length === 0) return refused('/createdAt', 'invalid_filter', 'must name at least one operator')
  const faults: Fault[] = []
  let fromMs = 0
  let toMs = Number.POSITIVE_INFINITY
  for (const [operator, operand] of operators) {
    const path = pointerTo('createdAt', operator)
    if (!['$gte', '$gt', '$lte', '$lt'].includes(operator)) {
      const message = 'is no operator of createdAt; there are $gte, $gt, $lte and $lt'
      faults.push({ pointer: path, code: 'unknown_operator', message })
      continue
    }
    const instant = typeof operand === 'string' ? parseInstant(operand) : undefined
    // createdAt has whole milliseconds: "after t" and "up to t" both border on the millisecond after t's own.
    if (!instant) faults.push({ pointer: path, code: 'invalid_time', message: INSTANT_HINT })
    else if (operator === '$gte') fromMs = Math.max(fromMs, instant.ceilMs)
    else if (operator === '$gt') fromMs = Math.max(fromMs, instant.floorMs + 1)
    else if (operator === '$lt') toMs = Math.min(toMs, instant.ceilMs)
    else toMs = Math.min(toMs, instant.floorMs + 1)
  }
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, value: { fromMs, ...(Number.isFinite(toMs) && { toMs }) } }
}
