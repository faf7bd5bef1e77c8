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

/** An entry of a NotifyEvent: the power of EVSE 1 as a monitor saw it. */
export function anEvent(eventId: number, more: object = {}) {
  return {
    eventId,
    timestamp: '2026-11-21T12:00:00Z',
    trigger: 'Alerting',
    actualValue: '90',
    eventNotificationType: 'CustomMonitor',
    component: { name: 'EVSE', evse: { id: 1 } },
    variable: { name: 'Power' },
    ...more,
  }
}

/** Of these entries. */
export function notifyEvent(eventData: readonly object[]) {
  return { generatedAt: '2026-11-21T12:00:00Z', seqNo: 0, eventData }
}

/** Of OCPP 1.6, of connector 1: its register. */
export function meterValues(transactionId: number, atMs: number, wattHours: number) {
  const meterValue = [{ timestamp: new Date(atMs).toISOString(), sampledValue: [{ value: String(wattHours) }] }]
  return { connectorId: 1, transactionId, meterValue }
}
