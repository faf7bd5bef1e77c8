/** What the form above the message log asks for. Its names are those of the API's search. */
import type { Fault, Parsed } from '../../commands/fault.ts'
import { uuidToLogId } from '../../commands/log-id.ts'
import { parseFilter } from '../../commands/parse-filter.ts'
import { type Bounds, readBounds } from '../../commands/window.ts'
import { versions } from '../../ocpp/versions.ts'
import type { SearchFilter } from '../../ports/search-filter.ts'
import { EVER, inUtc } from '../local-time.ts'

/** As the form sends it: an empty field is one that was left out. */
export interface AskedMessages {
  readonly method?: string
  readonly transactionId?: string
  readonly status?: string
  /** UTC, as `<input type=datetime-local>` writes it. */
  readonly from?: string
  readonly to?: string
}

export interface MessageQuery {
  readonly filter: SearchFilter
  readonly bounds: Bounds
}

const FIELDS = ['method', 'transactionId', 'status', 'from', 'to'] as const

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

export function readMessageQuery({ method, transactionId, status, from, to }: AskedMessages): Parsed<MessageQuery> {
  const filter = parseFilter({
    ...(method !== undefined && { method: spelling(method) }),
    ...(transactionId !== undefined && { transactionId }),
    ...(status !== undefined && { status }),
  })
  const bounds = readBounds(from === undefined ? EVER : inUtc(from), to === undefined ? undefined : inUtc(to))
  if (filter.ok && bounds.ok) return { ok: true, value: { filter: filter.value, bounds: bounds.value } }
  const faults: Fault[] = []
  for (const part of [filter, bounds]) if (!part.ok) faults.push(...part.faults)
  return { ok: false, faults }
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
