/** The database as commands use it: beside a running server, through the same port. */
import { existsSync } from 'node:fs'
import { databasePath } from '../config/database-path.ts'
import { requireSameSecretKey } from '../config/key-check.ts'
import type { Config, Settings } from '../config.ts'
import type { Reads, Writes } from '../ports/storage.ts'
import { upgradeAlone } from '../storage/sqlite/files/upgrade.ts'
import { openSqliteReader } from '../storage/sqlite/reader.ts'
import { openSqlite } from '../storage/sqlite/writer.ts'
import { type CliContext, useConfig, useSettings } from './context.ts'

export interface ReadAccess {
  readonly settings: Settings
  readonly path: string
  readonly reads: Reads
  readonly salt: bigint
}

export interface WriteAccess extends ReadAccess {
  readonly config: Config
  readonly writes: Writes
}

/**
 * For commands that only look: a database that does not exist is a failure, not made. What a server committed and has
 * not put in place yet (a moment ago, or before it was killed) is put in place first.
 */
export async function withReads<T>(context: CliContext, work: (access: ReadAccess) => Promise<T>): Promise<T> {
  const settings = useSettings(context)
  const path = databasePath(settings.databaseUrl)
  if (!existsSync(path)) {
    throw new Error(
      `There is no database at ${path} yet: start the server once (pilotwire serve), or set PILOTWIRE_DATABASE_URL.`,
    )
  }
  const reader = openSqliteReader(path)
  try {
    if (reader.behind()) putInPlace(path)
    return await work({ settings, path, reads: reader, salt: reader.salt })
  } finally {
    reader.close()
  }
}

/** Whoever may only read the file sees what is in place. */
function putInPlace(path: string): void {
  try {
    openSqlite(path).close()
  } catch {
    return
  }
}

/** For commands that create: the database (and, before it, the secret key) is made when it is not there. */
export async function withWrites<T>(context: CliContext, work: (access: WriteAccess) => Promise<T>): Promise<T> {
  return withAnyKey(context, async (access) => {
    await requireSameSecretKey(access.config.secretKey, access)
    return work(access)
  })
}

/** The same, although the secret key may be another one than before. */
export async function withAnyKey<T>(context: CliContext, work: (access: WriteAccess) => Promise<T>): Promise<T> {
  const config = useConfig(context)
  const path = databasePath(config.databaseUrl)
  upgradeAlone(path)
  const { writes, salt, close } = openSqlite(path)
  try {
    const reader = openSqliteReader(path)
    try {
      return await work({ settings: config, config, path, reads: reader, writes, salt })
    } finally {
      reader.close()
    }
  } finally {
    close()
  }
}
