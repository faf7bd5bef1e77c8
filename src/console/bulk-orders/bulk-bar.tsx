import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import type { Column } from '../../web/parts/table.tsx'
import { bulkTexts } from '../kit/texts.ts'
import { mayAct, type Visit } from '../visit.tsx'
import type { BulkKind } from './form.ts'

const FORM = 'bulk'

/** Empty for visitors who may only look. A link behind each tick leads to the orders, which follow all rows. */
export function tickColumn<Row>(visit: Visit, idOf: (row: Row) => string): Column<Row> | false {
  if (!mayAct(visit)) return false
  const words = bulkTexts(visit.frame)
  return {
    kind: 'tick',
    cell: (row) => (
      <>
        <input type="checkbox" name="id" value={idOf(row)} form={FORM} aria-label={words.tick(idOf(row))} />
        <a class="skip" href={`#${FORM}`}>
          {words.toOrders}
        </a>
      </>
    ),
  }
}

const SHOWN: readonly BulkKind[] = ['reset', 'unlock', 'availability', 'firmware', 'label', 'log']
/** A phone has room for the first. */
const ON_PHONE = 3

/** @param query what narrows the list, without its question mark: all that match may be selected */
export const BulkBar: FC<{ frame: Frame; query: string; total?: string | undefined }> = ({ frame, query, total }) => {
  const words = bulkTexts(frame)
  return (
    <form id={FORM} class="bulk" method="get" action={`${frame.root}/new-bulk-order`} aria-label={words.actOn}>
      <label class="choice">
        <input type="checkbox" name="all" value={query === '' ? '*' : query} />
        <span>{total === undefined ? words.allMatching : words.allOf(total)}</span>
      </label>
      {SHOWN.map((kind, at) => (
        <button
          type="submit"
          name="kind"
          value={kind}
          class={[at === 0 && 'main', at >= ON_PHONE && 'no-phone'].filter(Boolean).join(' ') || undefined}
        >
          {words.kinds[kind]}…
        </button>
      ))}
    </form>
  )
}
