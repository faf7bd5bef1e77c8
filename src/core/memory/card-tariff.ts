import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import { placeOfTariff } from '../../domain/tariffs/fields.ts'
import { frozenVersion } from '../../domain/tax.ts'

/** TARIFF-A1: with the present version of the tariff that the card has of its own. */
export async function withTariff(store: Pick<CoreStore, 'listRecords'>, card: IdToken): Promise<IdToken> {
  const { accountId, tariffId } = card
  if (tariffId === undefined) return card
  // The older ones of an account have no place of their own.
  for (const place of [placeOfTariff(tariffId), '']) {
    const where = { accountId, place }
    const [newest] = await store.listRecords('tariff_versions', { where, newestFirst: true, limit: 1 })
    if (newest?.tariffId === tariffId) return { ...card, tariff: frozenVersion(newest) }
  }
  return card
}
