/** The session a transaction gets: the remote start that asked for it, or a new one. */

import { ratedPowerW } from '../../charging/wiring.ts'
import type { Session, StationTime } from '../../ports/sessions.ts'
import { tariffAt } from '../../tariffs/records.ts'
import type { Draft } from '../draft.ts'
import type { EvsePosition } from '../place.ts'
import { sessionRecord } from '../records.ts'
import { isTerminal } from '../states/transition.ts'

/**
 * Joins the transaction with its waiting remote start. One that expired meanwhile stays failed, and a new session
 * with the same reference takes its place (SESSION-S5). The tariff of its time is frozen here (COST-CO1, COST-L7).
 * @returns the session, not yet put into the draft.
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
