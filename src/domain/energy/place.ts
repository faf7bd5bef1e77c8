/** Where on the charge point something happened, whichever way the version counts its outlets. */

export interface EvsePosition {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

/** Only one transaction at a time may run on an outlet (E01.FR.14): 1.6 counts connectors, 2.0.1 EVSEs. */
export function sameOutlet(a: EvsePosition, b: EvsePosition): boolean {
  const outlet = a.evseId ?? a.connectorId
  return outlet !== undefined && outlet !== 0 && outlet === (b.evseId ?? b.connectorId)
}

/** The same outlet, and the same connector of it where both sides name theirs. */
export function samePlace(a: EvsePosition, b: EvsePosition): boolean {
  if (!sameOutlet(a, b)) return false
  if (a.evseId === undefined || b.evseId === undefined) return true
  return a.connectorId === undefined || b.connectorId === undefined || a.connectorId === b.connectorId
}
