/** What a limit group does now, by its newest look (GROUP-H2). */

import { isAbove, LEAST_AMPS } from '../../domain/charging/profile.ts'
import { type GroupEvse, keyOf } from '../../domain/limit-groups/evse.ts'
import { latest } from '../../domain/limit-groups/ledger.ts'
import { NO_AMPS, onPhases, type PerPhase, sum } from '../../domain/limit-groups/phases.ts'
import { type Plan, type PlannedGroup, plan } from '../../domain/limit-groups/plan.ts'
import type { Reason } from '../../domain/limit-groups/shares.ts'
import { pathOf } from '../../domain/limit-groups/tree.ts'
import { type Snapshot, type SnapshotContext, snapshotOnce } from './look.ts'

type GroupState = 'ok' | 'safe' | 'exceeded' | 'unproved'
type EvseState = 'charging' | 'idle' | 'paused' | 'silent' | 'ignoring'

export interface EvseStatus {
  readonly chargePointId: string
  readonly evseId: number
  readonly group: string
  readonly phases: readonly number[]
  readonly state: EvseState
  readonly mayDrawAmps: number
  readonly fallbackAmps?: number | undefined
  readonly offeredAmps?: number | undefined
  readonly drawAmps?: number | undefined
  readonly reason: Reason
  readonly leaseUntil?: number | undefined
  /** Its charge point refuses to hold any fallback. */
  readonly holdsNoFallback?: true | undefined
}

export interface GroupStatus {
  readonly name: string
  readonly phases: 1 | 3
  readonly state: GroupState
  readonly planned: PlannedGroup
  readonly drawAmps: PerPhase
  readonly evses: readonly EvseStatus[]
}

export async function statusOf(
  place: SnapshotContext,
  accountId: string,
  name: string,
): Promise<GroupStatus | undefined> {
  const look = await snapshotOnce(place, accountId, name)
  return look && groupStatus(look, plan(look.connection, place.now(), 0), name)
}

export function groupStatus({ connection, evses }: Snapshot, made: Plan, name: string): GroupStatus | undefined {
  const planned = made.groups.find((group) => group.name === name)
  const groups = new Map(connection.groups.map((group) => [group.name, group]))
  const phases = groups.get(name)?.phases
  if (!planned || !phases) return undefined
  const below = connection.evses.filter((evse) => pathOf(groups, evse.group).some((group) => group.name === name))
  const drawAmps = below.reduce<PerPhase>((drawn, evse) => {
    const amps = connection.drawn.get(keyOf(evse)) ?? 0
    return sum(drawn, onPhases(amps, phases === 1 ? [0] : evse.phases))
  }, NO_AMPS)
  return {
    name,
    phases,
    planned,
    drawAmps,
    state: stateOf(planned, drawAmps, below),
    evses: below.map((evse): EvseStatus => {
      const key = keyOf(evse)
      const { mayDrawAmps = 0, reason = { code: 'idle' }, fallbackAmps = 0 } = made.evses.get(key) ?? {}
      const { chargePointId, evseId, group, ledger, holdsNoFallback } = evse
      const held = ledger.fallback.accepted?.amps
      const lease = latest(ledger.lease)
      const drawn = connection.drawn.get(key)
      const offered = evses.get(key)?.seen?.draw?.offeredAmps
      const state = evseState(evse, mayDrawAmps)
      const isNew = held === 0 && fallbackAmps > 0 && reason.code === 'idle'
      const isToCome = state === 'paused' && HAS_A_SHARE.has(reason.code)
      return {
        chargePointId,
        evseId,
        group,
        phases: phases === 1 ? [0] : evse.phases,
        state,
        mayDrawAmps,
        reason: isNew ? { code: 'noRoom', group } : isToCome ? { code: 'comes', group } : reason,
        fallbackAmps: held,
        ...(holdsNoFallback && { holdsNoFallback }),
        ...(offered !== undefined && evse.charge && { offeredAmps: offered }),
        drawAmps: drawn,
        ...(lease?.until !== undefined && lease.amps > lease.afterAmps && { leaseUntil: lease.until }),
      }
    }),
  }
}

/** Of the plan; what it may draw follows once others have made room. */
const HAS_A_SHARE: ReadonlySet<Reason['code']> = new Set(['all', 'carTakesLess', 'shared'])

export function isMeasuredAbove(drawAmps: PerPhase, limitAmps: PerPhase): boolean {
  return drawAmps.some((amps, phase) => isAbove(amps, limitAmps[phase] ?? 0))
}

function stateOf({ capacity, isExceeded }: PlannedGroup, drawAmps: PerPhase, evses: readonly GroupEvse[]): GroupState {
  if (isExceeded || isMeasuredAbove(drawAmps, capacity.limitAmps)) return 'exceeded'
  if (capacity.isStale || capacity.external?.state === 'failSafe') return 'safe'
  return evses.some(isUnproved) ? 'unproved' : 'ok'
}

export function isUnproved({ ledger, overdraw }: GroupEvse): boolean {
  return !ledger.fallback.accepted || overdraw?.isIgnoring === true
}

function evseState({ isOnline, overdraw, charge }: GroupEvse, mayDrawAmps: number): EvseState {
  if (!isOnline) return 'silent'
  if (overdraw?.isIgnoring) return 'ignoring'
  if (!charge) return 'idle'
  return mayDrawAmps < LEAST_AMPS ? 'paused' : 'charging'
}
