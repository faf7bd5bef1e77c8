/** A charge point in memory for tests: gives inputs to `decide`, applies changes and refuses what must never happen. */

import { decide, lookups, nextWake } from '../../../src/domain/blocks/decide.ts'
import type { DataTransferAnswer } from '../../../src/domain/data-transfers/records.ts'
import { isoTime } from '../../../src/domain/iso-time.ts'
import type { IdToken } from '../../../src/domain/ports/id-tokens.ts'
import type {
  ChargePointState,
  Connector,
  FrozenTariff,
  RemoteStartSign,
  Session,
  SessionState,
  StationTime,
  Transaction,
} from '../../../src/domain/ports/sessions.ts'
import { NO_RECORDS, RecordsOfChargePoint } from '../../../src/domain/records/records.ts'
import type { Decision, DecisionContext, Input, SessionSettings } from '../../../src/domain/sessions/decision.ts'
import { representSession } from '../../../src/domain/sessions/figures/representation.ts'
import { followsFromRow } from '../../../src/domain/sessions/follows.ts'
import { sameToken } from '../../../src/domain/sessions/orders/authorise.ts'
import { connectorKey } from '../../../src/domain/sessions/records.ts'
import { isTerminal } from '../../../src/domain/sessions/states/transition.ts'

/** 1 August 2026, 10:00 UTC: the zero of every test's minutes. */
export const ZERO = Date.UTC(2026, 7, 1, 10)
export const MINUTE = 60_000

export const SETTINGS: SessionSettings = {
  remoteStartTimeoutMs: 10 * MINUTE,
  orphanTimeoutMs: 15 * MINUTE,
  voltage: 230,
  timeZone: 'UTC',
  silenceTimeoutMs: 48 * 60 * MINUTE,
  refuseConcurrentTransactions: false,
}

export const TARIFF: FrozenTariff = {
  tariffId: 'tariff',
  version: 1,
  currency: 'EUR',
  perKwhMicros: 500_000,
  perMinuteMicros: 10_000,
  perSessionMicros: 1_000_000,
  idlePerMinuteMicros: 100_000,
}

export interface DriverOptions {
  readonly settings?: Partial<SessionSettings>
  readonly tariff?: FrozenTariff
  readonly places?: DecisionContext['places']
  readonly automaticSettlement?: true
  readonly unknownIdTokens?: DecisionContext['unknownIdTokens']
  readonly idTokens?: readonly Partial<IdToken>[]
  readonly isUsedUp?: DecisionContext['isUsedUp']
  readonly partnerTokens?: DecisionContext['partnerTokens']
  readonly registrationStatus?: ChargePointState['registrationStatus']
  /** Decisions see nothing but open transactions, sessions that have not ended, and what `lookups` named. */
  readonly forgetful?: boolean
  /** Instead of rising ones. */
  readonly nextNumber?: () => string
}

interface Transition {
  readonly sessionId: string
  readonly from: SessionState | undefined
  readonly to: SessionState
}

export class Driver {
  now = ZERO
  /** Of the message that is decided next. */
  commandId: number | undefined
  readonly transferAnswers = new Map<string, DataTransferAnswer>()
  status: ChargePointState['status'] = {}
  registrationStatus: ChargePointState['registrationStatus']
  readonly connectors = new Map<string, Connector>()
  readonly transactions = new Map<string, Transaction>()
  readonly sessionsById = new Map<string, Session>()
  readonly records = new RecordsOfChargePoint()
  readonly idTokens = new Map<string, IdToken>()
  readonly transitions: Transition[] = []
  readonly settings: SessionSettings
  readonly #options: DriverOptions
  #numbers = 100
  #ids = 0

  /** @param first what comes at zero */
  constructor(options: DriverOptions = {}, ...first: readonly Input[]) {
    this.#options = options
    this.settings = { ...SETTINGS, ...options.settings }
    this.registrationStatus = options.registrationStatus ?? 'Accepted'
    for (const token of options.idTokens ?? []) this.#rememberToken({ ...TOKEN, ...token })
    for (const input of first) this.send(input)
  }

