/** What the form above the message log asks for. Its names are those of the API's search. */
import type { Fault, Parsed } from '../../domain/message-log/fault.ts'
import { uuidToLogId } from '../../domain/message-log/log-id.ts'
import { parseFilter } from '../../domain/message-log/parse-filter.ts'
import { type Bounds, readBounds } from '../../domain/message-log/search-window.ts'
import type { SearchFilter } from '../../domain/ports/search-filter.ts'
import { versions } from '../../ocpp/versions.ts'
import { EVER, inUtc } from '../local-time.ts'

/** As the form sends it: an empty field is one that was left out. */
export interface AskedMessages {
  readonly method?: string
  readonly transactionId?: string
  readonly status?: string
  /** `true`: only what the schema objects to. */
  readonly schemaErrors?: string
  /** A span up to now, such as `1h`; `from` and `to` come before it. */
  readonly last?: string
  /** UTC, as `<input type=datetime-local>` writes it. */
  readonly from?: string
  readonly to?: string
}

export interface MessageQuery {
  readonly filter: SearchFilter
  readonly bounds: Bounds
}

const FIELDS = ['method', 'transactionId', 'status', 'schemaErrors', 'last', 'from', 'to'] as const

/** Spans that a link sets. */
export const LAST: Readonly<Record<string, number>> = {
  '15m': 15 * 60_000,
  '1h': 3_600_000,
  '24h': 24 * 3_600_000,
  '7d': 7 * 24 * 3_600_000,
}

/** Every method of either version, in either direction. */
export const METHODS: readonly string[] = [
  ...new Set(
    Object.values(versions).flatMap(({ fromChargePoint, toChargePoint }) => [
      ...Object.keys(fromChargePoint),
      ...Object.keys(toChargePoint),
    ]),
  ),
].sort()

export function askedMessages(query: Readonly<Record<string, string>>): AskedMessages {
  const filled = FIELDS.map((name) => [name, query[name]?.trim() ?? ''] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== ''))
}

export function readMessageQuery(asked: AskedMessages, now: number): Parsed<MessageQuery> {
  const { method, transactionId, status, schemaErrors, last, from, to } = asked
  const faults: Fault[] = []
  if (schemaErrors !== undefined && schemaErrors !== 'true') {
    faults.push({ pointer: '/schemaErrors', code: 'invalid_value', message: 'must be true' })
  }
  const span = last === undefined || !Object.hasOwn(LAST, last) ? undefined : LAST[last]
  if (last !== undefined && span === undefined) {
    const message = `must be one of ${Object.keys(LAST).join(', ')}`
    faults.push({ pointer: '/last', code: 'invalid_value', message })
  }
  const filter = parseFilter(apiFilter({ method, transactionId, status, schemaErrors }))
  const start = from === undefined ? startOf(span, now) : inUtc(from)
  const bounds = readBounds(start, to === undefined ? undefined : inUtc(to))
  for (const part of [filter, bounds]) if (!part.ok) faults.push(...part.faults)
  if (!filter.ok || !bounds.ok || faults.length > 0) return { ok: false, faults }
  return { ok: true, value: { filter: filter.value, bounds: bounds.value } }
}

/** The filter as the API's search takes it. */
export function apiFilter({ method, transactionId, status, schemaErrors }: Unspelled<AskedMessages>) {
  return {
    ...(method !== undefined && { method: spelling(method) }),
    ...(transactionId !== undefined && { transactionId }),
    ...(status !== undefined && { status }),
    ...(schemaErrors !== undefined && { schemaErrors: { $exists: true } }),
  }
}

/** The whole request of the API's search: what the page shows, from the same time on. */
export function apiSearch(asked: AskedMessages, now: number): object {
  const { last = '', from, to } = asked
  return {
    from: from === undefined ? startOf(LAST[last], now) : inUtc(from),
    ...(to !== undefined && { to: inUtc(to) }),
    ...apiFilter(asked),
  }
}

type Unspelled<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined }

function startOf(span: number | undefined, now: number): string {
  return span === undefined ? EVER : new Date(now - span).toISOString()
}

/** Below which row a page goes on; a position that nobody was given counts as none. */
export function readPosition(before: string | undefined, salt: bigint): number | undefined {
  return before === undefined ? undefined : uuidToLogId(before, salt)
}

/** People write `heartbeat`, OCPP `Heartbeat`. */
function spelling(method: string): string {
  const folded = method.toLowerCase()
  return METHODS.find((known) => known.toLowerCase() === folded) ?? method
}
