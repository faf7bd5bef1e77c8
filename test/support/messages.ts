/** Messages of stations, complete but small: a test names the members that it is about. */

/** Of OCPP 2.0.1, of connector 1 of EVSE 1. */
export function transactionEvent(eventType: string, seqNo: number, atMs: number, more: object = {}) {
  return {
    eventType,
    seqNo,
    timestamp: new Date(atMs).toISOString(),
    triggerReason: 'Authorized',
    evse: { id: 1, connectorId: 1 },
    transactionInfo: { transactionId: 'T-1', chargingState: 'Charging' },
    ...more,
  }
}

/** Of OCPP 1.6, of connector 1: its register. */
export function meterValues(transactionId: number, atMs: number, wattHours: number) {
  const meterValue = [{ timestamp: new Date(atMs).toISOString(), sampledValue: [{ value: String(wattHours) }] }]
  return { connectorId: 1, transactionId, meterValue }
}
