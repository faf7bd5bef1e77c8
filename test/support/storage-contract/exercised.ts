/** Which operations of the port a run of the suite called: one that nobody calls is a promise that nobody checked. */
import { eachOperation } from '../../../src/storage/operations.ts'
import type { OpenedStore } from './fixture.ts'

export interface Exercised {
  /** The same store, whose calls are noted. */
  readonly noting: (store: OpenedStore) => OpenedStore
  /** `face.operation` of all that the store has and that was never called. */
  readonly never: () => readonly string[]
}

export function noteCalls(): Exercised {
  const offered = new Set<string>()
  const called = new Set<string>()
  const noted = <Face extends object>(face: string, operations: Face): Face =>
    eachOperation(operations, (operation, name) => {
      offered.add(`${face}.${name}`)
      return (...args) => {
        called.add(`${face}.${name}`)
        return operation(...args)
      }
    })
  return {
    noting: (store) => ({
      ...store,
      core: noted('core', store.core),
      writes: noted('writes', store.writes),
      reads: noted('reads', store.reads),
    }),
    never: () => (called.size === 0 ? ['everything'] : [...offered].filter((name) => !called.has(name))),
  }
}
