/**
 * Under which a charge point's connectors are kept: OCPP 1.6 names no EVSE, OCPP 2.0.1 counts connectors within one.
 */
export function connectorKey(evseId: number | undefined, connectorId: number): string {
  return `${evseId ?? ''}/${connectorId}`
}
