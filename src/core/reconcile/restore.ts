/** Blocks after a restart, and what becomes due of stations that are not in memory. */
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { CoreContext } from '../context.ts'
import { decideNow, decideSoon } from './decide-now.ts'

const PAGE = 500
/** Whoever gives an end to what he wants thinks in minutes. */
const SWEEP_MS = 30_000

type Store = Pick<CoreStore, 'listRecords'>

/**
 * DEVICE-A3: reports that were running when the former process, or a node, ended.
 * @param before charge points that were in memory already: theirs go on
 */
export async function restoreBlocks(context: CoreContext, store: Store, before: ReadonlySet<string>): Promise<void> {
  let after: { readonly chargePointId: string; readonly id: number } | undefined
  for (;;) {
    const page = await store.listRecords('reports', {
      where: { state: 'running' },
      limit: PAGE,
      ...(after && { after }),
    })
    const interrupted = page.filter(({ chargePointId }) => !before.has(chargePointId))
    const ours = await oursOf(context, interrupted)
    // One of a charge point that is gone, or a disk that is full, keeps nobody from starting.
    await Promise.allSettled(
      ours.map(({ chargePointId, id }) => decideNow(context, chargePointId, { kind: 'reportInterrupted', id })),
    )
    after = page.at(-1)
    if (!after || page.length < PAGE) return
  }
}

/** Those of charge points that no other node has. */
async function oursOf<Of extends { readonly chargePointId: string }>(
  { stations }: CoreContext,
  all: readonly Of[],
): Promise<readonly Of[]> {
  const unknown = new Set(all.map(({ chargePointId }) => chargePointId).filter((id) => !stations.known(id)))
  if (unknown.size > 0) await stations.loadAll([...unknown], 'unowned')
  return all.filter(({ chargePointId }) => stations.known(chargePointId))
}

/** INTENT-A7: of charge points that are away as well. @returns stops it */
export function sweepExpiredIntents(context: CoreContext, store: Store): () => void {
  const { clock, log } = context
  let isStopped = false
  const sweep = async (): Promise<void> => {
    const where = { state: 'pending', expiresAt: { below: clock.now() + 1 } } as const
    const due = await store.listRecords('intents', { where, limit: PAGE })
    for (const chargePointId of new Set((await oursOf(context, due)).map((intent) => intent.chargePointId))) {
      if (!isStopped) decideSoon(context, chargePointId, { kind: 'intentsOverdue' })
    }
  }
  const later = (): (() => void) =>
    clock.after(SWEEP_MS, () => {
      sweep()
        .catch((error: Error) => log.error({ error: error.message }, 'expired intents could not be looked for'))
        .finally(() => {
          if (!isStopped) cancel = later()
        })
    })
  let cancel = later()
  return () => {
    isStopped = true
    cancel()
  }
}
