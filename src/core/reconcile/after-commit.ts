/**
 * What follows when records of a block changed: a call to order, a batch to put in place. Whoever changed them does not
 * know of it. It is done once that is committed, and once for all that changed meanwhile.
 */
import type { RecordChange, RecordKind } from '../../domain/records/records.ts'
import type { Engine } from '../groups/engine.ts'
import type { Station } from '../memory/station.ts'

export type Followers = Readonly<Partial<Record<RecordKind, (station: Station) => void>>>

/** @returns tells of records that a decision changed, which is about to be committed */
export function createFollow(
  engine: Engine,
  followers: Followers,
): (stationId: string, records: readonly RecordChange[]) => void {
  const changed = new Map<string, Set<(station: Station) => void>>()
  return (stationId, records) => {
    for (const { kind } of records) {
      const follower = followers[kind]
      if (!follower) continue
      const noted = changed.get(stationId)
      if (noted) {
        noted.add(follower)
        continue
      }
      changed.set(stationId, new Set([follower]))
      // Behind the decision in the queue, so it runs after its commit.
      engine.enqueue({
        stationId,
        prepare: () => undefined,
        decide: () => undefined,
        committed(station) {
          const due = changed.get(stationId) ?? []
          changed.delete(stationId)
          for (const follow of due) follow(station)
        },
        failed: () => changed.delete(stationId),
      })
    }
  }
}
