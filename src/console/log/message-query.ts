/** What narrows messages: the names are those of the API's search (CONSOLE-C11). */

import { isoTime } from '../../domain/iso-time.ts'
import { parseFilter } from '../../domain/message-log/parse-filter.ts'
import type { Bounds } from '../../domain/message-log/search.ts'
import type { SearchFilter } from '../../domain/ports/search-filter.ts'
import type { CommandStatus } from '../../domain/ports/storage-records.ts'
import { versions } from '../../ocpp/versions.ts'
import {
  type Asking,
  choice,
  kept,
  labelsOf,
  pageSize,
  parsed,
  type Requested,
  text,
  tick,
  time,
} from '../kit/filters.ts'
import { wordsIn } from '../kit/parts.tsx'

const LAST = { '15m': 900_000, '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 } as const
export const SPANS = Object.keys(LAST) as (keyof typeof LAST)[]

const STATUSES = ['success', 'error', 'pending', 'timeout', 'dropped'] as const satisfies readonly CommandStatus[]
const MAX_METHOD_LENGTH = 100
const MAX_TRANSACTION_LENGTH = 36

export const METHODS: readonly string[] = [
  ...new Set(
    Object.values(versions).flatMap(({ fromChargePoint, toChargePoint }) => [
      ...Object.keys(fromChargePoint),
      ...Object.keys(toChargePoint),
    ]),
  ),
].sort()

export const ORDERED: readonly string[] = [
  ...new Set(Object.values(versions).flatMap(({ toChargePoint }) => Object.keys(toChargePoint))),
]

const label = labelsOf('messages')

export const MESSAGE_FILTERS = {
  method: parsed(label('method'), (typed) => (typed.length <= MAX_METHOD_LENGTH ? spelling(typed) : undefined), {
    offered: METHODS,
  }),
  status: choice(label('state'), STATUSES, (frame) => wordsIn('messages', frame).commandStatuses),
  transactionId: text(label('transaction'), { longest: MAX_TRANSACTION_LENGTH }),
  from: time(label('from')),
  to: time(label('to'), { after: 'from' }),
  schemaErrors: tick(label('schemaErrors')),
  last: kept(SPANS),
  size: pageSize,
}

type MessagesRequested = Requested<typeof MESSAGE_FILTERS>

export function boundsOf({ from, to, last }: Pick<MessagesRequested, 'from' | 'to' | 'last'>, now: number): Bounds {
  return { fromMs: from ?? (last ? now - LAST[last] : 0), toMs: to }
}

export function messageFilter(requested: MessagesRequested): SearchFilter {
  const filter = parseFilter(apiFilter(requested))
  // What it refuses the filters of the address have refused.
  return filter.ok ? filter.value : { methods: [] }
}

export function apiSearch(requested: MessagesRequested, { now }: Pick<Asking, 'now'>): object {
  const { fromMs, toMs } = boundsOf(requested, now)
  return { from: isoTime(fromMs), to: isoTime(toMs), ...apiFilter(requested) }
}

function apiFilter({ method, transactionId, status, schemaErrors }: MessagesRequested) {
  return {
    method,
    transactionId,
    status,
    ...(schemaErrors && { schemaErrors: { $exists: true } }),
  }
}

/** People write `heartbeat`, OCPP `Heartbeat`. */
function spelling(method: string): string {
  const folded = method.toLowerCase()
  return METHODS.find((known) => known.toLowerCase() === folded) ?? method
}
