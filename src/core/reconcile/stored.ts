/** Stored records that name charge points with open work, whatever is in memory. */

import { recordPages } from '../../domain/records/all-records.ts'
import type { BlockInput, RecordKind, RecordOfKind, RecordQuery } from '../../domain/records/records.ts'
import type { CoreContext } from '../context.ts'
import { decideNow } from './decide-now.ts'

const PAGE = 500

interface Found {
  readonly chargePointId: string
  /** Absent: the charge point is only woken once in memory. */
  readonly input: BlockInput | undefined
}

export type Stored = (context: CoreContext) => AsyncGenerator<readonly Found[]>

type KindOfStation = {
  readonly [Kind in RecordKind]: RecordOfKind<Kind> extends { readonly chargePointId: string } ? Kind : never
}[RecordKind]

/** @param input absent: the charge point is woken */
export function stored<Kind extends KindOfStation>(
  kind: Kind,
  where: (now: number) => RecordQuery<Kind>['where'],
  input?: (record: RecordOfKind<Kind>, context: CoreContext) => BlockInput,
  limit = PAGE,
): Stored {
  return async function* pages(context) {
    const { clock, store } = context
    const selected = where(clock.now())
    for await (const page of recordPages(store, kind, selected, limit)) {
      yield page.map((record) => ({
        chargePointId: (record as unknown as { readonly chargePointId: string }).chargePointId,
        input: input?.(record, context),
      }))
    }
  }
}

/** Unless another node owns it: decides or wakes. @param isLeftOut asked before and after loading */
export async function settleStored(
  context: CoreContext,
  all: Stored,
  isLeftOut: (chargePointId: string) => boolean = () => false,
): Promise<void> {
  const { stations, desired } = context
  for await (const page of all(context)) {
    const found = distinct(page).filter(({ chargePointId }) => !isLeftOut(chargePointId))
    const unknown = new Set(found.map(({ chargePointId }) => chargePointId).filter((id) => !stations.known(id)))
    if (unknown.size > 0) await stations.loadAll([...unknown], 'unowned')
    // A deleted charge point or a full disk must not prevent the start.
    await Promise.allSettled(
      found.map(async ({ chargePointId, input }) => {
        const station = stations.known(chargePointId)
        if (!station || isLeftOut(chargePointId)) return
        if (input) await decideNow(context, chargePointId, input)
        else desired.reconciler.wake(station)
      }),
    )
  }
}

function distinct(all: readonly Found[]): readonly Found[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}
