/** A store per test, with two accounts in it. */
import { afterEach, beforeEach } from 'vitest'
import type { CoreStore, Reads, Writes } from '../../../src/domain/ports/storage.ts'
import { NOW } from './records.ts'

export interface OpenedStore {
  readonly core: CoreStore
  readonly writes: Writes
  readonly reads: Reads
  /** Belongs to the database and stays the same. */
  readonly salt: bigint
  readonly close: () => Promise<void>
}

export interface PlaceOfStore {
  readonly open: () => Promise<OpenedStore>
  readonly remove: () => void | Promise<void>
}

export interface StoreFixture {
  /** The store of the running test, with accounts A and B in it. */
  readonly store: () => OpenedStore
  /** The same database opened once more, as another process does. */
  readonly beside: () => Promise<OpenedStore>
  /** Closes it and opens it again, like a restart. */
  readonly reopen: () => Promise<OpenedStore>
}

export function storeFixture(place: () => PlaceOfStore, noting: (store: OpenedStore) => OpenedStore): StoreFixture {
  let here: PlaceOfStore | undefined
  let opened: OpenedStore | undefined
  const others: OpenedStore[] = []
  const current = (): OpenedStore => {
    if (!opened) throw new Error('The store is only there while a test runs.')
    return opened
  }
  beforeEach(async () => {
    here = place()
    opened = noting(await here.open())
    await opened.writes.createAccount({ id: 'A', name: 'Account A', createdAt: NOW })
    await opened.writes.createAccount({ id: 'B', name: 'Account B', createdAt: NOW + 1 })
  })
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close()
    await opened?.close()
    await here?.remove()
  })
  return {
    store: current,
    beside: async () => {
      if (!here) throw new Error('The store is only there while a test runs.')
      const other = noting(await here.open())
      others.push(other)
      return other
    },
    reopen: async () => {
      await current().close()
      if (here) opened = noting(await here.open())
      return current()
    },
  }
}
