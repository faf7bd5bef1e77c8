/** INTENT-A13: an update or a higher security profile, carried by its own block, is an intent, but never due here. */
import type { BlockDraft } from '../ports/blocks.ts'
import { recordsOf } from '../records/records-of.ts'
import type { Intent, IntentKind, IntentState } from './records.ts'

const KEYS = { firmware: 'Firmware', securityProfile: 'SecurityProfile' } as const

const all = recordsOf('intents')

export type WorkKind = keyof typeof KEYS

export interface Work {
  readonly kind: WorkKind
  readonly desired: unknown
  readonly state: IntentState
  readonly reason?: string | undefined
  readonly attempts: number
  /** Ordered again: a new revision, whatever the outcome of the one before (INTENT-A3). */
  readonly isNew?: boolean | undefined
}

/** Carried by their own block: never withdrawn here, and never sent again by a boot. */
export function isWork(kind: IntentKind): kind is WorkKind {
  return kind in KEYS
}

const TAKEN: ReadonlySet<IntentState> = new Set(['applied', 'verified', 'conflict'])

export function showWork(draft: BlockDraft, { kind, desired, state, reason, attempts, isNew = false }: Work): void {
  const { chargePointId, accountId } = draft.state
  const before = all.find(draft, { kind, key: KEYS[kind] })
  const revision = (before?.revision ?? 0) + (isNew || !before ? 1 : 0)
  const appliedRevision = TAKEN.has(state) ? revision : before?.appliedRevision
  const put: Intent = {
    chargePointId,
    accountId,
    kind,
    key: KEYS[kind],
    desired,
    isSecret: false,
    revision,
    appliedRevision,
    state,
    reason,
    attempts,
    drifts: [],
    updatedAt: draft.now,
  }
  if (before && isSame(before, put)) return
  all.put(draft, put)
}

export function forgetWork(draft: BlockDraft, kind: WorkKind): void {
  const name = { kind, key: KEYS[kind] }
  if (all.find(draft, name)) all.remove(draft, name)
}

function isSame(one: Intent, other: Intent): boolean {
  return (
    one.revision === other.revision &&
    one.state === other.state &&
    one.reason === other.reason &&
    one.attempts === other.attempts
  )
}
