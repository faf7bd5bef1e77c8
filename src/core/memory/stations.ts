/**
 * The charge points in memory, and what decisions look up: loaded on first need, refreshed when another process or the
 * API changed a registration or a token, dropped when a commit failed.
 */

import type { IdToken, Session, Transaction } from '../../ports/sessions.ts'
import type { CoreStore } from '../../ports/storage.ts'
import type { Lookups, Mention } from '../../sessions/decision.ts'
import { sameToken } from '../../sessions/orders/authorise.ts'
import { keyOf, missingKey } from '../../sessions/transactions/reused-number.ts'
import { Station, StationState } from './station.ts'

/**
 * Tokens kept per process, in characters of their ids: 50,000, a fleet's daily users, about 20 MB. A hostile station
 * can invent ids, and long ones.
 */
const TOKENS_KEPT = { characters: 2_000_000, leastEach: 40 }
/**
 * Reserved at once: each start of the process skips what is left of a block, so numbers are never reused (SESSION-A3).
 */
const NUMBER_BLOCK = 10_000
/**
 * Who sends RequestStartTransaction as a plain command numbers it, mostly from 1. Ours begin far above: with a number
 * of ours another driver's charge would become the session of a remote start that waits (SESSION-O7).
 */
const REMOTE_STARTS_FROM = 2 ** 30

export class Stations {
  readonly #store: CoreStore
  readonly #loaded: (station: Station) => void
  readonly #byId = new Map<string, Station>()
  /** By account. */
  readonly #tokens = new Map<string, KnownTokens>()
  #tokenCharacters = 0
  /** Deleted in a moment: whatever comes for them comes too late. */
  readonly #leaving = new Set<string>()
  #epoch = 0
  #registrationsVersion: number
  #numbers = { next: 1, end: 1 }
  #remoteStartIds = { next: 1, end: 1 }

  /** @param loaded told of each charge point that was not in memory before */
  constructor(store: CoreStore, loaded: (station: Station) => void = () => undefined) {
    this.#store = store
    this.#loaded = loaded
    this.#registrationsVersion = store.registrationsVersion()
  }

  all(): Iterable<Station> {
    return this.#byId.values()
  }

  known(id: string): Station | undefined {
    return this.#byId.get(id)
  }

  /** In memory, complete and up to date. */
  current(id: string): Station | undefined {
    const station = this.#byId.get(id)
    return station?.state && station.epoch === this.#epoch ? station : undefined
  }

