/** Narrowing what is asked of charge points to those with some labels (CONSOLE-C5). */
import type { Reads } from '../../domain/ports/storage.ts'
import type { Label } from './labels.ts'

interface OfChargePoints {
  readonly accountId: string
  readonly chargePointIds?: readonly string[] | undefined
}

export async function withLabels<Filter extends OfChargePoints>(
  reads: Pick<Reads, 'listLabelled'>,
  filter: Filter,
  labels: readonly Label[] | undefined,
): Promise<Filter> {
  if (!labels) return filter
  const labelled = await reads.listLabelled(filter.accountId, labels)
  const among = filter.chargePointIds && new Set(filter.chargePointIds)
  return { ...filter, chargePointIds: among ? labelled.filter((id) => among.has(id)) : labelled }
}
