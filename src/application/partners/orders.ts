/** What an operator orders of roaming partners, over the API and on the pages; `src/ocpi/partners` carries it out. */
import type { OcpiParty, Partner, PartnerExchange } from '../../domain/partners/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { NewPartner } from './schemas.ts'

export interface PartnerChange {
  readonly name?: string | undefined
  readonly state?: 'registered' | 'suspended' | undefined
}

/** The token is shown once. */
export interface Invited {
  readonly partner: Partner
  readonly token: string
}

export interface PartnerOrders {
  putParty(party: Omit<OcpiParty, 'updatedAt'>): Promise<OcpiParty>
  /** With the partner's address and token A we register, or go on; without, token A is made for it. */
  add(accountId: string, wish: NewPartner): Promise<Partner | Invited | Refusal>
  /** New tokens both ways; of an invited partner a new token A, or the registration goes on. */
  rotate(partner: Partner): Promise<Partner | Invited | Refusal>
  change(partner: Partner, change: PartnerChange): Promise<Partner | Refusal>
  /** Withdraws the credentials; the partner is informed if it can be reached. */
  remove(partner: Partner): Promise<void>
  /** Reads its versions. */
  test(partner: Partner): Promise<{ readonly versions: readonly string[] } | { readonly fault: string }>
  /** Sends it once more, as it was sent. */
  replay(partner: Partner, exchange: PartnerExchange): Promise<{ readonly fault?: string } | Refusal>
}

/** Credentials are kept without their token. */
export function canReplay({ direction, request = '' }: PartnerExchange): boolean {
  return direction === 'out' && !request.includes('"token":"…"')
}