  /**
   * Before a group: somebody else may have changed registrations or tokens, then they must be read again. Too many
   * tokens are forgotten here as well, since within a group those of its first messages would be missing at their turn.
   */
  noticeNewRegistrations(): void {
    if (this.#tokenCharacters > TOKENS_KEPT.characters) this.forgetTokens()
    const version = this.#store.registrationsVersion()
    if (version === this.#registrationsVersion) return
    this.#registrationsVersion = version
    this.registrationsChanged()
  }

  registrationsChanged(): void {
    this.#epoch++
    this.forgetTokens()
  }

  /** Some that were decided upon may not have been stored. */
  forgetTokens(): void {
    this.#tokens.clear()
    this.#tokenCharacters = 0
  }

  /** Reads the charge point; undefined when it does not exist (any more). */
  async load(id: string): Promise<Station | undefined> {
    const epoch = this.#epoch
    if (this.#leaving.has(id)) return undefined
    const loaded = await this.#store.loadChargePoint(id)
    const known = this.#byId.get(id)
    if (!loaded) {
      this.#byId.delete(id)
      return undefined
    }
    if (!known) {
      const station = new Station(loaded, epoch)
      this.#byId.set(id, station)
      this.#loaded(station)
      return station
    }
    known.register(loaded)
    known.state ??= new StationState(loaded)
    known.epoch = epoch
    return known
  }

  /** From now on as if it did not exist; messages that were queued before are told so as well. */
  beginLeaving(id: string): void {
    const station = this.#byId.get(id)
    if (station) station.state = undefined
    this.#leaving.add(id)
  }

  /** The charge point was deleted, or could not be: then it is as it was, with its connection. */
  finishLeaving(id: string, isDeleted: boolean): void {
    this.#leaving.delete(id)
    if (isDeleted) this.#byId.delete(id)
  }

  missing(station: Station, lookups: Lookups): boolean {
    const { state } = station
    if (!state) return true
    const tokens = this.#tokens.get(state.accountId)
    return (
      lookups.startKeys.length > 0 ||
      lookups.transactionIds.some((id) => missingKey(state.transactions, id, lookups.mention) !== undefined) ||
      wantsOtherwise(state, lookups) ||
      wantsNewest(state, lookups) ||
      wantsRemoteStart(state, lookups) ||
      lookups.sessionIds.some((id) => !state.sessions.has(id)) ||
      lookups.idTokens.some((id) => !tokens?.has(id.toLowerCase()))
    )
  }

  async loadLookups(station: Station, lookups: Lookups): Promise<void> {
    const state = station.state
    if (!state) return
    for (const id of lookups.transactionIds) await this.#loadNumber(state, id, lookups.mention)
    if (wantsOtherwise(state, lookups)) {
      for (const transactionId of lookups.otherwise) await this.#loadTransaction(state, { transactionId })
    }
    if (lookups.newestAt !== undefined && wantsNewest(state, lookups)) {
      const found = await this.#store.findNewestTransactions(station.id, lookups.newestAt)
      for (const { transaction, session } of found) remember(state, transaction, session)
    }
    if (lookups.remoteStart && wantsRemoteStart(state, lookups)) {
      const session = await this.#store.findOverdueStart(station.id, lookups.remoteStart)
      if (session) state.sessions.set(session.id, session)
    }
    for (const startKey of lookups.startKeys) {
      if (!hasStartKey(state.transactions.values(), startKey)) await this.#loadTransaction(state, { startKey })
    }
    for (const id of lookups.sessionIds) {
      if (state.sessions.has(id)) continue
      const session = await this.#store.findSession(id)
      if (session?.chargePointId === station.id) state.sessions.set(id, session)
    }
    await this.#loadTokens(state.accountId, lookups.idTokens)
  }

  /** Tokens in memory, by lower-case id; `decide` gets this view. */
  tokens(accountId: string): ReadonlyMap<string, IdToken> {
    return this.#accountTokens(accountId).found
  }

  rememberTokens(accountId: string, tokens: readonly IdToken[]): void {
    const known = this.#accountTokens(accountId)
    for (const token of tokens) known.remember(token.id, token)
  }

  /** Makes sure that `count` transaction numbers can be taken without waiting. */
  async reserveNumbers(count: number): Promise<void> {
    if (this.#numbers.end - this.#numbers.next >= count) return
    const next = await this.#store.reserveNumbers('transaction', NUMBER_BLOCK)
    this.#numbers = { next, end: next + NUMBER_BLOCK }
  }

  nextTransactionId(): string {
    return String(this.#numbers.next++)
  }

  async nextRemoteStartId(): Promise<number> {
    if (this.#remoteStartIds.next === this.#remoteStartIds.end) {
      const next = await this.#store.reserveNumbers('remoteStart', NUMBER_BLOCK)
      this.#remoteStartIds = { next, end: next + NUMBER_BLOCK }
    }
    return REMOTE_STARTS_FROM + this.#remoteStartIds.next++
  }

  /** Of those that had this number the one that is meant; the way there leads over the ones that came after it. */
  async #loadNumber(state: StationState, number: string, mention: Mention | undefined): Promise<void> {
    for (;;) {
      const transactionId = missingKey(state.transactions, number, mention)
      if (transactionId === undefined) return
      await this.#loadTransaction(state, { transactionId })
      if (!state.transactions.has(transactionId)) return
    }
  }

  async #loadTransaction(
    state: StationState,
    by: { readonly transactionId: string } | { readonly startKey: string },
  ): Promise<void> {
    const found = await this.#store.findTransaction(state.chargePointId, by)
    if (found) remember(state, found.transaction, found.session)
  }

  async #loadTokens(accountId: string, ids: readonly string[]): Promise<void> {
    const known = this.#accountTokens(accountId)
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !known.has(id))
    if (wanted.length === 0) return
    const found = await this.#store.loadIdTokens(accountId, wanted)
    for (const id of wanted) known.remember(id, undefined)
    for (const token of found) known.remember(token.id, token)
    for (const id of wanted) this.#tokenCharacters += Math.max(id.length, TOKENS_KEPT.leastEach)
  }

  #accountTokens(accountId: string): KnownTokens {
    const known = this.#tokens.get(accountId)
    if (known) return known
    const fresh = new KnownTokens()
    this.#tokens.set(accountId, fresh)
    return fresh
  }
}

/** Tokens of one account by lower-case id, and the ids that were looked up in vain. */
class KnownTokens {
  readonly found = new Map<string, IdToken>()
  readonly #absent = new Set<string>()

  has(lowerCaseId: string): boolean {
    return this.found.has(lowerCaseId) || this.#absent.has(lowerCaseId)
  }

  remember(id: string, token: IdToken | undefined): void {
    const key = id.toLowerCase()
    if (token) {
      this.#absent.delete(key)
      this.found.set(key, token)
    } else this.#absent.add(key)
  }
}

function wantsOtherwise({ transactions }: StationState, { transactionIds, mention, otherwise }: Lookups): boolean {
  const isKnown = (id: string): boolean => transactions.has(keyOf(transactions, id, mention) ?? '')
  return !transactionIds.some(isKnown) && otherwise.some((id) => !transactions.has(id))
}

/** SESSION-A16: the stop names nothing that is known, nor was it here before. */
function wantsNewest({ transactions }: StationState, lookups: Lookups): boolean {
  const { transactionIds, mention, otherwise, newestAt } = lookups
  const isKnown = (id: string): boolean => transactions.has(keyOf(transactions, id, mention) ?? '')
  return newestAt !== undefined && !transactionIds.some(isKnown) && !otherwise.some((id) => transactions.has(id))
}

/** What is in memory is newer than what was read. */
function remember({ transactions, sessions }: StationState, transaction: Transaction, session: Session): void {
  if (transactions.has(transaction.transactionId)) return
  if (!sessions.has(session.id)) sessions.set(session.id, session)
  transactions.set(transaction.transactionId, transaction)
}

function wantsRemoteStart({ sessions }: StationState, { remoteStart: sign }: Lookups): boolean {
  if (!sign) return false
  for (const { remoteStart } of sessions.values()) {
    if (!remoteStart) continue
    const known =
      'remoteStartId' in sign
        ? remoteStart.remoteStartId === sign.remoteStartId
        : sameToken(remoteStart.virtualIdToken, sign.virtualIdToken)
    if (known) return false
  }
  return true
}

function hasStartKey(transactions: Iterable<Transaction>, startKey: string): boolean {
  for (const transaction of transactions) if (transaction.startKey === startKey) return true
  return false
}
