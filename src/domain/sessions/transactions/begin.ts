/** The session a transaction gets: the remote start that asked for it, or a new one. */

import { ratedPowerW } from '../../charging/wiring.ts'
import type { EvsePosition } from '../../energy/place.ts'
import type { FrozenTariff, Session, StationTime } from '../../ports/sessions.ts'
import type { TariffVersion } from '../../tariffs/records.ts'
import type { Draft } from '../draft.ts'
import { happenedBefore } from '../own-time.ts'
import { sessionRecord } from '../records.ts'
import { isTerminal } from '../states/transition.ts'

/**
 * Joins a waiting remote start; one that just expired stays failed, and a new session has its reference (SESSION-S5).
 * The tariff is frozen here (COST-CO1, COST-L7). @returns the session, not yet put into the draft
 */
export function beginSession(draft: Draft, remote: Session | undefined, place: EvsePosition, at: StationTime): Session {
  const { tariffVersions, tariff: present } = draft.context
  const tariff = tariffVersions ? tariffAt(draft, at, tariffVersions) : present
  if (remote?.remoteStart && !isTerminal(remote.state)) {
    return {
      ...remote,
      evseId: place.evseId ?? remote.evseId,
      connectorId: place.connectorId ?? remote.connectorId,
      remoteStart: { ...remote.remoteStart, matched: true },
      tariff: tariff ?? remote.tariff,
    }
  }
  if (remote?.remoteStart) draft.putSession({ ...remote, remoteStart: { ...remote.remoteStart, matched: true } })
  return sessionRecord({
    id: draft.context.newSessionId(draft.now),
    accountId: draft.state.accountId,
    chargePointId: draft.state.chargePointId,
    state: 'pending',
    energyMilliWh: 0,
    externalReference: remote?.externalReference,
    remoteStart: remote?.remoteStart && { ...remote.remoteStart, matched: true },
    createdAt: draft.now,
    version: 1,
    evseId: place.evseId,
    connectorId: place.connectorId,
    idToken: remote?.idToken,
    limits: remote?.limits,
    flags: [],
    tariff,
  })
}

/** What the account says that the outlet can give; undefined where it says nothing (ENERGY-N7). */
export function ratedPowerAt(draft: Draft, { evseId, connectorId }: EvsePosition): number | undefined {
  const wiring = draft.record('wirings', { chargePointId: draft.state.chargePointId })
  return wiring && ratedPowerW(wiring, evseId ?? connectorId, draft.voltage)
}

/** COST-L7: the charge point's own, else its account's: now the present one, and before all tariffs the first. */
function tariffAt(draft: Draft, at: StationTime, tariffVersions: readonly TariffVersion[]): FrozenTariff | undefined {
  if (!happenedBefore(draft, at, draft.now)) return draft.context.tariff
  const places = [draft.state.chargePointId, '']
  const inForce = places.flatMap(
    (place) => tariffVersions.find((one) => one.place === place && !happenedBefore(draft, at, one.since)) ?? [],
  )
  const first = places.flatMap((place) => tariffVersions.findLast((one) => one.place === place) ?? [])
  const found = (inForce.length > 0 ? inForce : first).find(({ rates }) => rates)
  return found?.rates && { tariffId: found.tariffId, version: found.version, ...found.rates }
}
