import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { secretKeyFile } from '../../config/secret-key.ts'
import type { BackupProgress } from '../../storage/database.ts'
import { databaseAt } from '../../storage/open.ts'
import { type CliContext, useSettings } from './cli-context.ts'
import { declare } from './declare.ts'
import { type JsonOption, printObject, startProgress } from './output/print.ts'

export function register(program: Command, context: CliContext): void {
  declare(program, context, {
    usage: 'backup <file>',
    does: 'copy the database into a new file and check it; the server may run meanwhile',
    examples: ['pilotwire backup backups/pilotwire-2026-11-21.db'],
    run: backup,
  })
}

async function backup(context: CliContext, file: string, { json }: JsonOption): Promise<void> {
  const settings = useSettings(context)
  const database = databaseAt(settings.databaseUrl)
  const path = database.shown
  if (!database.exists()) throw new Error(`There is no database at ${path}: set PILOTWIRE_DATABASE_URL.`)
  const progress = startProgress(context, 'pages', 1)
  try {
    const report = ({ copiedPages, totalPages }: BackupProgress): void => progress.update(copiedPages, totalPages)
    await database.backup(file, report, settings.diskReserve)
  } finally {
    progress.stop()
  }
  database.noteBackup(context.now())
  printObject(context, { file: resolve(file), bytes: statSync(file).size, integrity: 'ok' }, json)
  if (existsSync(`${path}.files`)) {
    context.note(
      `Firmware images and logs of charge points are not in the backup: copy the folder ${path}.files as well.`,
    )
  }
  if (settings.secretKey === undefined) {
    context.note(`The secret key is not in the backup: keep a copy of ${secretKeyFile(path)} in another safe place.`)
  }
}
