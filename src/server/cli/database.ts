import type { Config, Settings } from '../../config/config.ts'
import { requireSameSecretKey } from '../../config/secret-key.ts'
import type { Log } from '../../domain/ports/core.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import { databaseAt } from '../../storage/open.ts'
import { type CliContext, useConfig, useSettings } from './cli-context.ts'

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

/** For commands that only look: a missing database is a failure. What a server committed last is put in place first. */
export async function withReads<T>(context: CliContext, work: (access: ReadAccess) => Promise<T>): Promise<T> {
  const settings = useSettings(context)
  const database = existingDatabase(settings)
  const reader = await database.openReader('all')
  try {
    return await work({ settings, path: database.shown, reads: reader, salt: reader.salt })
  } finally {
    await reader.close()
  }
}

export function existingDatabase({ databaseUrl }: Settings): ReturnType<typeof databaseAt> {
  const database = databaseAt(databaseUrl)
  if (database.exists()) return database
  throw new Error(
    `There is no database at ${database.shown} yet: start the server once (pilotwire serve), or set PILOTWIRE_DATABASE_URL.`,
  )
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
  const database = databaseAt(config.databaseUrl)
  await database.upgradeAlone()
  const { reads, writes, salt, close } = await database.openStore({ log: notes(context) })
  try {
    return await work({ settings: config, config, path: database.shown, reads, writes, salt })
  } finally {
    await close()
  }
}

/** A database across a network may be away when a command or the server starts: it is waited for, and that is said. */
function notes(context: CliContext): Pick<Log, 'info' | 'warn'> {
  const note = (fields: object, message: string): void => {
    const { error } = fields as { readonly error?: string | undefined }
    context.note(error === undefined ? message : `${message} (${error})`)
  }
  return { info: note, warn: note }
}
