import type { Config } from '../../config/config.ts'
import { nodeName } from '../../config/node-name.ts'
import { readSettings, readTextFile } from '../../config/read-settings.ts'
import { startServer } from '../app.ts'
import { type FirstStart, type FirstStartResult, firstStart } from '../first-start.ts'
import { createLog } from '../log.ts'
import { letYoungSpaceGrow } from '../young-space.ts'
import type { CliContext } from './cli-context.ts'
import { withWrites } from './database.ts'
import { command } from './declare.ts'
import { refusedPort, requirePort } from './free-port.ts'
import type { JsonOption } from './output/print.ts'
import {
  addresses,
  firstStartLines,
  keptLines,
  madeElsewhereLine,
  modeLine,
  openChargePoints,
} from './output/serve-text.ts'
import { firstStartFile, keepForOwner, placeOfSecrets } from './output/show-once.ts'
import { untilSignal } from './output/signals.ts'

export const register = command({
  usage: 'serve',
  does: 'run the server until SIGTERM or SIGINT',
  takes: [['--json', 'print one JSON object when the server is ready']],
  withoutJson: true,
  examples: [
    'pilotwire serve',
    'PILOTWIRE_BASE_URL=https://charging.example.com pilotwire serve',
    'PILOTWIRE_PORT=0 pilotwire serve --json',
  ],
  run: serve,
})

async function serve(context: CliContext, { json }: JsonOption): Promise<void> {
  const { config, first, madeElsewhere, open } = await prepare(context)
  const log = createLog({ level: config.logLevel, stream: process.stderr, readable: context.terminal })
  // Before anything is announced: the reader of that line may send a signal at once.
  const signal = untilSignal(context)
  let server: Awaited<ReturnType<typeof startServer>>
  try {
    server = await startServer(config, log)
    letYoungSpaceGrow()
  } catch (error) {
    // What was generated exists now and is shown only once: a start that fails must not swallow it.
    if (first) announce(context, config, config.baseUrl, first, json)
    throw new Error(startFailure(error, config))
  }
  announce(context, config, server.url, first, json)
  context.note(`Pilotwire listens on ${server.url}.`)
  context.note(modeLine(config))
  if (madeElsewhere) context.note(madeElsewhereLine(madeElsewhere))
  if (open > 0) context.note(`warning: ${openChargePoints(open)}`)
  const reason = await Promise.race([signal.received, server.failed])
  if (reason instanceof Error) {
    await server.stop().catch((error: unknown) => log.error({ err: error }, 'Stopping after the failure failed too'))
    throw new Error(`The server cannot go on and stops: ${reason.message}`)
  }
  context.note(`${reason}: finishing open work; a second signal ends it at once.`)
  await server.stop()
  signal.dispose()
}

/** Database, key, migrations and, once, the account: before any socket opens, and not without a port (SERVER-C5). */
async function prepare(context: CliContext): Promise<{ config: Config; open: number } & FirstStartResult> {
  const { settings } = readSettings(context.environment, readTextFile)
  if (settings) await requirePort(settings)
  return withWrites(context, async ({ config, reads, writes }) => {
    const made = await firstStart(reads, writes, config, nodeName(config), context.random, context.now())
    const open = config.mode === 'production' ? await reads.countOpenChargePoints() : 0
    return { config, open, ...made }
  })
}

function announce(context: CliContext, config: Config, url: string, first?: FirstStart, json?: boolean): void {
  if (json) {
    context.out(JSON.stringify({ mode: config.mode, ...addresses(config, url), firstStart: first }))
    return
  }
  if (!first) return
  if (placeOfSecrets(config, context) === 'print') {
    for (const line of firstStartLines(config, url, first)) context.out(line)
    return
  }
  const file = firstStartFile(config)
  keepForOwner(file, firstStartLines(config, url, first))
  for (const line of keptLines(config, url, file)) context.out(line)
}

function startFailure(error: unknown, config: Config): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === 'listen' ? refusedPort(code, config) : error.message
}
