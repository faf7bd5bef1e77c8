/** A person at the station: cable or card first, and the card once more to end the charge. */
import type { ChargePoint } from '../charge-point.ts'
import type { ChargingNeeds } from './connector.ts'
import type { Token } from './facts.ts'
import type { Vehicle } from './meter.ts'

export interface Arrival {
  readonly socPercent?: number
  readonly vehicle?: Vehicle
  readonly needs?: ChargingNeeds
}

/** `waiting`: the card is good and the station waits for the cable. */
export type SwipeOutcome = 'started' | 'stopped' | 'waiting' | 'refused'

export type Person = ReturnType<typeof createPerson>

interface PersonContext {
  readonly chargePoint: ChargePoint
  /** Simulated; a card waits so long for its cable. */
  readonly after: (ms: number, run: () => void) => () => void
}

export function createPerson({ chargePoint, after }: PersonContext) {
  const authorised = new Map<number, { readonly idToken: Token; readonly forget: () => void }>()
  let refusal: string | undefined
  const connectorOf = (connectorId: number) => {
    const found = chargePoint.snapshot().connectors.find((connector) => connector.connectorId === connectorId)
    if (!found) throw new Error(`this station has no connector ${connectorId}`)
    return found
  }
  const begin = async (connectorId: number, idToken: Token): Promise<SwipeOutcome> => {
    if (isReserved(connectorId, idToken)) return 'refused'
    await chargePoint.start(connectorId, { idToken })
    if (connectorOf(connectorId).transaction) return 'started'
    refusal = 'refused with the start'
    return 'refused'
  }
  const isGood = async (idToken: Token): Promise<boolean> => {
    const status = await chargePoint.authorise(idToken)
    refusal = status === undefined || status === 'Accepted' ? undefined : status
    return refusal === undefined
  }
  const isReserved = (connectorId: number, idToken: Token): boolean => {
    if (!chargePoint.isReservedFromOthers(connectorId, idToken)) return false
    refusal = 'the connector is reserved for another card'
    return true
  }
  return {
    /** Of the last card. */
    get refusal() {
      return refusal
    },
    async plug(connectorId: number, arrival: Arrival = {}): Promise<void> {
      await chargePoint.plug(connectorId, arrival.socPercent, arrival.vehicle, arrival.needs)
      const waiting = authorised.get(connectorId)
      authorised.delete(connectorId)
      waiting?.forget()
      if (waiting) await begin(connectorId, waiting.idToken)
    },
    async swipe(connectorId: number, idToken: Token): Promise<SwipeOutcome> {
      const { transaction, plugged } = connectorOf(connectorId)
      if (transaction) {
        const isOwn = transaction.idToken.toLowerCase() === idToken.id.toLowerCase()
        if (!isOwn && !(await isGood(idToken))) return 'refused'
        if (!isOwn) {
          refusal = 'another card started this charge'
          return 'refused'
        }
        await chargePoint.stop(connectorId, 'Local')
        return 'stopped'
      }
      if (!(await isGood(idToken)) || isReserved(connectorId, idToken)) return 'refused'
      if (plugged) return begin(connectorId, idToken)
      const forget = after(chargePoint.connectionTimeoutSeconds * 1000, () => void authorised.delete(connectorId))
      authorised.set(connectorId, { idToken, forget })
      return 'waiting'
    },
  }
}
