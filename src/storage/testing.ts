/** For tests: a database of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

export function openStore(path: string): FileStore {
  return databaseIn(path).openStore()
}
