/** Adopts what an earlier process or ended node left open, except what another node owns (STORE-N10). */
import { INTERRUPTED_CONNECTIONS } from '../connections/connection-inputs.ts'
import type { CoreContext } from '../context.ts'
import { setClock } from '../reconcile/after-commit.ts'
import { settleStored } from '../reconcile/stored.ts'

const TOGETHER = 50

/** @returns runs the adoption; after a rejection the next call starts over */
export function createAdoption(context: CoreContext): () => Promise<void> {
  const { stations, store, log } = context
  const { reconciler, placing } = context.desired
  /** Stations loaded before the adoption, whose work goes on; not those that a failed attempt loaded. */
  let before: ReadonlySet<string> | undefined
  return async () => {
    await store.dropPendingCommands()
    before ??= new Set([...stations.all()].map(({ id }) => id))
    const present = before
    const goesOn = (id: string): boolean => present.has(id) || stations.known(id)?.connection !== undefined
    await settleStored(context, INTERRUPTED_CONNECTIONS, goesOn)
    await reconciler.resume(goesOn)
    const open = await store.chargePointsWithOpenSessions()
    for (let first = 0; first < open.length; first += TOGETHER) {
      const ids = open.slice(first, first + TOGETHER)
      await stations.loadAll(
        ids.filter((id) => !stations.current(id)),
        'unowned',
      )
      for (const id of ids) {
        const station = stations.known(id)
        if (station) setClock(context, station)
      }
    }
    before = undefined
    void placing
      .wakeAll()
      .catch((error: Error) => log.error({ error: error.message }, 'reported values could not be stored yet'))
  }
}
