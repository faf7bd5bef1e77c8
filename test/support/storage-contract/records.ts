/** Records of every kind, complete but small. */

import { envelopeAround } from '../../../src/domain/events/emission.ts'
import { logIdAt } from '../../../src/domain/message-log/log-id.ts'
import type { IdToken } from '../../../src/domain/ports/id-tokens.ts'
import type { Session, Transaction } from '../../../src/domain/ports/sessions.ts'
import type { CoreStore } from '../../../src/domain/ports/storage.ts'
import type { ChangeSet, ChargePoint, Command, User } from '../../../src/domain/ports/storage-records.ts'
import type { EventRecord, NewEvent, Subscription } from '../../../src/domain/ports/storage-webhooks.ts'

export const NOW = Date.UTC(2026, 7, 1, 12)

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

export function aSubscription(change: Partial<Subscription> = {}): Subscription {
  return {
    id: 'wh',
    accountId: 'A',
    url: 'https://example.com/',
    events: ['session.updated'],
    updates: 'all',
    status: 'active',
    secrets: [],
    consecutiveFailures: 0,
    attemptsSinceSuccess: 0,
    createdAt: NOW,
    ...change,
  }
}

export function anEvent(change: Partial<NewEvent> = {}): NewEvent {
  const { subject = 'S1' } = change
  return {
    id: 'E1',
    accountId: 'A',
    type: 'session.updated',
    subject,
    orderKey: subject,
    coalesceKey: subject,
    chargePointId: 'CP1',
    kind: 'transition',
    time: NOW,
    data: '{}',
    causes: [1],
    ...change,
  }
}

/** As it is read back: what orders and replaces deliveries is theirs. */
export function recorded(event: NewEvent): EventRecord {
  const { orderKey: _orderKey, coalesceKey: _coalesceKey, data: _data, ...rest } = event
  return { ...rest, body: envelopeAround(event) }
}
