/** What tests of flushes share: charge points of which each message shows, and a flush that goes on when told to. */

import { copyFileSync } from 'node:fs'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Sample, Session, Transaction } from '../../../../../src/domain/ports/sessions.ts'
import type { EnergySlot } from '../../../../../src/domain/ports/storage-queries.ts'
import type { ChangeSet } from '../../../../../src/domain/ports/storage-records.ts'
import type { FileReadingSide, FileWritingSide } from '../../../../../src/storage/database.ts'
import { openSqlite, openSqliteReader } from '../../../../../src/storage/sqlite/writer.ts'
import {
  aChargePoint,
  aCommand,
  anEvent,
  aSession,
  aTransaction,
  changeSet,
  NOW,
} from '../../../storage-contract/records.ts'
import { loadChargePoint, temporaryDatabase } from '../../testing.ts'

export const CHARGE_POINTS = ['CP1', 'CP2', 'CP3']
const QUARTER = 900_000
const BEGAN = Math.floor(NOW / QUARTER) * QUARTER

/** So fast that each part is one step: an account's events, a charge point's search entries, a session, the rest. */
export function oneByOne(): () => number {
  let now = 0
  return () => {
    now += 10
    return now
  }
}

/** Lets a test say when a flush goes on. */
export function pauses() {
  const paused: (() => void)[] = []
  return {
    between: () => new Promise<void>((resolve) => paused.push(resolve)),
    /** Runs the next part of the flush, if one waits for it. */
    async goOn(): Promise<void> {
      paused.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
    count: () => paused.length,
  }
}

export async function withChargePoints(path: string): Promise<FileWritingSide> {
  const server = openSqlite(path, oneByOne())
  await server.writes.createAccount({ id: 'A', name: 'A', createdAt: 0 })
  for (const id of CHARGE_POINTS) await server.writes.createChargePoint(aChargePoint({ id }))
  return server
}

/** The files of a database as a killed process leaves them. */
export function copyFiles(path: string, to: string): string {
  for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${to}${ending}`)
  return to
}

/** A server's side of a database of its own, for each test. */
export function flushing() {
  let place: ReturnType<typeof temporaryDatabase>
  let server: FileWritingSide
  let copies = 0
  beforeEach(async () => {
    place = temporaryDatabase()
    server = await withChargePoints(place.path)
  })
  afterEach(() => {
    server.close()
    place.remove()
  })
  /** For one more database. */
  const nextPath = (): string => `${place.path}.${copies++}`
  return {
    get server() {
      return server
    },
    get path() {
      return place.path
    },
    nextPath,
    killed: () => copyFiles(place.path, nextPath()),
  }
}

const sample = (n: number): Sample => ({
  at: { occurredAt: NOW + n, receivedAt: NOW + n },
  value: String(n),
  measurand: 'Energy.Active.Import.Register',
  context: 'Sample.Periodic',
  location: 'Outlet',
  unit: 'Wh',
  multiplier: 0,
})

interface Charger {
  readonly transaction: Transaction
  readonly session: Session
  /** Of each quarter of an hour, in which there is one message. */
  readonly gains: readonly number[]
}

/**
 * What a charge point says: each message adds to the end of a list, causes an event, and adds energy that no other one
 * gained, so that a change applied twice or never shows.
 */
export function chargers() {
  let last = 0
  const newest = new Map<string, Charger>()
  const message = (chargePointId: string): ChangeSet => {
    const n = ++last
    const before = newest.get(chargePointId)
    const earlier = (before?.transaction.meter as { readonly samples: Sample[] } | undefined)?.samples ?? []
    const gains = [...(before?.gains ?? []), n]
    const energyMilliWh = gains.reduce((sum, gain) => sum + gain, 0)
    const ids = { chargePointId, sessionId: `S-${chargePointId}` }
    const register = [[BEGAN + gains.length * QUARTER, 0, energyMilliWh]]
    const meter = { samples: [...earlier, sample(n)], register }
    const transaction = aTransaction({ ...ids, lastSignOfLifeAt: n, meter })
    const id = ids.sessionId
    const charging = { transactionId: '1', startedAt: BEGAN, energyMilliWh }
    const session = aSession({ id, chargePointId, state: 'charging', version: n, ...charging })
    newest.set(chargePointId, { transaction, session, gains })
    const command = aCommand(n, { chargePointId })
    const event = anEvent({ id: eventId(n), subject: id, chargePointId, time: NOW + n, data: `{"n":${n}}` })
    return changeSet({ chargePointId, command, transactions: [transaction], sessions: [session], events: [event] })
  }
  return { newest, message }
}

const eventId = (n: number): string => `E${n}`

/** The events of so many messages, in the order of the feed. */
export function expectedEvents(messages: number): readonly string[] {
  return Array.from({ length: messages }, (_, at) => eventId(at + 1))
}

export async function eventsIn(reads: Pick<FileReadingSide, 'listEvents'>): Promise<readonly string[]> {
  const found = await reads.listEvents({ accountId: 'A', type: 'session.updated', limit: 10_000 })
  return found === 'unknown' ? [] : found.map(({ id }) => id)
}

/** What was delivered when, by all of them. */
function energyOf(newest: ReadonlyMap<string, Charger>): readonly EnergySlot[] {
  const slots: EnergySlot[] = []
  for (const { gains } of newest.values()) {
    gains.forEach((gain, slot) => {
      slots[slot] = { from: BEGAN + slot * QUARTER, milliWh: (slots[slot]?.milliWh ?? 0) + gain }
    })
  }
  return slots
}

export async function expectAll(path: string, newest: ReturnType<typeof chargers>['newest']): Promise<void> {
  const next = openSqlite(path)
  const reader = openSqliteReader(path)
  try {
    expect(reader.behind()).toBe(false)
    expect(await reader.listEnergy('A', 0, BEGAN + 1_000 * QUARTER)).toEqual(energyOf(newest))
    const messages = [...newest.values()].reduce((sum, { gains }) => sum + gains.length, 0)
    expect(await eventsIn(reader)).toEqual(expectedEvents(messages))
    for (const [chargePointId, { transaction, session, gains }] of newest) {
      const loaded = await loadChargePoint(next.core, chargePointId)
      expect(loaded?.transactions).toEqual([transaction])
      expect(loaded?.sessions).toEqual([session])
      const window = { fromId: 0, toId: Number.MAX_SAFE_INTEGER, limit: 500 }
      const found = await reader.searchCommands({ chargePointId, ...window, filter: {} })
      expect(found).toHaveLength(gains.length)
    }
  } finally {
    reader.close()
    next.close()
  }
}
