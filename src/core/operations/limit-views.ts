import type { Charging } from '../../domain/charging/charges.ts'
import { type AskedByGroup, isShare } from '../../domain/charging/demands.ts'
import { dynamicEnd } from '../../domain/charging/dynamic.ts'
import { mostWithForeign } from '../../domain/charging/foreign.ts'
import { LEAST_AMPS } from '../../domain/charging/profile.ts'
import type { ChargingDemand, StoredProfile } from '../../domain/charging/records.ts'
import { shownDraw, shownPhases, spreadOf } from '../../domain/charging/watts.ts'
import type { Accepted, EvseView, StationView } from '../../domain/limit-groups/view.ts'
import type { ChargePointState } from '../../domain/ports/sessions.ts'
import type { Station } from '../memory/station.ts'
import { viewOf } from '../reconcile/charging/charging.ts'

export function limitViewOf(
  station: Station | undefined,
  settings: Parameters<typeof viewOf>[1],
  now: number,
): StationView | undefined {
  const { state } = station ?? {}
  if (!station || !state) return undefined
  const { connectors, status } = state
  const chargePointId = station.id
  const view = viewOf(station, settings, now)
  const { station: known, charges, connectors: wiring } = view
  const demands = view.demands.filter(isShare)
  const profiles = view.profiles.filter(({ source }) => source === 'desired')
  const ids = new Set([
    ...[...connectors.values()].map(({ evseId, connectorId }) => evseId ?? connectorId),
    ...demands.map(({ evseId }) => evseId),
    ...charges.map(({ evseId }) => evseId),
  ])
  ids.delete(0)
  return {
    chargePointId,
    isConnected: station.connection !== undefined && !station.isHeld,
    bootedAt: status.bootedAt,
    clockAheadMs: station.clock.skewMs,
    clockAtLeastMs: station.clock.atLeastMs,
    countsLeases: known?.abilities?.dynamic === true,
    holdsLeases: known?.abilities?.maxPeriods !== 1,
    evses: [...ids].map((evseId): EvseView => {
      const charge = charges.find((one) => one.evseId === evseId)
      const demand = demands.find((one) => one.evseId === evseId)
      const rows = profiles.filter((row) => row.evseId === evseId)
      const draw = station.draws.of(evseId)
      const resumedAt = known?.resumedAt[evseId]
      const fallback = acceptedOf(demand, rows, 'TxDefaultProfile')
      const lease = acceptedOf(demand, rows, 'TxProfile')
      return {
        evseId,
        desiredRevision: revisionOf(demand),
        mostAmps: mostWithForeign(view, evseId),
        isIgnoring: known?.proofs[evseId]?.verdict === 'ignored',
        ...(charge && {
          charge: { id: charge.transactionId, startedAt: charge.startedAt, priority: priorityOf(state, charge) },
        }),
        resumedAt,
        draw,
        fallback,
        lease,
        shownAt: shownDraw(view, evseId)?.at,
        spread: spreadOf(known?.abilities ?? {}, rows, wiring, evseId, shownPhases(view, evseId)),
        leastAmps: rows.some(({ form }) => form?.endsWith(`/${LEAST_AMPS}`)) ? LEAST_AMPS : 0,
        refusesFallback: demand?.state === 'refused' || known?.isUnsupported === true,
      }
    }),
  }
}

function priorityOf({ transactions, sessions }: ChargePointState, { transactionId }: Charging): number | undefined {
  return sessions.get(transactions.get(transactionId)?.sessionId ?? '')?.priority
}

function revisionOf(demand: ChargingDemand | undefined): number {
  return demand ? (demand.asked as AskedByGroup).revision : 0
}

/** For the current demand: earlier acceptances are known already or do not count. */
function acceptedOf(
  demand: ChargingDemand | undefined,
  rows: readonly StoredProfile[],
  purpose: StoredProfile['purpose'],
): Accepted | undefined {
  const row = rows.find((one) => one.purpose === purpose && one.state === 'accepted')
  const isOfIt = row?.basis?.split('\n').includes(`${demand?.owner}@${demand?.revision}`)
  if (!row || !isOfIt) return undefined
  return { revision: revisionOf(demand), endsAt: dynamicEnd(row) }
}
