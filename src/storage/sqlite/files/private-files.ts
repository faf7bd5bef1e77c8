/** OIDC-U10: database files are for this user alone; tightens what an old version, restore or umask left open. */
import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../../../config/make-folder.ts'
import { DatabaseRefused } from '../../storage-error.ts'

const FOR_OTHERS = 0o077
/** `pilotwire.db`, `pilotwire.db-wal`, `pilotwire.db.key`, `pilotwire.db.lock-journal`, … */
function isOf(database: string, name: string): boolean {
  return name === database || name.startsWith(`${database}-`) || name.startsWith(`${database}.`)
}

/** Its folder too, unless shared. @returns a sentence for each failure, which does not prevent the start */
export function keepPrivate(databaseFile: string): readonly string[] {
  const folder = dirname(databaseFile)
  const names = readdirSync(folder)
  const own = names.filter((name) => isOf(basename(databaseFile), name))
  const faults = own.map((name) => tighten(join(folder, name)))
  if (own.length === names.length) faults.push(tighten(folder))
  return faults.filter((fault) => fault !== undefined)
}

/** For a new database. @throws a sentence on what to do */
export function createPrivateFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new DatabaseRefused(
      `The folder ${folder} cannot be made (${reason}): change the rights above it, or name another place in PILOTWIRE_DATABASE_URL.`,
    )
  }
}

/**
 * Makes an empty file of mode 0600 where there is none. `wx`, because an existing database must not be opened past
 * SQLite: closing any descriptor of a file drops all locks that this process holds on it.
 * @returns whether it is new
 */
export function createPrivateFile(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function tighten(path: string): string | undefined {
  // A companion may disappear at any moment: SQLite deletes a finished journal.
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || (!stat.isFile() && !stat.isDirectory()) || (stat.mode & FOR_OTHERS) === 0) return undefined
  try {
    chmodSync(path, stat.mode & ~FOR_OTHERS & 0o777)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    return `${path} can be read by others, and that could not be changed: ${reason}`
  }
}
