/** Charge points in memory, and look-ups of decisions: loaded on first need, refreshed or dropped when outdated. */

import { type DataTransferAnswer, vendorKey } from '../../domain/data-transfers/records.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { LoadedChargePoint, Lookup } from '../../domain/ports/storage-records.ts'
import type { Lookups } from '../../domain/sessions/decision.ts'
import { happenedAt } from '../../domain/sessions/draft.ts'
import { withTariff } from './card-tariff.ts'
import { type Budgets, nextLookups, rememberSession, rememberTransaction, wantsLookups } from './look-ups.ts'
import { PartnerTokens } from './partner-tokens.ts'
import { Station } from './station.ts'

/** Characters of their ids, as hostile stations invent long ones: 50,000 tokens, a fleet's daily users, 20 MB. */
const TOKENS_KEPT = { characters: 2_000_000, leastEach: 40 }
/** Reserved together; a restart skips the rest of a block, so numbers are never reused (SESSION-A3). */
const NUMBER_BLOCK = 10_000
/** Other callers number RequestStartTransaction from 1: ours start far above, so none is mistaken (SESSION-O7). */
const REMOTE_STARTS_FROM = 2 ** 30

/** Per charge point and account; beyond that the oldest is forgotten. */
const TARIFFS_KEPT = 200

interface Wanting {
  readonly station: Station
  readonly lookups: Lookups
}

export class Stations {
  readonly #store: CoreStore
  readonly #loaded: (station: Station) => void
  readonly #reregistered: (station: Station) => void
  readonly #seen: (newestCommandId: number) => void
  readonly transferAnswers: TransferAnswers
  readonly budgets: Budgets
  readonly partnerTokens: PartnerTokens
  readonly #byId = new Map<string, Station>()
  readonly #tokens = new Map<string, KnownTokens>()
  #tokenCharacters = 0
  readonly #leaving = new Set<string>()
  #epoch = 0
  #registrationsVersion: number
  #numbers = { next: 1, end: 1 }
  #remoteStartIds = { next: 1, end: 1 }

  /** @param seen receives the newest row of each station that other nodes may have written */
  constructor(
    store: CoreStore,
    budgets: Budgets,
    loaded: (station: Station) => void = () => undefined,
    reregistered: (station: Station) => void = () => undefined,
    seen: (newestCommandId: number) => void = () => undefined,
  ) {
    this.#store = store
    this.budgets = budgets
    this.#loaded = loaded
    this.#reregistered = reregistered
    this.#seen = seen
    this.transferAnswers = new TransferAnswers(store)
    this.partnerTokens = new PartnerTokens(store)
    this.#registrationsVersion = store.registrationsVersion()
  }

  all(): Iterable<Station> {
    return this.#byId.values()
  }

  known(id: string): Station | undefined {
    return this.#byId.get(id)
  }

  current(id: string): Station | undefined {
    const station = this.#byId.get(id)
    return station?.state && station.epoch === this.#epoch ? station : undefined
  }

