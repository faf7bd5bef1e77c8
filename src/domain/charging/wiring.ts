/** How an EVSE is wired. One connector is in use at a time, unknown before a car is there: any may be (GROUP-P1). */
import type { ConnectorWiring, Wiring } from './records.ts'

/** A connector that the charge point reports beside described ones counts as undescribed: any may be in use. */
export function withUndescribed(
  described: readonly ConnectorWiring[],
  reported: Iterable<Pick<ConnectorWiring, 'evseId' | 'connectorId'>>,
): readonly ConnectorWiring[] {
  const added = [...reported].filter(({ evseId, connectorId }) => {
    const here = evseId === undefined ? [] : connectorsOf(described, evseId)
    return here.length > 0 && !here.some((one) => one.connectorId === connectorId)
  })
  return [...described, ...added.map(({ evseId, connectorId }) => ({ evseId, connectorId }))]
}

/** Those of the EVSE that the account described; 1.6 has no EVSEs: the connector is one. */
export function connectorsOf(connectors: readonly ConnectorWiring[], evseId: number): readonly ConnectorWiring[] {
  return connectors.filter((one) => (one.evseId ?? one.connectorId) === evseId)
}

/** On so many phases it may draw: watts come to the fewest amperes on each. On three where it was not described. */
export function mostPhases(connectors: readonly ConnectorWiring[], evseId: number): number {
  const phases = connectorsOf(connectors, evseId).map((one) => one.phases ?? 3)
  return phases.length > 0 ? Math.max(...phases) : 3
}

export function mostAmps(connectors: readonly ConnectorWiring[], evseId: number): number {
  const reported = connectorsOf(connectors, evseId).map(({ maxAmps = UNKNOWN_AMPS }) => maxAmps)
  return reported.length > 0 ? Math.max(...reported) : UNKNOWN_AMPS
}

/** What the outlet gives in watts, of a voltage at its upper end; undefined where no amperes were described. */
export function ratedPowerW(wiring: Wiring, outlet: number | undefined, voltage: number): number | undefined {
  const here = outlet !== undefined ? connectorsOf(wiring.connectors, outlet) : []
  const powers = here.map(({ maxAmps, phases = 3 }) => (maxAmps ?? Number.NaN) * phases * voltage * 1.1)
  const most = powers.length > 0 ? Math.round(Math.max(...powers)) : Number.NaN
  return Number.isNaN(most) ? undefined : most
}

/** Of a connector without a description (GROUP-A3). */
const UNKNOWN_AMPS = 32

/** On so few: amperes come to the fewest watts, and watts to the most amperes. */
export function fewestPhases(connectors: readonly ConnectorWiring[], evseId: number): number {
  return Math.min(3, ...connectorsOf(connectors, evseId).map((one) => one.phases ?? 3))
}
