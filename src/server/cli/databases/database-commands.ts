import { existsSync } from 'node:fs'
import { filesFolder, isPostgres } from '../../../config/database-path.ts'
import { secretKeyFile } from '../../../config/secret-key.ts'
import { sessionSettings } from '../../../core/core-settings.ts'
import { rebuildSession } from '../../../core/rebuild/rebuild.ts'
import type { Reads } from '../../../domain/ports/storage.ts'
import type { CopyProgress, CopyReport } from '../../../storage/copy/ports.ts'
import { copySource, copyTarget } from '../../../storage/open.ts'
import { type CliContext, EXIT, UsageError, useSettings } from '../cli-context.ts'
import { existingDatabase } from '../database.ts'
import { commandGroup } from '../declare.ts'
import { ExitCode, type JsonOption, type Progress, printObject, startProgress } from '../output/print.ts'

export const register = commandGroup('database', 'look at the database, or copy it into PostgreSQL', [
  {
    usage: 'check',
    does: 'say whether the database is sound; changes nothing, and a server may run',
    examples: [
      'pilotwire database check',
      'PILOTWIRE_DATABASE_URL=postgres://pilotwire:secret@db1:5432/pilotwire pilotwire database check --json',
    ],
    run: check,
  },
  {
    usage: 'copy',
    does: 'copy a database file into an empty PostgreSQL database and verify it; the server must not run',
    takes: [
      ['--from <address>', 'the file (default: PILOTWIRE_DATABASE_URL where it is one)'],
      ['--to <address>', 'the empty database (default: PILOTWIRE_DATABASE_URL where it is one)'],
    ],
    examples: [
      'pilotwire database copy --from file:/var/lib/pilotwire/pilotwire.db --to postgres://pilotwire:secret@db1:5432/pilotwire',
      'PILOTWIRE_DATABASE_URL=postgres://pilotwire:secret@db1/pilotwire pilotwire database copy --from file:data/pilotwire.db',
    ],
    run: copyDatabase,
  },
])

/** Ends with 1 where it is not sound. */
async function check(context: CliContext, { json }: JsonOption): Promise<void> {
  const database = existingDatabase(useSettings(context))
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

/** `pilotwire database copy`: from the file of one machine to a server that several share. */
interface CopyOptions extends JsonOption {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

async function copyDatabase(context: CliContext, options: CopyOptions): Promise<void> {
  const settings = useSettings(context)
  const { from, to } = addresses(options, settings.databaseUrl)
  const rebuild = async (reads: Reads, id: string): Promise<unknown> => {
    const session = await reads.findSession(id)
    if (!session) return undefined
    // What cannot be decided again, because its messages are gone or were never whole, is as undecidable in the copy.
    return rebuildSession(reads, session, sessionSettings(settings)).catch(({ message }: Error) => ({ message }))
  }
  // The target first: an unusable address is reported before the file is touched.
  const target = await copyTarget(to, context.now())
  let report: CopyReport
  let shown: string
  try {
    const source = copySource(from)
    shown = source.shown
    const bars = progressBars(context)
    try {
      report = await target.copyFrom(source, { rebuild, report: bars.report })
    } finally {
      bars.stop()
      source.release()
    }
  } finally {
    await target.close()
  }
  const { tables, rows, rowsBefore, rebuilt } = report
  const earlier = rowsBefore > 0 && { rowsOfEarlierRun: rowsBefore }
  printObject(
    context,
    { from: shown, to: target.shown, tables, rows, ...earlier, sessionsRebuilt: rebuilt, verified: true },
    options.json,
  )
  if (settings.secretKey === undefined) {
    context.note(
      `Before the server starts with the new address, set PILOTWIRE_SECRET_KEY to what ${secretKeyFile(shown)} holds, on every node.`,
    )
  }
  if (existsSync(`${shown}.files`)) {
    context.note(`Copy the folder ${shown}.files to ${filesFolder(to)} on every node: images and logs are not in it.`)
  }
  context.note(`${shown} was not changed: keep it until you are sure.`)
}

function addresses({ from, to }: CopyOptions, databaseUrl: string): { readonly from: string; readonly to: string } {
  const source = from ?? (isPostgres(databaseUrl) ? undefined : databaseUrl)
  const target = to ?? (isPostgres(databaseUrl) ? databaseUrl : undefined)
  if (source === undefined || isPostgres(source)) {
    throw new UsageError('Name the file to copy from: --from file:/var/lib/pilotwire/pilotwire.db.')
  }
  if (target === undefined || !isPostgres(target)) {
    throw new UsageError('Name the database to copy into: --to postgres://user:password@host:5432/database.')
  }
  return { from: source, to: target }
}

function progressBars(context: CliContext): { report: (progress: CopyProgress) => void; stop: () => void } {
  let phase: CopyProgress['phase'] | undefined
  let bar: Progress | undefined
  return {
    report: (progress) => {
      if (progress.phase !== phase) {
        bar?.stop()
        phase = progress.phase
        bar = startProgress(context, phase === 'copy' ? 'rows copied' : 'rows verified', progress.total)
      }
      bar?.update(progress.rows, progress.total)
    },
    stop: () => bar?.stop(),
  }
}
