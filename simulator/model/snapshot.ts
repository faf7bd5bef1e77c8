/** An outlet as it is shown to whoever drives the station. */
import type { ConnectorSnapshot } from '../station.ts'
import type { Outlet } from './connector.ts'

export function snapshotOf(outlet: Outlet): ConnectorSnapshot {
  const reading = outlet.meter.reading()
  const transaction = outlet.transaction
  return {
    connectorId: outlet.connectorId,
    status: outlet.status,
    plugged: outlet.plugged,
    ...(outlet.fault && { fault: outlet.fault }),
    reading,
    ...(transaction && {
      transaction: {
        ...(transaction.transactionId !== undefined && { transactionId: transaction.transactionId }),
        energyWh: Math.floor(reading.registerWh) - Math.floor(transaction.meterStartWh),
        idToken: transaction.idToken.id,
      },
    }),
  }
}