  /** Before a group: reads again what others changed. Tokens are forgotten only here, as a group needs its own. */
  noticeNewRegistrations(): void {
    if (this.#tokenCharacters > TOKENS_KEPT.characters) this.forgetTokens()
    if (this.transferAnswers.known.size > ANSWERS_REMEMBERED) this.transferAnswers.forget()
    if (!this.partnerTokens.isNone) this.partnerTokens.makeRoom()
    const version = this.#store.registrationsVersion()
    if (version === this.#registrationsVersion) return
    this.#registrationsVersion = version
    this.registrationsChanged()
  }

  registrationsChanged(): void {
    this.#epoch++
    this.forgetTokens()
    this.transferAnswers.forget()
    this.partnerTokens.registrationsChanged()
  }

  /** Some decided tokens may not have been stored. */
  forgetTokens(): void {
    this.#tokens.clear()
    this.#tokenCharacters = 0
  }

  /** Undefined: it is gone. Another node's is not kept. @param takes `unowned`: leaves other nodes' stations */
  async load(id: string, takes?: 'unowned'): Promise<Station | undefined> {
    const before = this.#byId.get(id)
    const loaded = (await this.#read([id], takes)).get(id)
    const known = this.#byId.get(id)
    // Ownership may have changed while it was read.
    if (loaded?.isElsewhere && (known === undefined || known === before)) return new Station(loaded, this.#epoch)
    return loaded && known
  }

  /** One round trip. Returns those that do not exist (any more). */
  async loadAll(ids: readonly string[], takes?: 'unowned'): Promise<ReadonlySet<string>> {
    const loaded = await this.#read(ids, takes)
    return new Set(ids.filter((id) => !loaded.has(id)))
  }

  async #read(ids: readonly string[], takes?: 'unowned'): Promise<ReadonlyMap<string, LoadedChargePoint>> {
    const epoch = this.#epoch
    const found = new Map<string, LoadedChargePoint>()
    const asked = ids.filter((id) => !this.#leaving.has(id))
    if (asked.length === 0) return found
    const loaded = await this.#store.loadChargePoints(asked, takes)
    asked.forEach((id, index) => {
      const one = loaded[index]
      if (this.#keep(id, one, epoch)) found.set(id, one as LoadedChargePoint)
    })
    return found
  }

  takeOver(loaded: LoadedChargePoint): void {
    const { id } = loaded.chargePoint
    this.#byId.delete(id)
    this.#keep(id, loaded, this.#epoch)
  }

  leave(id: string): Station | undefined {
    const station = this.#byId.get(id)
    this.#byId.delete(id)
    return station
  }

  #keep(id: string, loaded: LoadedChargePoint | undefined, epoch: number): boolean {
    const known = this.#byId.get(id)
    if (!loaded) {
      this.#byId.delete(id)
      return false
    }
    if (loaded.isElsewhere) return true
    if (loaded.newestCommandId !== undefined) this.#seen(loaded.newestCommandId)
    if (known) {
      if (known.register(loaded, epoch)) this.#reregistered(known)
    } else {
      const station = new Station(loaded, epoch)
      this.#byId.set(id, station)
      this.#loaded(station)
    }
    return true
  }

  /** A connected station stays in memory and is read again. */
  forget(id: string): void {
    const station = this.#byId.get(id)
    if (!station) return
    station.dropState()
    if (station.connection !== undefined) return
    station.cancelTimers()
    this.#byId.delete(id)
  }

  /** Treats it as deleted from now on, also for messages queued before. */
  beginLeaving(id: string): void {
    this.#byId.get(id)?.dropState()
    this.#leaving.add(id)
  }

  /** Ends the deletion; if it failed, restores the charge point and its connection. */
  finishLeaving(id: string, isDeleted: boolean): void {
    this.#leaving.delete(id)
    if (isDeleted) this.#byId.delete(id)
  }

  missing(station: Station, lookups: Lookups): boolean {
    const { state } = station
    if (!state) return true
    const tokens = this.#tokens.get(state.accountId)
    const { vendorId } = lookups
    if (vendorId !== undefined && !this.transferAnswers.isKnown(state.accountId, vendorId)) return true
    const isWanting = (id: string): boolean => !tokens?.has(id) || tokens.found.get(id)?.budget !== undefined
    return (
      wantsTariffs(station, lookups) ||
      wantsLookups(state, lookups) ||
      lookups.idTokens.some((id) => isWanting(id.toLowerCase())) ||
      (!this.partnerTokens.isNone &&
        this.partnerTokens.mayHave(state.accountId) &&
        this.#foreignTokens(state.accountId, lookups).length > 0)
    )
  }

  async loadLookups(all: readonly Wanting[]): Promise<void> {
    const wanting = all.flatMap(({ station: { state }, lookups }) =>
      state ? [{ state, lookups, asked: new Set<string>() }] : [],
    )
    const cards: IdToken[] = []
    await this.#loadTransferAnswers(all)
    for (;;) {
      const questions = wanting.flatMap(({ state, lookups, asked }) => {
        const idTokens = this.#unknownTokens(state.accountId, lookups.idTokens)
        const tokens: readonly Lookup[] = idTokens.length > 0 ? [{ accountId: state.accountId, idTokens }] : []
        return [...nextLookups(state, lookups, asked), ...tokens].map((lookup) => ({ state, lookup }))
      })
      if (questions.length === 0) break
      const answers = await this.#store.prefetch(questions.map(({ lookup }) => lookup))
      questions.forEach(({ state, lookup }, index) => {
        const { transactions = [], session, idTokens = [] } = answers[index] ?? {}
        for (const found of transactions) rememberTransaction(state, found.transaction, found.session)
        if (session) rememberSession(state, session)
        if ('idTokens' in lookup) this.#takeTokens(lookup.accountId, lookup.idTokens, idTokens)
        cards.push(...idTokens.filter(({ tariffId }) => tariffId !== undefined))
      })
      for (const card of cards.splice(0)) this.rememberTokens(card.accountId, [await withTariff(this.#store, card)])
    }
    for (const { station, lookups } of all) if (wantsTariffs(station, lookups)) await this.#loadTariffs(station)
    await this.#loadPartnerTokens(all)
    const budgeted = this.#withBudget(all)
    if (budgeted.length > 0) await this.budgets.look(budgeted)
  }

  async #loadTariffs(station: Station): Promise<void> {
    const { accountId } = station.chargePoint
    const of = (place: string) =>
      this.#store.listRecords('tariff_versions', {
        where: { accountId, place },
        newestFirst: true,
        limit: TARIFFS_KEPT,
      })
    station.tariffVersions = [...(await of(station.id)), ...(await of(''))]
  }

  #withBudget(all: readonly Wanting[]): readonly IdToken[] {
    const cards = all.flatMap(({ station: { chargePoint }, lookups }) =>
      lookups.idTokens.flatMap((id) => this.tokens(chargePoint.accountId).get(id.toLowerCase()) ?? []),
    )
    return [...new Set(cards)].filter(({ budget }) => budget !== undefined)
  }

  /** Those that are none of our own. */
  #foreignTokens(accountId: string, { idTokens }: Lookups): readonly string[] {
    if (idTokens.length === 0) return idTokens
    const { found } = this.#accountTokens(accountId)
    return idTokens.map((id) => id.toLowerCase()).filter((id) => !found.has(id))
  }

  async #loadPartnerTokens(all: readonly Wanting[]): Promise<void> {
    if (this.partnerTokens.isNone) return
    const asked = new Map<string, Set<string>>()
    for (const { station, lookups } of all) {
      const { accountId } = station.chargePoint
      const ids = this.#foreignTokens(accountId, lookups)
      if (ids.length === 0 || !this.partnerTokens.mayHave(accountId)) continue
      asked.set(accountId, new Set([...(asked.get(accountId) ?? []), ...ids]))
    }
    if (asked.size > 0) await this.partnerTokens.load(asked)
  }

  async #loadTransferAnswers(all: readonly Wanting[]): Promise<void> {
    const byAccount = new Map<string, string[]>()
    for (const { station, lookups } of all) {
      const { vendorId } = lookups
      const { accountId } = station.chargePoint
      if (vendorId === undefined || this.transferAnswers.isKnown(accountId, vendorId)) continue
      byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), vendorId])
    }
    for (const [accountId, vendorIds] of byAccount) await this.transferAnswers.load(accountId, vendorIds)
  }

  /** By lower-case id; `decide` gets this view. */
  tokens(accountId: string): ReadonlyMap<string, IdToken> {
    return this.#accountTokens(accountId).found
  }

  rememberTokens(accountId: string, tokens: readonly IdToken[]): void {
    const known = this.#accountTokens(accountId)
    for (const token of tokens) known.remember(token.id, token)
  }

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

  #unknownTokens(accountId: string, ids: readonly string[]): readonly string[] {
    if (ids.length === 0) return ids
    const known = this.#accountTokens(accountId)
    return [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !known.has(id))
  }

  #takeTokens(accountId: string, asked: readonly string[], found: readonly IdToken[]): void {
    const known = this.#accountTokens(accountId)
    for (const id of asked) {
      if (known.has(id)) continue
      known.remember(id, undefined)
      this.#tokenCharacters += Math.max(id.length, TOKENS_KEPT.leastEach)
    }
    for (const token of found) known.remember(token.id, token)
  }

  #accountTokens(accountId: string): KnownTokens {
    const known = this.#tokens.get(accountId)
    if (known) return known
    const fresh = new KnownTokens()
    this.#tokens.set(accountId, fresh)
    return fresh
  }
}

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

