import type { BlockDraft } from '../ports/blocks.ts'
import type { Intent, IntentName } from './records.ts'

/** @param after undefined: nothing is desired any more; the same object: nothing changed */
export function putIntent(draft: BlockDraft, before: Intent | undefined, after: Intent | undefined): void {
  if (after === before) return
  if (after) draft.changeRecord({ kind: 'intents', put: after })
  else if (before) {
    const { chargePointId, kind, key } = before
    draft.changeRecord({ kind: 'intents', remove: { chargePointId, kind, key } })
  }
}

/** INTENT-A1: one for each name, in whichever case. */
export function intentName({ kind, key }: IntentName): string {
  return `${kind} ${key.toLowerCase()}`
}
