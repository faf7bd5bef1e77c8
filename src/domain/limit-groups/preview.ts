/** The fullest that a connection can be, for whoever asks what its groups would come to (GROUP-H4). */
import type { Connection } from './plan.ts'

/** The same connection with a car at every EVSE that takes all it is given; one that charges stays what it is. */
export function allCharging(connection: Connection, now: number): Connection {
  const evses = connection.evses.map((evse) => {
    const { charge, maxAmps, chargePointId, evseId } = evse
    const id = `${chargePointId}/${evseId}`
    const full = { priority: 0, ...charge, id, startedAt: charge?.startedAt ?? now, wantAmps: maxAmps, isFull: false }
    return { ...evse, isOnline: true, charge: full }
  })
  return { ...connection, evses }
}
