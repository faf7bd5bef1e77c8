/**
 * What an earlier process, or a node that has ended, left behind: calls that were open, connections that nobody closed,
 * reports, sessions with a clock that runs, certificates and jobs that go on (STORE-N10). What another node has is left
 * to it.
 */
import type { ChargePointState } from '../../domain/ports/sessions.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import { endInterrupted } from '../connections/connection-inputs.ts'
import type { CoreContext } from '../context.ts'
import { dropInterrupted } from '../outbound/restore-calls.ts'
import type { PlaceValues } from '../reconcile/place-values.ts'
import { restoreBlocks } from '../reconcile/restore.ts'

/** Others want some, too. */
const TOGETHER = 50

/**
 * @param wakeUp sets the clock of a charge point whose sessions wait for something
 * @returns does it once more; `whenCommitted` waits for the end of connections, where nothing else goes on
 */
export function createAdoption(
  context: CoreContext,
  store: CoreStore,
  placing: Pick<PlaceValues, 'wakeAll'>,
  wakeUp: (chargePointId: string, state: ChargePointState) => void,
): (whenCommitted: () => Promise<void>) => Promise<void> {
  const { stations, log } = context
  return async (whenCommitted) => {
    const before = new Set([...stations.all()].map(({ id }) => id))
    await dropInterrupted(context, store)
    await endInterrupted(context, store, before)
    await whenCommitted()
    await restoreBlocks(context, store, before)
    const open = await store.chargePointsWithOpenSessions()
    for (let first = 0; first < open.length; first += TOGETHER) {
      const ids = open.slice(first, first + TOGETHER)
      await stations.loadAll(
        ids.filter((id) => !stations.current(id)),
        'unowned',
      )
      for (const id of ids) {
        const state = stations.known(id)?.state
        if (state) wakeUp(id, state)
      }
    }
    void placing.wakeAll().catch((error: Error) => log.error({ error: error.message }, 'reported values wait'))
    await context.certificates.resume()
    await context.profileJobs.resume()
  }
}
