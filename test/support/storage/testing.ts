/** For tests: a database of their own. */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, onTestFinished } from 'vitest'
import type { CoreStore } from '../../../src/domain/ports/storage.ts'
import type { LoadedChargePoint, TransactionKey } from '../../../src/domain/ports/storage-records.ts'
import type { FileDatabase, FileStore } from '../../../src/storage/database.ts'
import { databaseFile } from '../../../src/storage/open.ts'

export interface TemporaryDatabase {
  readonly path: string
  readonly remove: () => void
}

export function temporaryDatabase(): TemporaryDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'pilotwire-'))
  return {
    path: join(directory, 'data', 'pilotwire.db'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** Within a file or a `describe`: one for each test, gone behind it. */
export function databaseOfEachTest(): { readonly path: string } {
  let database: TemporaryDatabase
  beforeEach(() => {
    database = temporaryDatabase()
  })
  afterEach(() => database.remove())
  return {
    get path() {
      return database.path
    },
  }
}

export function databaseIn(path: string): FileDatabase {
  return databaseFile(path)
}

/** One of those that the core loads together. */
export async function loadChargePoint(core: CoreStore, id: string): Promise<LoadedChargePoint | undefined> {
  return (await core.loadChargePoints([id]))[0]
}

/** One of the questions that the core asks together. */
export async function findTransaction(core: CoreStore, chargePointId: string, transaction: TransactionKey) {
  return (await core.prefetch([{ chargePointId, transaction }]))[0]?.transactions?.[0]
}

/** A database that is not there yet begins as a copy: making its tables takes five times as long. */
export function openStore(path: string): FileStore {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(emptyDatabase(), path)
  }
  return databaseIn(path).openStore()
}

/** Within a test or what comes before each: a store on a database of its own, both gone when the test is over. */
export function storeOfTest(): FileStore {
  const { path, remove } = temporaryDatabase()
  const store = openStore(path)
  onTestFinished(() => {
    store.close()
    remove()
  })
  return store
}

let empty: TemporaryDatabase | undefined

/** Made once in each process or thread of the tests. */
function emptyDatabase(): string {
  if (!empty) {
    const made = temporaryDatabase()
    databaseIn(made.path).openStore().close()
    process.once('exit', made.remove)
    empty = made
  }
  return empty.path
}
