/** For tests: a database of their own. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FileDatabase, FileStore } from './database.ts'
import { databaseFile } from './open.ts'

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

export function databaseIn(path: string): FileDatabase {
  return databaseFile(path)
}

/** A database that is not there yet begins as a copy: making its tables takes five times as long. */
export function openStore(path: string): FileStore {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(emptyDatabase(), path)
  }
  return databaseIn(path).openStore()
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
