import type { Declaration } from './record.ts'
import {
  declarationOf,
  type KnownRecords,
  type RecordChange,
  type RecordKey,
  type RecordKind,
  type RecordOfKind,
} from './records.ts'

type Members = Readonly<Record<string, unknown>>

const NONE: readonly never[] = []

export class RecordsOfChargePoint implements KnownRecords {
  /** By kind and the text of the key. */
  readonly #kinds = new Map<string, Map<string, Members>>()

  constructor(changes: readonly RecordChange[] = []) {
    this.apply(changes)
  }

  find<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): RecordOfKind<Kind> | undefined {
    const found = this.#kinds.get(kind)?.get(keyText(declarationOf(kind), key))
    return found as RecordOfKind<Kind> | undefined
  }

  all<Kind extends RecordKind>(kind: Kind): readonly RecordOfKind<Kind>[] {
    const known = this.#kinds.get(kind)
    // Asked with every message, and most charge points have none of most kinds.
    if (!known || known.size === 0) return NONE
    return [...known.values()] as unknown as readonly RecordOfKind<Kind>[]
  }

  apply(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const declaration = declarationOf(change.kind)
      // The others would pile up: nobody reads them here.
      if (declaration.loadedWith !== 'chargePoint') continue
      if ('put' in change) this.#of(change.kind).set(keyText(declaration, change.put), change.put)
      else this.#of(change.kind).delete(keyText(declaration, change.remove))
    }
  }

  #of(kind: string): Map<string, Members> {
    const known = this.#kinds.get(kind)
    if (known) return known
    const fresh = new Map<string, Members>()
    this.#kinds.set(kind, fresh)
    return fresh
  }
}

/** For whoever has none. */
export const NO_RECORDS: KnownRecords = new RecordsOfChargePoint()

/** The same for equal keys. */
export function keyText({ key }: Declaration, members: Members): string {
  return JSON.stringify(key.map((name) => members[name]))
}
