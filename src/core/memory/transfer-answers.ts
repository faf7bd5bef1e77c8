/** Answers to vendors' messages, as far as looked up (TIMELINE-T1); forgotten when a registration changes. */
import { type DataTransferAnswer, vendorKey } from '../../domain/data-transfers/records.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'

/** For all accounts; hostile stations invent vendors. */
export const ANSWERS_REMEMBERED = 10_000
/** No registered key is longer. */
const VENDOR_CHARACTERS = 255

export class TransferAnswers {
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
