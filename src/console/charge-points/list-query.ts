/** The list of charge points in its address: the same filters as the API's (CONSOLE-A4). */

import { type AskedChargePoints, CONNECTOR_STATUSES } from '../../application/charge-points/find.ts'
import { readLabel } from '../../application/charge-points/register.ts'
import type { ChargePointOrder, LabelOrder } from '../../domain/ports/storage-queries.ts'
import type { ChargePoint } from '../../domain/ports/storage-records.ts'
import {
  choice,
  chosen,
  type Filter,
  kept,
  labelsOf,
  pageSize,
  parsed,
  type Requested,
  repeated,
  search,
  text,
  tick,
} from '../kit/filters.ts'
import { wordsIn } from '../kit/parts.tsx'
import { isLabelColumn } from './columns.tsx'

const REGISTRATIONS: readonly ChargePoint['registrationStatus'][] = ['Accepted', 'Pending', 'Rejected']
const SORTS: Readonly<Record<Exclude<ChargePointOrder, LabelOrder>, 'word' | 'figure'>> = {
  id: 'word',
  name: 'word',
  site: 'word',
  model: 'word',
  firmwareVersion: 'word',
  serialNumber: 'word',
  protocol: 'word',
  securityProfile: 'figure',
  lastSeenAt: 'figure',
  state: 'figure',
  since: 'figure',
  power: 'figure',
}
const PROFILES = ['0', '1', '2', '3'] as const
const MINUTE_MS = 60_000

const SPANS = { '15m': 900_000, '1h': 3_600_000, '6h': 21_600_000, '1d': 86_400_000, '7d': 604_800_000 } as const
type Span = keyof typeof SPANS

const label = labelsOf('chargePoints')

/** To the minute, so that a page that is kept up to date asks for the same. */
function ago(label: Filter['label']): Filter<number> {
  const spans = choice(label, Object.keys(SPANS) as Span[], (frame) => wordsIn('chargePoints', frame).atLeast)
  return chosen(spans, (span, { now }) => Math.floor((now - SPANS[span as Span]) / MINUTE_MS) * MINUTE_MS)
}

export const CHARGE_POINT_FILTERS = {
  q: search(label('search')),
  status: repeated(choice<string>(label('status'), CONNECTOR_STATUSES)),
  site: text(label('site')),
  errorCode: text(label('errorCode')),
  faultedFor: ago(label('faultedFor')),
  model: text(label('model')),
  firmwareVersion: text(label('firmware')),
  securityProfile: chosen(
    choice(label('security'), PROFILES, (frame) => wordsIn('chargePoints', frame).profiles),
    Number,
  ),
  silentFor: ago(label('silentFor')),
  siteless: tick(label('siteless'), { rare: true }),
  label: repeated(parsed(label('label'), readLabel, { rare: true })),
  online: chosen(
    choice(label('connection'), ['true', 'false'], ({ texts }) => ({ true: texts.online, false: texts.offline }), {
      rare: true,
    }),
    (value) => value === 'true',
  ),
  registration: repeated(
    choice(label('registration'), REGISTRATIONS, (frame) => wordsIn('chargePoints', frame).registrations, {
      rare: true,
    }),
  ),
  vendor: text(label('vendor'), { rare: true }),
  charging: tick(label('charging'), { rare: true }),
  size: pageSize,
  sort: kept<ChargePointOrder>(Object.keys(SORTS) as ChargePointOrder[], isLabelColumn),
  order: kept(['asc', 'desc']),
}

type ChargePointsRequested = Requested<typeof CHARGE_POINT_FILTERS>

export function filterOf(requested: ChargePointsRequested): AskedChargePoints {
  const { size: _, sort: __, order: ___, status, registration, label, faultedFor, silentFor, ...same } = requested
  return {
    ...same,
    statuses: status,
    registrationStatuses: registration,
    labels: label,
    faultedSince: faultedFor,
    silentSince: silentFor,
  }
}

export interface ListPosition {
  readonly sort: ChargePointOrder
  readonly descending: boolean
  /** Of those before this page, for counting only. */
  readonly before: number
  readonly after?: readonly [string | number, string]
}

export function placeOf({ sort = 'id', order }: ChargePointsRequested, sent: URLSearchParams): ListPosition {
  return {
    sort,
    descending: order === 'desc',
    before: /^\d{1,9}$/.test(sent.get('before') ?? '') ? Number(sent.get('before')) : 0,
    ...afterOf(sent, sort),
  }
}

function afterOf(sent: URLSearchParams, sort: ChargePointOrder): Pick<ListPosition, 'after'> {
  const [id, by] = [sent.get('after'), sent.get('by') ?? '']
  if (id === null) return {}
  if (sort === 'id') return { after: [id, id] }
  if (isLabelColumn(sort) || SORTS[sort] === 'word') return { after: [by, id] }
  return /^\d{1,16}$/.test(by) ? { after: [Number(by), id] } : {}
}
