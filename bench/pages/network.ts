/**
 * A network of thousands of stations beside a generated log: what they are, how they stand, and what was charged there.
 */
import type { Database } from 'better-sqlite3'
import type { Session } from '../../src/domain/ports/sessions.ts'
import { EnergySlots } from '../../src/storage/documents/energy-slots.ts'
import { documentWriters } from '../../src/storage/sqlite/journal/document-writers.ts'
import { chargePointId } from '../generate-rows.ts'

export interface NetworkShape {
  readonly accountId: string
  readonly chargePoints: number
  readonly sessions: number
  /** Of the sessions: so many still charge. */
  readonly charging: number
  /** The sessions end here, evenly before it. */
  readonly toMs: number
  readonly days: number
}

const DAY_MS = 86_400_000
const BATCH = 20_000
const VENDORS = ['Alfen', 'Kempower', 'Wallbe', 'ABL'] as const
const SITES = 100
const CARDS = 20_000

/** Stations have two connectors each; one in fifty is faulted. */
export function addStations(db: Database, { chargePoints, toMs }: NetworkShape): void {
  const writers = documentWriters(db)
  const label = db.prepare('UPDATE charge_points SET labels = ?, name = ? WHERE id = ?')
  db.transaction(() => {
    for (let number = 0; number < chargePoints; number++) {
      const id = chargePointId(number)
      const vendor = VENDORS[number % VENDORS.length] ?? VENDORS[0]
      label.run(JSON.stringify({ site: `site-${number % SITES}` }), `Station ${number}`, id)
      writers.status(id, {
        vendor,
        model: `Model ${number % 7}`,
        firmwareVersion: `1.${number % 12}.0`,
        serialNumber: `SN${number}`,
        bootedAt: toMs - DAY_MS,
        lastSeenAt: toMs - (number % 600) * 1000,
      })
      for (const connectorId of [1, 2]) {
        const faulted = number % 50 === 0 && connectorId === 2
        const rest = { connectorId, updatedAt: toMs - number * 1000 }
        writers.connector(
          id,
          faulted
            ? { ...rest, status: 'Faulted', errorCode: 'GroundFailure' }
            : { ...rest, status: number % 3 ? 'Available' : 'Charging' },
        )
      }
    }
  })()
}

export function addSessions(db: Database, shape: NetworkShape): void {
  const writers = documentWriters(db)
  const slots = new EnergySlots()
  const stepMs = (shape.days * DAY_MS) / shape.sessions
  const insert = db.transaction((from: number, to: number) => {
    for (let number = from; number < to; number++) {
      const session = sessionOf(shape, number, shape.toMs - (shape.sessions - number) * stepMs)
      writers.session(session, [{ at: session.stoppedAt ?? shape.toMs, milliWh: session.energyMilliWh }], 11e6, slots)
    }
  })
  for (let from = 0; from < shape.sessions; from += BATCH) insert(from, Math.min(from + BATCH, shape.sessions))
  writers.slots(slots)
}

function sessionOf({ accountId, chargePoints, sessions, charging }: NetworkShape, number: number, at: number): Session {
  const startedAt = Math.floor(at)
  const open = number >= sessions - charging
  const milliWh = 5_000_000 + (number % 40) * 1_000_000
  const ended = { stoppedAt: startedAt + 2_400_000, cost: { micros: milliWh * 0.4, currency: 'EUR' } }
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    accountId,
    chargePointId: chargePointId((number * 7) % chargePoints),
    state: open ? 'charging' : number % 200 ? 'completed' : 'failed',
    energyMilliWh: milliWh,
    startedAt,
    createdAt: startedAt,
    version: 3,
    transactionId: String(number),
    connectorId: 1 + (number % 2),
    idToken: `CARD${number % CARDS}`,
    ...(number % 10 === 0 && { externalReference: `order-${number}` }),
    ...(open ? {} : ended),
    flags: [],
  }
}