  send(input: Input): Decision {
    const state = this.#visibleState(input)
    const decision = decide(state, input, this.#context())
    if (followsFromRow(state, input, decision)) this.#checkAgain(state, input, decision)
    this.#apply(state, decision)
    return decision
  }

  /** As `send`, at minutes after zero. */
  sendAt(minutes: number, input: Input): Decision {
    this.now = ZERO + minutes * MINUTE
    return this.send(input)
  }

  /** As `sendAt`, one after the other. */
  sendEach(inputs: readonly Input[], from: number, everyMinutes = 1): this {
    for (const [index, input] of inputs.entries()) this.sendAt(from + index * everyMinutes, input)
    return this
  }

  get sessions(): readonly Session[] {
    return [...this.sessionsById.values()]
  }

  /** The only session, or the one with this index in order of creation. */
  session(index = 0): Session {
    const session = this.sessions[index]
    if (!session) throw new Error(`There is no session ${index}.`)
    return session
  }

  transaction(index = 0): Transaction {
    const transaction = [...this.transactions.values()][index]
    if (!transaction) throw new Error(`There is no transaction ${index}.`)
    return transaction
  }

  /** Minutes after zero, or undefined. */
  get nextWakeMinutes(): number | undefined {
    const wake = nextWake(this.#visibleState({ kind: 'tick' }), this.settings)
    return wake === undefined ? undefined : (wake - ZERO) / MINUTE
  }

  #context(): DecisionContext {
    const {
      tariff,
      automaticSettlement,
      unknownIdTokens = 'reject',
      nextNumber,
      isUsedUp,
      partnerTokens,
      places,
    } = this.#options
    return {
      now: this.now,
      nextTransactionId: nextNumber ?? (() => String(this.#numbers++)),
      newSessionId: () => `session-${++this.#ids}`,
      idTokens: this.idTokens,
      commandId: this.commandId,
      transferAnswer: (vendorId) => this.transferAnswers.get(vendorId),
      unknownIdTokens,
      isUsedUp,
      partnerTokens,
      tariff,
      places,
      automaticSettlement,
      settings: this.settings,
    }
  }

  #visibleState(input: Input): ChargePointState {
    const named = lookups(input)
    const known = named.transactionIds.some((id) => this.transactions.has(id))
    const isNew = !known && !named.otherwise.some((id) => this.transactions.has(id))
    const transactionIds = [
      ...named.transactionIds.flatMap((id) => this.#ofNumber(id)),
      ...(known ? [] : named.otherwise),
      ...(isNew && named.newestAt !== undefined ? this.#newestAt(named.newestAt) : []),
    ]
    const transactions = new Map<string, Transaction>()
    for (const [id, transaction] of this.transactions) {
      const startKeyNamed = transaction.startKey !== undefined && named.startKeys.includes(transaction.startKey)
      const visible = !this.#options.forgetful || transaction.open || startKeyNamed || transactionIds.includes(id)
      if (visible) transactions.set(id, transaction)
    }
    const shown = new Set([...transactions.values()].map(({ sessionId }) => sessionId))
    const sessions = new Map<string, Session>()
    for (const [id, session] of this.sessionsById) {
      const over = isTerminal(session.state) && session.settlementDueAt === undefined
      const visible = !this.#options.forgetful || !over || shown.has(id)
      const asked = named.sessionIds.includes(id) || startedBy(session, named.remoteStart)
      if (visible || asked) sessions.set(id, session)
    }
    return {
      chargePointId: 'CP1',
      accountId: 'account',
      registrationStatus: this.registrationStatus,
      status: this.status,
      connectors: this.connectors,
      transactions,
      sessions,
      records: this.records,
    }
  }

  /** What has this number, and what had it before. */
  #ofNumber(transactionId: string): readonly string[] {
    const earlier = this.transactions.get(transactionId)?.earlier
    return [transactionId, ...(earlier ? this.#ofNumber(earlier.transactionId) : [])]
  }

  /** Of each outlet the closed ones that began last before this time, or at it. */
  #newestAt(at: number): readonly string[] {
    const begun = [...this.transactions.values()].filter(({ open, startedAt }) => !open && startedAt.occurredAt <= at)
    const isFollowed = (one: Transaction): boolean =>
      begun.some(({ startedAt, evseId, connectorId }) => {
        const isLater = startedAt.occurredAt > one.startedAt.occurredAt && startedAt.occurredAt < at
        return isLater && (evseId ?? connectorId) === (one.evseId ?? one.connectorId)
      })
    return begun.filter((one) => !isFollowed(one)).map(({ transactionId }) => transactionId)
  }

  #apply(state: ChargePointState, { changes }: Decision): void {
    if (changes.status) this.status = changes.status
    for (const connector of changes.connectors ?? []) {
      this.connectors.set(connectorKey(connector.evseId, connector.connectorId), connector)
    }
    for (const transaction of changes.transactions ?? []) {
      this.transactions.set(transaction.transactionId, transaction)
    }
    this.records.apply(changes.records ?? [])
    for (const token of changes.idTokens ?? []) this.#rememberToken(token)
    for (const session of changes.sessions ?? []) {
      const known = this.sessionsById.get(session.id)
      if (known && !state.sessions.has(session.id))
        throw new Error(`${session.id} was changed without being looked up.`)
      this.#check(known, session)
      this.sessionsById.set(session.id, session)
    }
  }

  /** STORE-J6: the same on the documents that it changes alone, and where more than these are known. */
  #checkAgain(state: ChargePointState, input: Input, { changes }: Decision): void {
    const { connectors = [], transactions = [], sessions = [] } = changes
    const changed = {
      connectors: only(state.connectors, new Set(connectors.map((one) => connectorKey(one.evseId, one.connectorId)))),
      transactions: only(state.transactions, new Set(transactions.map(({ transactionId }) => transactionId))),
      sessions: only(state.sessions, new Set(sessions.map(({ id }) => id))),
    }
    const context = { now: this.now, commandId: this.commandId, settings: this.settings, ...NOTHING_TO_READ }
    for (const held of [changed, {}]) {
      const again = decide({ ...state, ...held, records: NO_RECORDS }, input, context).changes
      for (const name of ['connectors', 'transactions', 'sessions', 'records'] as const) {
        if (changes[name] === undefined || JSON.stringify(changes[name]) === JSON.stringify(again[name])) continue
        throw new Error(`Decided again, ${input.kind} changes its ${name} to ${JSON.stringify(again[name])}.`)
      }
    }
  }

  #check(before: Session | undefined, after: Session): void {
    const differs = JSON.stringify(before && representSession(before)) !== JSON.stringify(representSession(after))
    const version = before ? before.version + (differs ? 1 : 0) : 1
    if (after.version !== version) throw new Error(`${after.id} has version ${after.version} instead of ${version}.`)
    if (after.energyMilliWh < 0) throw new Error(`${after.id} has negative energy.`)
    const lowers = before && !isTerminal(after.state) && after.energyMilliWh < before.energyMilliWh
    if (lowers) throw new Error(`${after.id} loses energy while it runs.`)
    if (before?.state === after.state) return
    const isStopped = before?.state === 'finishing' && (before.stopRequestedAt ?? before.stopAcceptedAt) !== undefined
    if (before && (!LEGAL[before.state].includes(after.state) || (isStopped && !isTerminal(after.state)))) {
      throw new Error(`${after.id} went from ${before.state} to ${after.state}.`)
    }
    this.transitions.push({ sessionId: after.id, from: before?.state, to: after.state })
  }

  #rememberToken(token: IdToken): void {
    this.idTokens.set(token.id.toLowerCase(), token)
  }
}

