import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Settings } from '../../config/config.ts'
import { databasePath } from '../../config/database-path.ts'
import { knownKeyCheck, otherKey, secretKeyCheck, secretKeyFile } from '../../config/secret-key.ts'
import { base64Key } from '../../config/setting-kinds.ts'
import { databaseAt } from '../../storage/open.ts'
import { type CliContext, useSettings } from './cli-context.ts'
import { declare } from './declare.ts'
import { readQuietly } from './doctor/doctor-database.ts'
import { type JsonOption, printObject, startProgress } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  declare(program, context, {
    usage: 'restore <file>',
    does: 'check a backup and put it in the place of the database, which is kept; the server must not run',
    examples: ['pilotwire restore backups/pilotwire-2026-11-21.db'],
    run: restore,
  })
}

async function restore(context: CliContext, file: string, { json }: JsonOption): Promise<void> {
  const settings = useSettings(context)
  const path = databasePath(settings.databaseUrl)
  await requireItsKey(settings, path, file)
  const aside = `${path}.before-${new Date(context.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  const progress = startProgress(context, 'pages', 1)
  let kept: boolean
  try {
    kept = await databaseAt(settings.databaseUrl).restore(file, aside, ({ copiedPages, totalPages }) =>
      progress.update(copiedPages, totalPages),
    )
  } finally {
    progress.stop()
  }
  printObject(context, { restored: resolve(file), database: path, before: kept ? aside : undefined }, json)
  if (kept) context.note(`What was there is kept as ${aside}: delete it when you are sure.`)
  if (settings.secretKey === undefined && !existsSync(secretKeyFile(path))) {
    context.note(`Put the secret key back as ${secretKeyFile(path)} before the server starts.`)
  }
  context.note('Start the server, then look at it with pilotwire doctor.')
}

/** With another key nothing in it could be used; a missing one may still come. */
async function requireItsKey(settings: Settings, path: string, file: string): Promise<void> {
  const keyFile = secretKeyFile(path)
  const key =
    settings.secretKey ?? (existsSync(keyFile) ? base64Key.read(readFileSync(keyFile, 'utf8').trim()) : undefined)
  if (key === undefined) return
  const known = await readQuietly(`file:${resolve(file)}`, knownKeyCheck)
  if (known === undefined || known === secretKeyCheck(key)) return
  throw new Error(`${file} belongs to another secret key: ${otherKey(resolve(file))}.`)
}
