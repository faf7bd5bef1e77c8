/** Which charge points a selector means. */
import type { Selector } from '../blocks/firmware/records.ts'
import type { ChargePointView, Reads } from '../ports/storage.ts'

const PAGE = 500
/** Labels are of another block; a registration that has none fits no selector that names one. */
type Labelled = ChargePointView & { readonly labels?: Readonly<Record<string, string>> }

export function isSelected(selector: Selector, chargePoint: Labelled): boolean {
  const { ids, labels = {}, vendor, model, firmwareVersion } = selector
  const { id, status } = chargePoint
  return (
    (ids === undefined || ids.includes(id)) &&
    Object.entries(labels).every(([name, value]) => chargePoint.labels?.[name] === value) &&
    (vendor === undefined || status.vendor === vendor) &&
    (model === undefined || status.model === model) &&
    (firmwareVersion === undefined || status.firmwareVersion === firmwareVersion)
  )
}

/** By id. @param shared those that the caller may know of; undefined: all of the account */
export async function selectChargePoints(
  reads: Pick<Reads, 'listChargePoints'>,
  accountId: string,
  selector: Selector,
  shared: readonly string[] | undefined,
): Promise<readonly ChargePointView[]> {
  const ids = selector.ids && new Set(selector.ids)
  const mayBe = shared && new Set(shared)
  const found: ChargePointView[] = []
  let afterId: string | undefined
  for (;;) {
    const page = await reads.listChargePoints(accountId, { limit: PAGE, ...(afterId !== undefined && { afterId }) })
    for (const view of page) {
      if (
        (!ids || ids.has(view.id)) &&
        (!mayBe || mayBe.has(view.id)) &&
        isSelected({ ...selector, ids: undefined }, view)
      )
        found.push(view)
    }
    afterId = page.at(-1)?.id
    if (afterId === undefined || page.length < PAGE) return found
  }
}
