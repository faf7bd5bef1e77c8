/** The records of one kind at a charge point, as rules find and change them. */
import type { BlockDraft } from '../ports/blocks.ts'
import { declarationOf, type RecordChange, type RecordKey, type RecordKind, type RecordOfKind } from './records.ts'

/** Among those of its charge point, which is the draft's. */
type Name<Kind extends RecordKind> = Omit<RecordKey<Kind>, 'chargePointId'>

export function recordsOf<Kind extends RecordKind>(kind: Kind) {
  type One = RecordOfKind<Kind>
  const keyOf = ({ state: { chargePointId } }: BlockDraft, name: Name<Kind>) =>
    ({ ...name, chargePointId }) as unknown as RecordKey<Kind>
  const put = (draft: BlockDraft, one: One): void => draft.changeRecord({ kind, put: one } as unknown as RecordChange)
  const remove = (draft: BlockDraft, name: Name<Kind>): void => {
    const named: Readonly<Record<string, unknown>> = { ...keyOf(draft, name) }
    const key = Object.fromEntries(declarationOf(kind).key.map((column) => [column, named[column]]))
    draft.changeRecord({ kind, remove: key } as unknown as RecordChange)
  }
  return {
    /** As this decision left it so far. */
    find: (draft: BlockDraft, name: Name<Kind>): One | undefined => draft.record(kind, keyOf(draft, name)),
    put,
    /** Stamps it. */
    change: (draft: BlockDraft, one: One): void => put(draft, { ...one, updatedAt: draft.now }),
    remove,
    /** Forgets the oldest that are over, so that one more fits. @returns whether it does */
    makeRoom(draft: BlockDraft, limit: number, isOver: (one: One) => boolean = () => true): boolean {
      const all = draft.state.records.all(kind)
      const old = byAge(all.filter(isOver)).slice(0, Math.max(0, all.length + 1 - limit))
      for (const one of old) remove(draft, one as unknown as Name<Kind>)
      return all.length - old.length < limit
    },
  }
}

function byAge<One>(all: readonly One[]): readonly One[] {
  const createdAt = (one: One): number => (one as { readonly createdAt: number }).createdAt
  return [...all].sort((one, other) => createdAt(one) - createdAt(other))
}

export function newest<One extends { readonly createdAt: number }>(all: readonly One[]): One | undefined {
  return all.reduce<One | undefined>((last, one) => (last && last.createdAt >= one.createdAt ? last : one), undefined)
}
