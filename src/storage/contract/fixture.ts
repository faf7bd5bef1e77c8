/** What the contract suite works with: a store per test, and records that are complete but small. */
import { afterEach, beforeEach } from 'vitest'
import { logIdAt } from '../../commands/log-id.ts'
import type { IdToken, Session, Transaction } from '../../sessions/model.ts'
import type { ChangeSet, ChargePoint, Command, CoreStore, Reads, User, Writes } from '../store.ts'

export interface OpenedStore {
  readonly core: CoreStore
  readonly writes: Writes
  readonly reads: Reads
  /** Belongs to the database and stays the same. */
  readonly salt: bigint
  readonly close: () => Promise<void>
}

export interface PlaceOfStore {
  readonly open: () => Promise<OpenedStore>
  readonly remove: () => void
}

export interface StoreFixture {
  /** The store of the running test, with accounts A and B in it. */
  readonly store: () => OpenedStore
  /** Closes it and opens it again, like a restart. */
  readonly reopen: () => Promise<OpenedStore>
}

export const NOW = Date.UTC(2026, 7, 1, 12)

export function storeFixture(place: () => PlaceOfStore): StoreFixture {
  let here: PlaceOfStore | undefined
  let opened: OpenedStore | undefined
  const current = (): OpenedStore => {
    if (!opened) throw new Error('The store is only there while a test runs.')
    return opened
  }
  beforeEach(async () => {
    here = place()
    opened = await here.open()
    await opened.writes.createAccount({ id: 'A', name: 'Account A', createdAt: NOW })
    await opened.writes.createAccount({ id: 'B', name: 'Account B', createdAt: NOW + 1 })
  })
  afterEach(async () => {
    await opened?.close()
    here?.remove()
  })
  return {
    store: current,
    reopen: async () => {
      await current().close()
      opened = await here?.open()
      return current()
    },
  }
}

export function aUser(change: Partial<User> = {}): User {
  return {
    id: 'U1',
    accountId: 'A',
    email: 'ada@example.com',
    role: 'member',
    passwordHash: '$x',
    createdAt: NOW,
    ...change,
  }
}

export function aChargePoint(change: Partial<ChargePoint> = {}): ChargePoint {
  return { id: 'CP1', accountId: 'A', securityProfile: 1, registrationStatus: 'Accepted', createdAt: NOW, ...change }
}

export function anIdToken(change: Partial<IdToken> = {}): IdToken {
  return { accountId: 'A', id: 'CARD1', type: 'ISO14443', status: 'Accepted', createdAt: NOW, ...change }
}

/** The n-th command of the log, one per millisecond. */
export function aCommand(n: number, change: Partial<Command> = {}): Command {
  return {
    id: logIdAt(NOW + n),
    chargePointId: 'CP1',
    direction: 'in',
    method: 'Heartbeat',
    messageId: `m${n}`,
    protocol: 'ocpp1.6',
    status: 'success',
    request: '{}',
    response: '{"currentTime":"2026-08-01T12:00:00.000Z"}',
    ...change,
  }
}

export function aSession(change: Partial<Session> = {}): Session {
  return {
    id: 'S1',
    accountId: 'A',
    chargePointId: 'CP1',
    state: 'charging',
    energyMilliWh: 0,
    createdAt: NOW,
    version: 1,
    flags: [],
    ...change,
  }
}

export function aTransaction(change: Partial<Transaction> = {}): Transaction {
  return {
    chargePointId: 'CP1',
    transactionId: '1',
    sessionId: 'S1',
    open: true,
    startedAt: { occurredAt: NOW, receivedAt: NOW },
    meter: { any: ['thing'] },
    lastSignOfLifeAt: NOW,
    authorised: true,
    flags: [],
    ...change,
  }
}

export function changeSet(change: Partial<ChangeSet>): ChangeSet {
  return { chargePointId: change.command?.chargePointId ?? 'CP1', ...change }
}

/** Commits commands one set each; they must all be stored. */
export async function store(core: CoreStore, commands: readonly Command[]): Promise<void> {
  const results = await core.commit(commands.map((command) => changeSet({ command })))
  const refused = results.find((result) => !result.ok)
  if (refused && !refused.ok) throw refused.error
}
