/** Closes charge points that may no longer be connected, however they were deleted or disabled (STORE-N13). */
import { periodically } from '../../domain/periodic.ts'
import type { Clock } from '../../domain/ports/clock.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { OtherNodes } from '../../domain/ports/other-nodes.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'

const LOOK_EVERY_MS = 1_000
const AT_ONCE = 5_000

interface Context {
  readonly core: Pick<Core, 'disconnect'>
  readonly nodes: Pick<OtherNodes, 'refused'>
  readonly store: Pick<CoreStore, 'registrationsVersion'>
  readonly clock: Clock
}

export function closeRefused({ core, nodes, store, clock }: Context, connected: () => Iterable<string>): () => void {
  let seen = store.registrationsVersion()
  const look = async (): Promise<void> => {
    const version = store.registrationsVersion()
    if (version === seen) return
    const ids = [...new Set(connected())]
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      for (const id of await nodes.refused(ids.slice(first, first + AT_ONCE))) {
        await core.disconnect(id, 'disabled or deleted')
      }
    }
    seen = version
  }
  // The database is away: the next look follows when it is back.
  const looks = periodically({ clock, work: look, everyMs: LOOK_EVERY_MS, failed: () => undefined })
  return () => void looks.stop()
}
