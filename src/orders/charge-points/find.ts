/** Finding charge points: the filters of the API and of the console's list are these (CONSOLE-A4). */
import type { Core } from '../../ports/core.ts'
import type { ChargePointFilter, ChargePointQuery, Reads, SortedChargePoint } from '../../ports/storage.ts'

/** What a connector may say of itself, in either version of OCPP. */
export const CONNECTOR_STATUSES = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedEVSE',
  'SuspendedEV',
  'Finishing',
  'Occupied',
  'Reserved',
  'Unavailable',
  'Faulted',
] as const

export interface AskedChargePoints extends Omit<ChargePointFilter, 'within' | 'without'> {
  readonly online?: boolean
  /** The label of that name. */
  readonly site?: string
}

/** @param shared only those; absent: all of the account */
export async function findChargePoints(
  { reads, core }: { readonly reads: Pick<Reads, 'findChargePoints'>; readonly core: Pick<Core, 'onlineChargePoints'> },
  { online, site, labels = [], ...filter }: AskedChargePoints,
  page: Omit<ChargePointQuery, 'filter'>,
  shared?: readonly string[],
): Promise<readonly SortedChargePoint[]> {
  const here = online === undefined ? undefined : await core.onlineChargePoints(page.accountId)
  const within = online ? common(here ?? [], shared) : shared
  return reads.findChargePoints({
    ...page,
    filter: {
      ...filter,
      labels: site === undefined ? labels : [...labels, ['site', site]],
      ...(within && { within }),
      ...(online === false && here && { without: here }),
    },
  })
}

function common(ids: readonly string[], shared: readonly string[] | undefined): readonly string[] {
  if (!shared) return ids
  const set = new Set(shared)
  return ids.filter((id) => set.has(id))
}
