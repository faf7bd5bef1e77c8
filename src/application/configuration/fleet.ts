import { type StationStatus, statusOf } from '../../domain/configuration/status.ts'
import { grouped } from '../../domain/grouped.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Log } from '../../domain/ports/log.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { chargePointPages, selectable, selects } from '../../domain/selector.ts'
import type { UseCaseContext } from '../context.ts'

/** Stations settled at once: a step awaits the commit before it, so other messages do not queue (BENCH-B13). */
const REPORTED_AT_ONCE = 20
/** The caller is answered by then; the rest of a large fleet follows. */
const TIMEOUT_MS = 5_000

export type FleetContext = Pick<UseCaseContext, 'reads' | 'core' | 'after'> & { readonly log: Pick<Log, 'error'> }

export interface RequestedOfFleet {
  readonly accountId: string
  readonly selector: Selector
  readonly updatedAt: number
}

/** Of every charge point that is meant (CONFIG-A11), by id. @param isOf which intents came of it */
export async function statusOfFleet(
  reads: FleetContext['reads'],
  requested: RequestedOfFleet,
  isOf: (intent: Intent) => boolean,
): Promise<readonly StationStatus[]> {
  const intents = await intentsOf(reads, requested.accountId, isOf)
  const found: StationStatus[] = []
  for await (const stations of chargePointPages(reads, requested.accountId)) {
    for (const station of stations) {
      const own = intents.get(station.id)
      const status = own ? statusOf(station.id, own) : waiting(requested, station)
      if (status) found.push(status)
    }
  }
  return found
}

/** One that has never connected: which of the settings it will get depends on the version that it speaks. */
function waiting({ selector, updatedAt }: RequestedOfFleet, station: ChargePointView): StationStatus | undefined {
  if (station.status.protocol !== undefined || !selects(selector, selectable(station))) return undefined
  return { evseControllerId: station.id, state: 'pending', updatedAt: isoTime(updatedAt) }
}

async function intentsOf(
  reads: FleetContext['reads'],
  accountId: string,
  isOf: (intent: Intent) => boolean,
): Promise<ReadonlyMap<string, readonly Intent[]>> {
  const found: Intent[] = []
  for await (const page of recordPages(reads, 'intents', { accountId })) found.push(...page.filter(isOf))
  return grouped(found, ({ chargePointId }) => chargePointId)
}

export async function settleAll(
  place: FleetContext,
  accountId: string,
  selectors: readonly Selector[],
  names: ReadonlySet<string>,
): Promise<void> {
  const settle = async (): Promise<void> => {
    for await (const stations of chargePointPages(place.reads, accountId)) {
      const selected = stations.filter((station) =>
        selectors.some((selector) => selects(selector, selectable(station))),
      )
      for (let from = 0; from < selected.length; from += REPORTED_AT_ONCE) {
        const chargePointIds = selected.slice(from, from + REPORTED_AT_ONCE).map(({ id }) => id)
        await place.core.settleConfigurations({ accountId, chargePointIds, names: [...names] })
      }
    }
  }
  const settled = settle().catch((error: Error) =>
    place.log.error({ error: error.message }, 'a configuration did not reach every charge point yet'),
  )
  let cancel = (): void => undefined
  const patience = new Promise<void>((resolve) => {
    cancel = place.after(TIMEOUT_MS, resolve)
  })
  await Promise.race([settled, patience])
  cancel()
}
