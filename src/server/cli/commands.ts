import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { isoTime } from '../../domain/iso-time.ts'
import { csvHeader } from '../../domain/message-log/csv.ts'
import { logIdTime } from '../../domain/message-log/log-id.ts'
import { exportAll, type FrozenSearch, freezeWindow, searchAll } from '../../domain/message-log/search.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { ExportFormat } from '../../domain/ports/storage-queries.ts'
import type { Command as CommandRow } from '../../domain/ports/storage-records.ts'
import { type ApiOptions, callApi } from './call-api.ts'
import { allChargePoints } from './charge-point.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { type ReadAccess, withReads } from './database.ts'
import { commandGroup, OF_ACCOUNT, OF_SERVER, REQUIRED } from './declare.ts'
import { type AccountOption, chooseAccount, readMoment } from './options.ts'
import { ExitCode, type JsonOption, printObject } from './output/print.ts'

type ExportOptions = {
  from: string
  method?: readonly string[] | undefined
  schemaErrors?: true | undefined
  format: ExportFormat
} & Partial<Record<'to' | 'chargePoint' | 'output' | 'trace', string>> &
  AccountOption

export const register = commandGroup(
  'command',
  'OCPP messages: the log, and new ones to charge points',
  [
    {
      usage: 'send',
      does: 'send an OCPP command and show what was answered; ends with 1 when it was not accepted as a message, or not answered while it waited',
      takes: [
        ['--charge-point <id>', 'where to', REQUIRED],
        ['--method <name>', 'the command, such as Reset', REQUIRED],
        ['--request <json>', 'its payload', { default: '{}' }],
        ['--wait <seconds>', 'wait so long for the answer', { default: '10' }],
        ['--ttl <seconds>', 'wait so long for a charge point that is away'],
        ...OF_SERVER,
      ],
      examples: ['pilotwire command send --charge-point EV-001 --method Reset --request \'{"type":"Soft"}\''],
      run: send,
    },
    {
      usage: 'export',
      does: 'write messages to a file or stdout, newest first, one charge point after the other',
      takes: [
        ['--from <time>', 'start, inclusive: RFC 3339 time, date (UTC), or how long ago (30m, 24h, 7d)', REQUIRED],
        ['--to <time>', 'end, exclusive; default: now'],
        ['--charge-point <id>', 'only this one; default: all registered charge points of the account'],
        ['--method <name...>', 'only these messages'],
        ['--schema-errors', 'only messages that the official schema objects to'],
        ['--format <format>', 'how rows are written', { choices: ['csv', 'ndjson'], default: 'csv' }],
        ['-o, --output <file>', 'new file; it appears when it is complete; default: stdout'],
        ['--trace <file>', 'new file with the frames of --charge-point, for pilotwire simulate --replay'],
        ...OF_ACCOUNT,
      ],
      withoutJson: true,
      examples: [
        'pilotwire command export --from 24h --charge-point EV-001 -o messages.csv',
        'pilotwire command export --from 24h --charge-point EV-001 --trace ev-001.jsonl',
        'pilotwire command export --from 2026-08-01 --to 2026-09-01 --format ndjson --method StopTransaction | jq .request',
      ],
      run: exportCommands,
    },
  ],
  'commands',
)

