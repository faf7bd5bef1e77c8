import { type Command as Cli, Option } from 'commander'
import { csvHeader } from '../../domain/message-log/csv.ts'
import { countAll, exportAll, type FrozenSearch, freezeWindow } from '../../domain/message-log/search.ts'
import type { ExportFormat, Reads } from '../../domain/ports/storage.ts'
import { registerSend } from './api/send-command.ts'
import { allChargePoints } from './charge-point.ts'
import { type CliContext, examples, UsageError } from './cli-context.ts'
import { type ReadAccess, withReads } from './database.ts'
import { ACCOUNT_FLAG, type AccountOption, chooseAccount } from './options/choose-account.ts'
import { readMoment } from './options/time-option.ts'
import { startProgress } from './output/progress-bar.ts'
import { openSink, type Sink } from './output/sink.ts'
import { traceOf } from './output/trace.ts'

type ExportOptions = {
  from: string
  to?: string | undefined
  chargePoint?: string | undefined
  method?: readonly string[] | undefined
  schemaErrors?: true | undefined
  format: ExportFormat
  output?: string | undefined
  trace?: string | undefined
} & AccountOption

export function register(program: Cli, context: CliContext): void {
  addTo(program.command('command').description('OCPP messages: the log, and new ones to charge points'), context)
  // What it was called before.
  addTo(program.command('commands', { hidden: true }), context)
}

function addTo(commands: Cli, context: CliContext): void {
  registerSend(commands, context)
  examples(
    commands
      .command('export')
      .description('write messages to a file or stdout, newest first, one charge point after the other')
      .requiredOption('--from <time>', 'start, inclusive: RFC 3339 time, date (UTC), or how long ago (30m, 24h, 7d)')
      .option('--to <time>', 'end, exclusive; default: now')
      .option('--charge-point <id>', 'only this one; default: all registered charge points of the account')
      .option('--method <name...>', 'only these messages')
      .option('--schema-errors', 'only messages that the official schema objects to')
      .addOption(new Option('--format <format>', 'how rows are written').choices(['csv', 'ndjson']).default('csv'))
      .option('-o, --output <file>', 'new file; it appears when it is complete; default: stdout')
      .option('--trace <file>', 'new file with the frames of --charge-point, for pilotwire simulate --replay')
      .option(...ACCOUNT_FLAG),
    'pilotwire command export --from 24h --charge-point EV-001 -o messages.csv',
    'pilotwire command export --from 24h --charge-point EV-001 --trace ev-001.jsonl',
    'pilotwire command export --from 2026-08-01 --to 2026-09-01 --format ndjson --method StopTransaction | jq .request',
  ).action((options: ExportOptions) => exportCommands(context, options))
}

async function exportCommands(context: CliContext, options: ExportOptions): Promise<void> {
  await withReads(context, async (access) => {
    if (options.trace !== undefined) return exportTrace(context, access, options, options.trace)
    const searches = await frozenSearches(context, access, options)
    const sink = await openSink(options.output)
    try {
      const rows = await writeRows(context, access, searches, options, sink)
      await sink.finish()
      context.note(`${rows} rows${options.output === undefined ? '' : ` in ${options.output}`}.`)
    } catch (error) {
      await sink.abandon()
      throw error
    }
  })
}

async function exportTrace(
  context: CliContext,
  access: ReadAccess,
  options: ExportOptions,
  file: string,
): Promise<void> {
  if (options.chargePoint === undefined) throw new UsageError('A trace is of one station: name it with --charge-point.')
  if (options.output !== undefined) throw new UsageError('--trace names the file itself: leave -o out.')
  const [search] = await frozenSearches(context, access, options)
  if (!search) return
  const trace = await traceOf(access.reads, search)
  if (trace.frames === 0) throw new UsageError(`There are no messages of ${options.chargePoint} in this time.`)
  const sink = await openSink(file)
  try {
    await sink.write(Buffer.from(`${trace.lines.join('\n')}\n`))
    await sink.finish()
  } catch (error) {
    await sink.abandon()
    throw error
  }
  context.note(`${trace.frames} frames in ${file}.`)
}

/** One search per charge point; its end is fixed now, so that an export ends under constant inserts. */
async function frozenSearches(
  context: CliContext,
  { reads }: ReadAccess,
  options: ExportOptions,
): Promise<readonly FrozenSearch[]> {
  const now = context.now()
  const fromMs = readMoment('--from', options.from, now)
  const toMs = options.to === undefined ? undefined : readMoment('--to', options.to, now)
  if (toMs !== undefined && fromMs >= toMs) throw new UsageError('--from must be earlier than --to.')
  const bounds = { fromMs, toMs }
  const filter = {
    methods: options.method,
    ...(options.schemaErrors && { schemaErrors: true }),
  }
  const ids = await chargePointIds(context, reads, options)
  return Promise.all(
    ids.map(async (chargePointId) => {
      const window = freezeWindow(bounds, (await reads.newestCommandId(chargePointId)) ?? 0)
      return { chargePointId, window, filter }
    }),
  )
}

/** A charge point named by id may be one that was deleted or never registered: the log has its messages too. */
async function chargePointIds(
  { note }: CliContext,
  reads: Reads,
  { chargePoint, account }: ExportOptions,
): Promise<readonly string[]> {
  if (chargePoint !== undefined) {
    const registered = await reads.findChargePoint(chargePoint)
    if (!registered) note(`${chargePoint} is not registered (see pilotwire charge-point list); looking in the log.`)
    else if (account !== undefined && registered.accountId !== (await chooseAccount(reads, account)).id)
      throw new UsageError(`There is no charge point ${chargePoint} in this account: see pilotwire charge-point list`)
    return [chargePoint]
  }
  const { id } = await chooseAccount(reads, account)
  return (await allChargePoints(reads, id)).map((row) => row.id)
}

async function writeRows(
  context: CliContext,
  { reads }: ReadAccess,
  searches: readonly FrozenSearch[],
  { format }: ExportOptions,
  sink: Sink,
): Promise<number> {
  const counts = context.terminal ? await Promise.all(searches.map((search) => countAll(reads, search))) : []
  const progress = startProgress(
    context,
    'rows',
    counts.reduce((sum, { value }) => sum + value, 0),
  )
  let rows = 0
  try {
    if (format === 'csv') await sink.write(Buffer.from(csvHeader()))
    for (const search of searches) {
      for await (const chunk of exportAll(reads, search, format)) {
        await sink.write(chunk.text)
        rows += chunk.rows
        progress.update(rows)
      }
    }
    return rows
  } finally {
    progress.stop()
  }
}
