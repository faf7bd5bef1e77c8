import type { Command } from 'commander'
import { databaseAt } from '../../../storage/open.ts'
import { type CliContext, EXIT, useSettings } from '../cli-context.ts'
import { declare } from '../declare.ts'
import { ExitCode } from '../output/exit-code.ts'
import { type JsonOption, printObject } from '../output/print.ts'
import { copyDatabase } from './copy-database.ts'

export function register(program: Command, context: CliContext): void {
  const database = program.command('database').description('look at the database, or copy it into PostgreSQL')
  declare(database, context, {
    usage: 'check',
    does: 'say whether the database is sound; changes nothing, and a server may run',
    examples: [
      'pilotwire database check',
      'PILOTWIRE_DATABASE_URL=postgres://pilotwire:secret@db1:5432/pilotwire pilotwire database check --json',
    ],
    run: check,
  })
  declare(database, context, {
    usage: 'copy',
    does: 'copy a database file into an empty PostgreSQL database and verify it; the server must not run',
    takes: (command) =>
      command
        .option('--from <address>', 'the file (default: PILOTWIRE_DATABASE_URL where it is one)')
        .option('--to <address>', 'the empty database (default: PILOTWIRE_DATABASE_URL where it is one)'),
    examples: [
      'pilotwire database copy --from file:/var/lib/pilotwire/pilotwire.db --to postgres://pilotwire:secret@db1:5432/pilotwire',
      'PILOTWIRE_DATABASE_URL=postgres://pilotwire:secret@db1/pilotwire pilotwire database copy --from file:data/pilotwire.db',
    ],
    run: copyDatabase,
  })
}

/** Ends with 1 where it is not sound. */
async function check(context: CliContext, { json }: JsonOption): Promise<void> {
  const { databaseUrl } = useSettings(context)
  const database = databaseAt(databaseUrl)
  if (!database.exists()) {
    throw new Error(
      `There is no database at ${database.shown} yet: start the server once (pilotwire serve), or set PILOTWIRE_DATABASE_URL.`,
    )
  }
  const { integrity, journalMode, synchronous, bytes, older } = await database.check()
  printObject(
    context,
    {
      database: database.shown,
      integrity,
      mode: journalMode,
      synchronous,
      bytes,
      schema: older ? 'older' : 'current',
    },
    json,
  )
  if (older) context.note('An older version wrote it: the next start of the server brings it up to date.')
  if (integrity === 'ok') return
  context.note(`It is not sound (${integrity}): docs/operating.md says how a backup is restored, or a copy finished.`)
  throw new ExitCode(EXIT.failure)
}
