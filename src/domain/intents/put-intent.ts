import type { BlockDraft } from '../ports/blocks.ts'
import type { Intent } from './records.ts'

/** @param after undefined: nothing is wanted any more; the same object: nothing changed */
export function putIntent(draft: BlockDraft, before: Intent | undefined, after: Intent | undefined): void {
  if (after === before) return
  if (after) draft.changeRecord({ kind: 'intents', put: after })
  else if (before) {
    const { chargePointId, kind, key } = before
    draft.changeRecord({ kind: 'intents', remove: { chargePointId, kind, key } })
  }
}