/** Network and queueing: older messages may have waited in the charge point. */
const LATE_MS = 5000

/** A session may begin with a delayed message. */
function wantsTariffs({ state, tariffVersions }: Station, { begunAt, transactionIds }: Lookups): boolean {
  if (!state || tariffVersions || !begunAt || transactionIds.some((id) => state.transactions.has(id))) return false
  return happenedAt(begunAt, state.status) < begunAt.receivedAt - LATE_MS
}

// Answers to vendors' messages, as far as looked up (TIMELINE-T1); forgotten when a registration changes.

/** For all accounts; hostile stations invent vendors. */
const ANSWERS_REMEMBERED = 10_000
/** No registered key is longer. */
const VENDOR_CHARACTERS = 255

class TransferAnswers {
  readonly #store: Pick<CoreStore, 'listRecords'>
  readonly known = new Map<string, DataTransferAnswer | undefined>()

  constructor(store: Pick<CoreStore, 'listRecords'>) {
    this.#store = store
  }

  forget(): void {
    this.known.clear()
  }

  isKnown(accountId: string, vendorId: string): boolean {
    return vendorId.length > VENDOR_CHARACTERS || this.known.has(nameOf(accountId, vendorId))
  }

  find(accountId: string, vendorId: string): DataTransferAnswer | undefined {
    return this.known.get(nameOf(accountId, vendorId))
  }

  async load(accountId: string, vendorIds: readonly string[]): Promise<void> {
    const vendors = [...new Set(vendorIds.map(vendorKey))]
    const found = await this.#store.listRecords('data_transfers', {
      where: { accountId, vendor: { in: vendors } },
      limit: vendors.length,
    })
    for (const vendor of vendors) {
      this.known.set(
        nameOf(accountId, vendor),
        found.find((answer) => answer.vendor === vendor),
      )
    }
  }
}

function nameOf(accountId: string, vendorId: string): string {
  return JSON.stringify([accountId, vendorKey(vendorId)])
}
