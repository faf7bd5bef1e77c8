/** Labels: the account's own words for a charge point, such as its site (CONSOLE-A5). */
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { LABEL_VALUE, textFault } from '../../domain/typed-text.ts'

export type Label = readonly [key: string, value: string]

export type Labels = Readonly<Record<string, string>>

const KEY = /^[a-z0-9_.-]{1,63}$/
export const MAX_LABELS = 64

export function labelFault(key: string, value: string | null): Pick<Fault, 'code' | 'message'> | undefined {
  if (!KEY.test(key)) {
    return { code: 'invalid_label_key', message: 'has a key other than 1 to 63 of a-z, 0-9, "_", "." and "-"' }
  }
  return value === null ? undefined : textFault(value, LABEL_VALUE)
}

export function tooManyLabels(before: Labels, change: Readonly<Record<string, string | null>>): boolean {
  const merged = { ...before, ...change }
  return Object.values(merged).filter((value) => value !== null).length > MAX_LABELS
}

export function refuseTooManyLabels(): Refusal {
  return refuseFault(
    '/labels',
    'too_many_labels',
    `has more than ${MAX_LABELS} labels together with those that are there`,
  )
}

export function readLabel(text: string): Label | undefined {
  const colon = text.indexOf(':')
  const [key, value] = [text.slice(0, colon), text.slice(colon + 1)]
  return colon > 0 && labelFault(key, value) === undefined ? [key, value] : undefined
}

/** Narrowing what is asked of charge points to those with some labels (CONSOLE-C5). */
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
