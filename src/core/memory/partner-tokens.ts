/**
 * Tokens of partners that messages name (OCPI-A10), read for each such message: partners change them at any time, also
 * through other nodes. Which accounts are parties of OCPI stays in memory, so that the others pay nothing.
 */

import type { ContractParty, Partner, PartnersOfToken } from '../../domain/partners/records.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import { allRecords } from '../../domain/records/all-records.ts'

/** Beside one for each id: two partners seldom have the same. */
const MORE_TOKENS = 200
/** OCPI's longest uid. */
const MAX_UID = 36
/** Beyond this all are forgotten before a group. */
const KEPT = 10_000
/** Country, provider, instance (ISO 15118-2, annex H). */
const CONTRACT = /^([a-z]{2})-?([a-z0-9]{3})-?c?[a-z0-9-]{8,}$/

export class PartnerTokens {
  readonly #store: Pick<CoreStore, 'listRecords'>
  #parties: ReadonlySet<string> | undefined
  /** No account is a party of OCPI: nothing here is asked. */
  isNone = false
  #isStale = true
  readonly #found = new Map<string, Map<string, PartnersOfToken>>()
  #size = 0

  constructor(store: Pick<CoreStore, 'listRecords'>) {
    this.#store = store
  }

  /** A party may have come or gone. */
  registrationsChanged(): void {
    this.#isStale = true
    this.isNone = false
  }

  makeRoom(): void {
    if (this.#size <= KEPT) return
    this.#found.clear()
    this.#size = 0
  }

  /** True until it is known. */
  mayHave(accountId: string | undefined): boolean {
    return accountId !== undefined && (this.#isStale || (this.#parties?.has(accountId) ?? true))
  }

  /** By lower-case id; undefined: the account has no partners. */
  of(accountId: string): ReadonlyMap<string, PartnersOfToken> | undefined {
    return this.#parties?.has(accountId) ? this.#ofAccount(accountId) : undefined
  }

  async load(asked: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> {
    if (this.#isStale) {
      this.#isStale = false
      try {
        this.#parties = new Set((await allRecords(this.#store, 'ocpi_parties')).map(({ accountId }) => accountId))
        this.isNone = this.#parties.size === 0 && !this.#isStale
      } catch (error) {
        this.#isStale = true
        throw error
      }
    }
    for (const [accountId, ids] of asked) if (this.#parties?.has(accountId)) await this.#load(accountId, [...ids])
  }

  async #load(accountId: string, ids: readonly string[]): Promise<void> {
    const uids = ids.filter((id) => id.length <= MAX_UID)
    const where = { accountId, uid: { in: uids } }
    const limit = uids.length + MORE_TOKENS
    const tokens = uids.length > 0 ? await this.#store.listRecords('partner_tokens', { where, limit }) : []
    const isNeeded = tokens.length > 0 || uids.some((id) => CONTRACT.test(id))
    const all = isNeeded ? await allRecords(this.#store, 'partners', { accountId }) : []
    const partners = all.filter(({ state }) => state === 'registered')
    const known = this.#ofAccount(accountId)
    for (const id of ids) {
      const own = tokens.filter(
        ({ uid, partnerId }) => uid === id && partners.some((one) => one.partnerId === partnerId),
      )
      const contractParty = own.length === 0 ? contractPartyOf(partners, id) : undefined
      if (own.length > 0 || contractParty) known.set(id, { tokens: own, contractParty })
      else known.delete(id)
    }
    this.#size += ids.length
  }

  #ofAccount(accountId: string): Map<string, PartnersOfToken> {
    const known = this.#found.get(accountId) ?? new Map<string, PartnersOfToken>()
    this.#found.set(accountId, known)
    return known
  }
}

/** At 2.3.0 contracts are not pushed: the party stands in the id. */
function contractPartyOf(partners: readonly Partner[], id: string): ContractParty | undefined {
  const [, country = '', party = ''] = CONTRACT.exec(id) ?? []
  const [countryCode, partyId] = [country.toUpperCase(), party.toUpperCase()]
  const found = partners.find(
    ({ version, roles }) =>
      version === '2.3.0' &&
      roles.some((one) => one.role !== 'CPO' && one.countryCode === countryCode && one.partyId === partyId),
  )
  return found && { partnerId: found.partnerId, countryCode, partyId }
}
