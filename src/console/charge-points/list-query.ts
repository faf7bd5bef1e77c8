/** The address of the list of charge points as a query: the same filters as the API's (CONSOLE-A4). */
import { type AskedChargePoints, CONNECTOR_STATUSES } from '../../application/charge-points/find.ts'
import { readLabel } from '../../application/charge-points/labels.ts'
import type { ChargePoint, ChargePointOrder } from '../../domain/ports/storage.ts'

/** Parameters that the form sends; empty ones are as if they were not there. */
export const FILTERS = [
  'q',
  'online',
  'status',
  'charging',
  'registration',
  'vendor',
  'model',
  'firmwareVersion',
  'site',
  'label',
  'securityProfile',
  'errorCode',
  'faultedFor',
  'silentFor',
  'size',
  'sort',
  'order',
] as const

export interface ListQuery {
  /** What was asked, to be shown and to be kept in links. */
  readonly asked: URLSearchParams
  readonly filter: AskedChargePoints
  readonly sort: ChargePointOrder
  readonly descending: boolean
  /** Rows of a page. */
  readonly size: number
  /** Of those before this page, for counting only. */
  readonly before: number
  readonly after?: readonly [string | number, string]
  /** Names of parameters whose values cannot be looked for. */
  readonly wrong: readonly string[]
}

const REGISTRATIONS: readonly ChargePoint['registrationStatus'][] = ['Accepted', 'Pending', 'Rejected']
const SORTS: readonly ChargePointOrder[] = ['id', 'name', 'lastSeenAt']
const LONGEST = 255
const MINUTE_MS = 60_000

/** For how long at least, as filters offer it. */
export const SPANS = { '15m': 900_000, '1h': 3_600_000, '6h': 21_600_000, '1d': 86_400_000, '7d': 604_800_000 } as const
export const SIZES = [50, 100, 200] as const
const SIZE = 50

/** @param now milliseconds since the epoch */
export function readListQuery(sent: URLSearchParams, now: number): ListQuery {
  const asked = new URLSearchParams()
  for (const name of FILTERS)
    for (const value of sent.getAll(name)) if (value.trim() !== '') asked.append(name, value.trim())
  const wrong = new Set<string>()
  const one = <Value>(name: string, read: (text: string) => Value | undefined): Value | undefined => {
    const text = asked.get(name)
    const value = text === null ? undefined : read(text)
    if ((text !== null && value === undefined) || asked.getAll(name).length > 1) wrong.add(name)
    return value
  }
  const several = <Value>(name: string, read: (text: string) => Value | undefined): readonly Value[] | undefined => {
    const texts = asked.getAll(name)
    const values = texts.flatMap((text) => read(text) ?? [])
    if (values.length < texts.length) wrong.add(name)
    return texts.length > 0 ? values : undefined
  }
  const among =
    <Value extends string>(known: readonly Value[]) =>
    (text: string) =>
      known.find((value) => value === text)
  const exact = (text: string) => (text.length <= LONGEST ? text : undefined)
  const flag = (text: string) => ({ true: true, false: false })[text]
  const labels = several('label', (text) => {
    const label = readLabel(text)
    return label && [label]
  })
  const filter = {
    q: one('q', exact),
    online: one('online', flag),
    statuses: several('status', among<string>(CONNECTOR_STATUSES)),
    charging: one('charging', (text) => (text === 'true' ? (true as const) : undefined)),
    registrationStatuses: several('registration', among(REGISTRATIONS)),
    vendor: one('vendor', exact),
    model: one('model', exact),
    firmwareVersion: one('firmwareVersion', exact),
    site: one('site', exact),
    labels,
    errorCode: one('errorCode', exact),
    faultedSince: one('faultedFor', agoOf(now)),
    silentSince: one('silentFor', agoOf(now)),
    securityProfile: one('securityProfile', (text) => (/^[0-3]$/.test(text) ? Number(text) : undefined)),
  }
  const sort = one('sort', among(SORTS)) ?? 'id'
  const descending = one('order', among(['asc', 'desc'] as const)) === 'desc'
  return {
    asked,
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as AskedChargePoints,
    sort,
    descending,
    size: one('size', (text) => SIZES.find((size) => String(size) === text)) ?? SIZE,
    before: /^\d{1,9}$/.test(sent.get('before') ?? '') ? Number(sent.get('before')) : 0,
    ...afterOf(sent, sort),
    wrong: [...wrong],
  }
}

/** To the minute, so that a page that is kept up to date asks for the same. */
const agoOf =
  (now: number) =>
  (text: string): number | undefined => {
    const span = Object.entries(SPANS).find(([name]) => name === text)?.[1]
    return span === undefined ? undefined : Math.floor((now - span) / MINUTE_MS) * MINUTE_MS
  }

/** Where the page before ended: an id, and what it was sorted by. */
function afterOf(sent: URLSearchParams, sort: ChargePointOrder): Pick<ListQuery, 'after'> {
  const [id, by] = [sent.get('after'), sent.get('by') ?? '']
  if (id === null) return {}
  if (sort === 'id') return { after: [id, id] }
  if (sort === 'name') return { after: [by, id] }
  return /^\d{1,15}$/.test(by) ? { after: [Number(by), id] } : {}
}