function only<Value>(all: ReadonlyMap<string, Value>, keys: ReadonlySet<string>): ReadonlyMap<string, Value> {
  return new Map([...all].filter(([key]) => keys.has(key)))
}

const unread = (): never => {
  throw new Error('What follows from its row reads nothing else.')
}
const NOTHING_TO_READ = {
  nextTransactionId: unread,
  newSessionId: unread,
  idTokens: { get: unread } as unknown as DecisionContext['idTokens'],
  unknownIdTokens: 'reject',
} as const

function startedBy({ remoteStart }: Session, sign: RemoteStartSign | undefined): boolean {
  if (!remoteStart || !sign) return false
  return 'remoteStartId' in sign
    ? remoteStart.remoteStartId === sign.remoteStartId
    : sameToken(remoteStart.virtualIdToken, sign.virtualIdToken)
}

/** SESSION-S3, spelled out; what was stopped goes from finishing to an end only. */
const LEGAL: Readonly<Record<SessionState, readonly SessionState[]>> = {
  pending: ['charging', 'suspended', 'finishing', 'completed', 'failed'],
  charging: ['suspended', 'finishing', 'completed', 'failed'],
  suspended: ['charging', 'finishing', 'completed', 'failed'],
  finishing: ['charging', 'suspended', 'completed', 'failed'],
  completed: [],
  failed: [],
}

const TOKEN: IdToken = { accountId: 'account', id: 'CARD', type: 'ISO14443', status: 'Accepted', createdAt: ZERO }

/** Station time in minutes after zero. */
export function at(minutes: number): StationTime {
  const occurredAt = ZERO + minutes * MINUTE
  return { occurredAt, receivedAt: occurredAt, original: isoTime(occurredAt) }
}
