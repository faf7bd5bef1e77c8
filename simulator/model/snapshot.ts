import type { ConnectorSnapshot } from '../station.ts'
import { gridPhases, type Outlet } from './connector.ts'
import type { Reading } from './meter.ts'

export function snapshotOf(outlet: Outlet, qrCode?: string): ConnectorSnapshot {
  const reading = outlet.meter.reading()
  const transaction = outlet.transaction
  return {
    connectorId: outlet.connectorId,
    status: outlet.status,
    plugged: outlet.plugged,
    fault: outlet.fault,
    reading,
    gridCurrentA: gridCurrent(outlet, reading),
    ...(qrCode !== undefined && { qrCode }),
    ...(transaction && {
      transaction: {
        transactionId: transaction.transactionId,
        energyWh: Math.floor(reading.registerWh) - Math.floor(transaction.meterStartWh),
        idToken: transaction.idToken.id,
        cost: transaction.cost,
        ...(transaction.limitReached && { limitReached: transaction.limitReached }),
      },
    }),
  }
}

function gridCurrent({ meter, phaseRotation }: Outlet, { currentA, powerW }: Reading): readonly number[] {
  if (meter.phases === 0) return [0, 1, 2].map(() => powerW / 3 / meter.most.voltage)
  const wires = gridPhases(phaseRotation, { phases: 3, firstPhase: 0 })
  return [0, 1, 2].map((phase) => currentA[wires.indexOf(phase)] ?? 0)
}
