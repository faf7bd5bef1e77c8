import { sessionSettings } from '../../core/core-settings.ts'
import { type Difference, rebuildSession } from '../../core/rebuild/rebuild.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { type ApiOptions, callApi } from './call-api.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { withReads } from './database.ts'
import { commandGroup, type Listed, OF_SERVER, REQUIRED } from './declare.ts'
import { readMoment } from './options.ts'
import { ExitCode, type JsonOption, type Printable, printList } from './output/print.ts'

type ListOptions = Partial<Record<'chargePoint' | 'state' | 'from' | 'to' | 'limit', string>> & ApiOptions
type StartOptions = { chargePoint: string } & Partial<
  Record<'connector' | 'evse' | 'idToken' | 'externalReference' | 'ttl', string>
> &
  ApiOptions
type SettleOptions = Partial<Record<'cost' | 'currency' | 'energy' | 'reason' | 'key', string>> & ApiOptions

const COLUMNS = ['id', 'evseControllerId', 'state', 'energyKwh', 'cost', 'currency', 'startedAt', 'stoppedAt']

export const register = commandGroup(
  'session',
  'charging sessions',
  [
    {
      usage: 'list',
      does: 'sessions, newest first',
      takes: [
        ...OF_SERVER,
        ['--charge-point <id>', 'only of this one'],
        ['--state <state>', 'only in this state'],
        ['--from <time>', 'start, inclusive: RFC 3339 time, date (UTC), or how long ago (30m, 24h, 7d)'],
        ['--to <time>', 'end, exclusive'],
        ['--limit <number>', 'at most so many; default: 100'],
      ],
      run: list,
    },
    {
      usage: 'show <id>',
      does: 'one session',
      takes: OF_SERVER,
      examples: ['pilotwire session show 0197f3c2-5a10-7abc-8def-0123456789ab'],
      run: show,
    },
    {
      usage: 'start',
      does: 'start a session from afar',
      takes: [
        ...OF_SERVER,
        ['--charge-point <id>', 'where', REQUIRED],
        ['--connector <number>', 'its connector'],
        ['--evse <number>', 'its EVSE (OCPP 2.0.1)'],
        ['--id-token <id>', 'the card that it is for'],
        ['--external-reference <text>', 'what it is called elsewhere'],
        ['--ttl <seconds>', 'wait so long for a charge point that is away'],
      ],
      examples: ['pilotwire session start --charge-point EV-001 --connector 1'],
      run: start,
    },
    {
      usage: 'stop <id>',
      does: 'stop a session; it is carried out until the charge has ended',
      takes: OF_SERVER,
      examples: ['pilotwire session stop 0197f3c2-5a10-7abc-8def-0123456789ab'],
      run: stop,
    },
    {
      usage: 'settle <id>',
      does: 'settle a completed session, or correct a settlement',
      takes: [
        ...OF_SERVER,
        ['--cost <amount>', 'excluding VAT'],
        ['--currency <code>', 'where the session has none yet'],
        ['--energy <kWh>', 'a corrected energy'],
        ['--reason <text>', 'why'],
        ['--key <text>', 'makes a repetition safe; default: a fresh one'],
      ],
      examples: ['pilotwire session settle 0197f3c2-5a10-7abc-8def-0123456789ab --cost 12.5 --currency EUR'],
      run: settle,
    },
    {
      usage: 'rebuild',
      does: 'decide a session again from the stored messages and show what differs; changes nothing',
      takes: [['<id>', 'the session']],
      examples: ['pilotwire session rebuild 0197f3c2-5a10-7abc-8def-0123456789ab'],
      run: rebuild,
    },
  ],
  'sessions',
)

async function list(context: CliContext, options: ListOptions): Promise<Listed> {
  const now = context.now()
  const time = (flag: string, text: string | undefined): string | undefined =>
    text === undefined ? undefined : isoTime(readMoment(flag, text, now))
  const query = new URLSearchParams()
  const requested = {
    evseControllerId: options.chargePoint,
    state: options.state,
    from: time('--from', options.from),
    to: time('--to', options.to),
    limit: options.limit,
  }
  for (const [name, value] of Object.entries(requested)) if (value !== undefined) query.set(name, value)
  const { data } = await callApi(context, options, { method: 'GET', path: `/2/sessions?${query}` })
  return { rows: data as readonly Printable[], columns: COLUMNS }
}

function show(context: CliContext, id: string, options: ApiOptions): Promise<Printable> {
  return callApi(context, options, { method: 'GET', path: pathOf(id) })
}

async function start(context: CliContext, options: StartOptions): Promise<Printable> {
  const body = {
    evseControllerId: options.chargePoint,
    connectorId: numberOf('--connector', options.connector),
    evseId: numberOf('--evse', options.evse),
    idToken: options.idToken,
    externalReference: options.externalReference,
    ttl: numberOf('--ttl', options.ttl),
  }
  return callApi(context, options, { method: 'POST', path: '/2/sessions', body })
}

function stop(context: CliContext, id: string, options: ApiOptions): Promise<Printable> {
  return callApi(context, options, { method: 'POST', path: `${pathOf(id)}/stop` })
}

async function settle(context: CliContext, id: string, options: SettleOptions): Promise<Printable> {
  const body = {
    cost: numberOf('--cost', options.cost),
    energyKwh: numberOf('--energy', options.energy),
    currency: options.currency,
    reason: options.reason,
  }
  const headers = { 'idempotency-key': options.key ?? context.random(16).toString('hex') }
  return callApi(context, options, { method: 'POST', path: `${pathOf(id)}/settlements`, body, headers })
}

function pathOf(id: string): string {
  return `/2/sessions/${encodeURIComponent(id)}`
}

function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return value
  throw new UsageError(`${flag} ${JSON.stringify(text)} is no number.`)
}

/** Ends with 1 where something differs. */
async function rebuild(context: CliContext, id: string, { json }: JsonOption): Promise<void> {
  await withReads(context, async ({ reads, settings }) => {
    const session = await reads.findSession(id)
    if (!session) throw new Error(`There is no session ${id}.`)
    const rebuilt = await rebuildSession(reads, session, sessionSettings(settings))
    if (!rebuilt) throw new Error(`The charge point ${session.chargePointId} is not registered any more.`)
    const { rows, events, differences } = rebuilt
    if (json || differences.length > 0) {
      printList(context, differences.map(differenceOf), ['event', 'member', 'stored', 'rebuilt'], json)
    }
    const compared = events === 0 ? 'the session (its events are no longer kept)' : `the session and ${events} events`
    context.note(`${rows} messages replayed, compared with ${compared}: differences ${differences.length}.`)
    if (differences.length > 0) throw new ExitCode(EXIT.failure)
  })
}

function differenceOf({ eventId, member, stored, rebuilt }: Difference): Printable {
  return { event: eventId ?? 'session', member, stored, rebuilt }
}
