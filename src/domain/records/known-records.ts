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

interface OfKind {
  readonly byKey: Map<unknown, Members>
  /** All of them, from the first question on. */
  list: readonly Members[] | undefined
}

export class RecordsOfChargePoint implements KnownRecords {
  readonly #kinds = new Map<string, OfKind>()

  constructor(changes: readonly RecordChange[] = []) {
    this.apply(changes)
  }

  find<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): RecordOfKind<Kind> | undefined {
    const known = this.#kinds.get(kind)
    return known && (known.byKey.get(keyWithin(declarationOf(kind), key)) as RecordOfKind<Kind> | undefined)
  }

  all<Kind extends RecordKind>(kind: Kind): readonly RecordOfKind<Kind>[] {
    const known = this.#kinds.get(kind)
    if (!known) return NONE
    known.list ??= [...known.byKey.values()]
    return known.list as unknown as readonly RecordOfKind<Kind>[]
  }

  apply(changes: readonly RecordChange[]): void {
    for (const change of changes) {
      const declaration = declarationOf(change.kind)
      // The others would pile up: they are never read here.
      if (declaration.loadedWith !== 'chargePoint') continue
      const known = this.#of(change.kind)
      known.list = undefined
      if ('put' in change) known.byKey.set(keyWithin(declaration, change.put), change.put)
      else known.byKey.delete(keyWithin(declaration, change.remove))
    }
  }

  #of(kind: string): OfKind {
    const known = this.#kinds.get(kind)
    if (known) return known
    const fresh = { byKey: new Map(), list: undefined }
    this.#kinds.set(kind, fresh)
    return fresh
  }
}

/** For a charge point without records. */
export const NO_RECORDS: KnownRecords = new RecordsOfChargePoint()

/** As `keyText`, among the records of one charge point, whose id is the first member of all their keys. */
function keyWithin(declaration: Declaration, members: Members): unknown {
  const [, second = '', third] = declaration.key
  return third === undefined ? members[second] : keyText(declaration, members)
}

/** The same for equal keys. */
export function keyText({ key }: Declaration, members: Members): string {
  return JSON.stringify(key.map((name) => members[name]))
}
