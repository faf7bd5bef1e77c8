/** Which operations of the port a run of the suite called: one that nobody calls is a promise that nobody checked. */
import { CORE, namesOf, READS, WRITES } from '../../../src/storage/operations.ts'
import type { OpenedStore } from './fixture.ts'

const FACES = { core: namesOf(CORE), writes: namesOf(WRITES), reads: namesOf(READS) } as const

export interface Exercised {
  /** The same store, whose calls are noted. */
  readonly noting: (store: OpenedStore) => OpenedStore
  /** `face.operation` of all that was never called. */
  readonly never: () => readonly string[]
}

export function noteCalls(): Exercised {
  const called = new Set<string>()
  const noted = <Face extends object>(face: string, operations: Face): Face =>
    new Proxy(operations, {
      get(target, name, receiver) {
        const operation = Reflect.get(target, name, receiver) as (...args: readonly unknown[]) => unknown
        return (...args: readonly unknown[]) => {
          called.add(`${face}.${String(name)}`)
          return operation(...args)
        }
      },
    })
  return {
    noting: (store) => ({
      ...store,
      core: noted('core', store.core),
      writes: noted('writes', store.writes),
      reads: noted('reads', store.reads),
    }),
    never: () =>
      Object.entries(FACES)
        .flatMap(([face, names]) => names.map((name) => `${face}.${name}`))
        .filter((name) => !called.has(name)),
  }
}