async function exportCommands(context: CliContext, options: ExportOptions): Promise<void> {
  await withReads(context, async (access) => {
    if (options.trace !== undefined) return exportTrace(context, access, options, options.trace)
    const searches = await frozenSearches(context, access, options)
    const rows = await intoSink(options.output, (sink) => writeRows(access, searches, options, sink))
    context.note(`${rows} rows${options.output === undefined ? '' : ` in ${options.output}`}.`)
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
  await intoSink(file, (sink) => sink.write(Buffer.from(`${trace.lines.join('\n')}\n`)))
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
  { reads }: ReadAccess,
  searches: readonly FrozenSearch[],
  { format }: ExportOptions,
  sink: Sink,
): Promise<number> {
  let rows = 0
  if (format === 'csv') await sink.write(Buffer.from(csvHeader()))
  for (const search of searches) {
    for await (const chunk of exportAll(reads, search, format)) {
      await sink.write(chunk.text)
      rows += chunk.rows
    }
  }
  return rows
}

type SendOptions = {
  chargePoint: string
  method: string
  request: string
  wait: string
  ttl?: string | undefined
} & ApiOptions &
  JsonOption

async function send(context: CliContext, options: SendOptions): Promise<void> {
  const { chargePoint, method } = options
  const body = {
    method,
    request: requestOf(options.request),
    wait: seconds('--wait', options.wait),
    ttl: options.ttl === undefined ? undefined : seconds('--ttl', options.ttl),
  }
  const path = `/2/evse-controllers/${encodeURIComponent(chargePoint)}/commands`
  const row = await callApi(context, options, { method: 'POST', path, body })
  printObject(context, row, options.json)
  if (row.status === 'pending') {
    const waited = body.wait === 0 ? 'Did not wait for the answer' : `No answer within ${body.wait} s`
    context.note(
      `${waited}: the command is sent when ${chargePoint} is there (pilotwire charge-point list shows who is), until it expires.`,
    )
    if (body.wait === 0) return
  }
  if (row.status !== 'success') throw new ExitCode(EXIT.failure)
}

function requestOf(text: string): unknown {
  const request = parsedJson(text)
  if (typeof request === 'object' && request !== null && !Array.isArray(request)) return request
  throw new UsageError(`--request ${JSON.stringify(text)} is no JSON object: expected something like {"type":"Soft"}`)
}

function seconds(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new UsageError(`${flag} ${JSON.stringify(text)} is no whole number of seconds.`)
}

/** Where an export goes. Waits for slow readers, and never lets an unfinished file look like a finished one. */
interface Sink {
  write(text: Uint8Array): Promise<void>
  finish(): Promise<void>
  abandon(): Promise<void>
}

async function intoSink<T>(file: string | undefined, write: (sink: Sink) => Promise<T>): Promise<T> {
  const sink = await openSink(file)
  try {
    const written = await write(sink)
    await sink.finish()
    return written
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

/** Throws UsageError when the file exists: an export never overwrites. */
export async function openSink(file: string | undefined, stdout: Writable = process.stdout): Promise<Sink> {
  if (file === undefined || file === '-') return streamSink(stdout)
  if (existsSync(file)) throw new UsageError(`${file} exists already: name a new file.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new UsageError(`The folder ${folder} does not exist: make it first.`)
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600)
  return {
    write: async (text) => {
      await handle.write(text)
    },
    async finish() {
      await handle.sync()
      await handle.close()
      await rename(draft, file)
    },
    async abandon() {
      await handle.close()
      await rm(draft, { force: true })
    },
  }
}

function streamSink(stream: Writable): Sink {
  return {
    async write(text) {
      if (!stream.write(text)) await once(stream, 'drain')
    },
    finish: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  }
}

/** The log of one charge point as a trace: JSON lines of its frames in the order they crossed the wire. */
const PAGE_ROWS = 500

interface Trace {
  readonly lines: readonly string[]
  readonly frames: number
}

/** Payloads are the text that crossed the wire, to the byte. */
async function traceOf(reads: Reads, search: FrozenSearch): Promise<Trace> {
  const frames: { readonly at: number; readonly text: string }[] = []
  let protocol: string | undefined
  for await (const rows of searchAll(reads, search, PAGE_ROWS)) {
    for (const row of rows) {
      protocol ??= row.protocol
      frames.push(...framesOf(row))
    }
  }
  // Rows came newest first; of frames of one instant the earlier row's stand first.
  frames.reverse()
  frames.sort((a, b) => a.at - b.at)
  const head = JSON.stringify({ protocol, chargePointId: search.chargePointId })
  return { lines: [head, ...frames.map(({ text }) => text)], frames: frames.length }
}

/** The answer before its CALL, as the order is turned round afterwards. */
function framesOf(row: CommandRow): readonly { readonly at: number; readonly text: string }[] {
  const id = JSON.stringify(row.messageId)
  const calledAt = logIdTime(row.id)
  const call = `[2,${id},${JSON.stringify(row.method)},${row.request}]`
  const answerFrom = row.direction === 'in' ? 'out' : 'in'
  const answer = answerFrame(row, id)
  return [
    ...(answer === undefined ? [] : [line(Math.max(calledAt, row.answeredAt ?? calledAt), answerFrom, answer)]),
    line(calledAt, row.direction, call),
  ]
}

function answerFrame({ status, response, error }: CommandRow, id: string): string | undefined {
  if (status === 'success' && response !== undefined) return `[3,${id},${response}]`
  if (status !== 'error' || !error) return undefined
  return `[4,${id},${JSON.stringify(error.code)},${JSON.stringify(error.description)},${JSON.stringify(error.details ?? {})}]`
}

function line(at: number, direction: 'in' | 'out', frame: string): { readonly at: number; readonly text: string } {
  return { at, text: `{"at":"${isoTime(at)}","direction":"${direction}","frame":${frame}}` }
}
