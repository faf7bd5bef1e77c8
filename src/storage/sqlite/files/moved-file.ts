/**
 * A database file that is deleted, moved or replaced under a running server loses acknowledged data: watched by name.
 */

import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Clock } from '../../../domain/ports/clock.ts'
import type { DatabaseWatch } from '../../database.ts'

/** Acknowledgements of this time can be lost; two looks cost nothing. */
const INTERVAL_MS = 1000
/** A single miss may be harmless, such as a directory being remounted. */
const LOOKS_IN_VAIN = 2

/** While the database is open: its write-ahead log exists then, and stays the same file. */
export async function watchDatabaseFiles(databaseFile: string, after: Clock['after']): Promise<DatabaseWatch> {
  const files = [databaseFile, `${databaseFile}-wal`]
  const look = () => Promise.all(files.map(identityOf))
  const own = await look()
  let cancel = (): void => undefined
  let stopped = false
  const moved = new Promise<Error>((resolve) => {
    const lookLater = (inVain: number): void => {
      if (!stopped) cancel = after(INTERVAL_MS, () => void lookAgain(inVain))
    }
    const lookAgain = async (inVain: number): Promise<void> => {
      const found = await look().catch(() => own)
      const index = found.findIndex((identity, at) => own[at] !== undefined && identity !== own[at])
      if (index < 0) lookLater(0)
      else if (inVain + 1 < LOOKS_IN_VAIN) lookLater(inVain + 1)
      else resolve(new Error(sentence(files[index] ?? databaseFile, found[index] === undefined)))
    }
    lookLater(0)
  })
  return {
    moved,
    stop() {
      stopped = true
      cancel()
    },
  }
}

/** Undefined: no such file. @throws other errors, which prove nothing */
async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino }: BigIntStats = await stat(file, { bigint: true })
    return `${dev} ${ino}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function sentence(file: string, isGone: boolean): string {
  const what = isGone ? 'was deleted or moved' : 'was replaced by another file'
  return `${file} ${what} while the server ran. Stop the server before a backup is put in its place.`
}
