/** An update as what is wanted of its charge point (INTENT-A13). */
import type { IntentState } from '../intents/records.ts'
import type { Work } from '../intents/work.ts'
import type { FirmwareUpdate } from './records.ts'

/** Codes of an error that means that it cannot do this at all. */
const UNSUPPORTED: ReadonlySet<string | undefined> = new Set(['NotImplemented', 'NotSupported'])

export function desiredBy(update: FirmwareUpdate): Work {
  const { target, reason, attempts } = update
  return { kind: 'firmware', desired: target.version, state: stateOf(update), reason, attempts }
}

function stateOf({ state, status, isOrdered }: FirmwareUpdate): IntentState {
  switch (state) {
    case 'waiting':
      return isOrdered ? 'sent' : 'pending'
    case 'running':
      return 'applied'
    case 'succeeded':
      return 'verified'
    case 'rejected':
      return UNSUPPORTED.has(status) ? 'unsupported' : 'rejected'
    case 'failed':
      return 'conflict'
  }
}
