import { isoTime } from '../../domain/iso-time.ts'
import type { ExternalState } from '../../domain/limit-groups/group.ts'
import type { LimitMinute } from '../../domain/limit-groups/records.ts'
import { reasonText } from './reason-words.ts'
import { type EvseStatus, type GroupStatus, shownAmps } from './status.ts'

export function statusShown({ name, phases, state, planned, drawAmps, evses }: GroupStatus): object {
  const { capacity, mayDraw } = planned
  const of = (amps: readonly number[]): readonly number[] => amps.slice(0, phases).map(shownAmps)
  return {
    name,
    state,
    limitAmps: of(capacity.limitAmps),
    capacityAmps: of(capacity.amps),
    allowedAmps: of(mayDraw),
    drawAmps: of(drawAmps),
    ...(capacity.loadAmps && { loadAmps: of(capacity.loadAmps) }),
    ...(capacity.external && { externalLimit: externalShown(capacity.external) }),
    data: evses.map(evseShown),
  }
}

function evseShown({ chargePointId, evseId, group, phases, state, reason, leaseUntil, ...amps }: EvseStatus): object {
  const { mayDrawAmps, fallbackAmps, offeredAmps, drawAmps } = amps
  return {
    evseControllerId: chargePointId,
    evseId,
    group,
    phases: phases.map((phase) => phase + 1),
    state,
    allowedAmps: shownAmps(mayDrawAmps),
    mayDrawAmps: shownAmps(mayDrawAmps),
    reason: reasonText(reason),
    fallbackAmps,
    offeredAmps,
    drawAmps,
    leaseUntil: isoTime(leaseUntil),
  }
}

export function minuteShown({ at, limitAmps, allowedAmps, drawAmps, loadAmps, external }: LimitMinute): object {
  return {
    at: isoTime(at),
    limitAmps,
    allowedAmps,
    drawAmps,
    loadAmps,
    ...(external && { externalLimit: externalShown(external) }),
  }
}

function externalShown({ amps, source, state, until }: ExternalState): object {
  return { amps: shownAmps(amps), source, state, until: isoTime(until) }
}
