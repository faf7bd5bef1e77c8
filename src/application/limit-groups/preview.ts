/** Who would get what of a limit group that is not there yet, or is to be another (GROUP-H4). */
import { keyOf } from '../../domain/limit-groups/evse.ts'
import { allCharging, plan } from '../../domain/limit-groups/plan.ts'
import type { DesiredGroup } from '../../domain/limit-groups/records.ts'
import type { Reason } from '../../domain/limit-groups/shares.ts'
import { pathOf } from '../../domain/limit-groups/tree.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch } from '../../domain/refuse.ts'
import { type SnapshotContext, snapshotAmong } from './look.ts'
import { checkGroup } from './orders.ts'

export interface PreviewedEvse {
  readonly chargePointId: string
  readonly evseId: number
  readonly isOnline: boolean
  readonly fallbackAmps: number
  readonly amps: number
  readonly reason: Reason
  /** With a car at every EVSE that takes all it is given. */
  readonly amongAllAmps: number
  readonly amongAllReason: Reason
}

export async function previewGroup(
  place: SnapshotContext,
  accountId: string,
  name: string,
  desired: DesiredGroup,
): Promise<readonly PreviewedEvse[] | Refusal> {
  const checked = await checkGroup(place, accountId, name, desired)
  if ('refused' in checked) return checked
  const look = await snapshotAmong(place, accountId, checked.all, name)
  if (!look) return noSuch('limit group')
  const { connection } = look
  const now = place.now()
  const [made, amongAll] = [plan(connection, now, 0), plan(allCharging(connection, now), now, 0)]
  const groups = new Map(connection.groups.map((group) => [group.name, group]))
  return connection.evses.flatMap((evse): readonly PreviewedEvse[] => {
    const [share, full] = [made.evses.get(keyOf(evse)), amongAll.evses.get(keyOf(evse))]
    if (!share || !full || !pathOf(groups, evse.group).some((group) => group.name === name)) return []
    const { chargePointId, evseId, isOnline } = evse
    const { fallbackAmps, amps, reason } = share
    return [
      {
        chargePointId,
        evseId,
        isOnline,
        fallbackAmps,
        amps,
        reason,
        amongAllAmps: full.amps,
        amongAllReason: full.reason,
      },
    ]
  })
}
