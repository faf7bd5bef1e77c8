import type { Command } from 'commander'
import { isoTime } from '../../../domain/iso-time.ts'
import { type CliContext, UsageError } from '../cli-context.ts'
import { declare, type Listed } from '../declare.ts'
import { readMoment } from '../options/time-option.ts'
import type { Printable } from '../output/print.ts'
import { type ApiOptions, callApi, ofApi } from './call-api.ts'

type ListOptions = Partial<Record<'chargePoint' | 'state' | 'from' | 'to' | 'limit', string>> & ApiOptions
type StartOptions = { chargePoint: string } & Partial<
  Record<'connector' | 'evse' | 'idToken' | 'externalReference' | 'ttl', string>
> &
  ApiOptions
type SettleOptions = Partial<Record<'cost' | 'currency' | 'energy' | 'reason' | 'key', string>> & ApiOptions

const COLUMNS = ['id', 'evseControllerId', 'state', 'energyKwh', 'cost', 'currency', 'startedAt', 'stoppedAt']

export function registerSessionOrders(session: Command, context: CliContext): void {
  declare(session, context, {
    usage: 'list',
    does: 'sessions, newest first',
    takes: (command) =>
      ofApi(command)
        .option('--charge-point <id>', 'only of this one')
        .option('--state <state>', 'only in this state')
        .option('--from <time>', 'start, inclusive: RFC 3339 time, date (UTC), or how long ago (30m, 24h, 7d)')
        .option('--to <time>', 'end, exclusive')
        .option('--limit <number>', 'at most so many; default: 100'),
    run: list,
  })
  declare(session, context, {
    usage: 'show <id>',
    does: 'one session',
    takes: ofApi,
    examples: ['pilotwire session show 0197f3c2-5a10-7abc-8def-0123456789ab'],
    run: show,
  })
  declare(session, context, {
    usage: 'start',
    does: 'start a session from afar',
    takes: (command) =>
      ofApi(command)
        .requiredOption('--charge-point <id>', 'where')
        .option('--connector <number>', 'its connector')
        .option('--evse <number>', 'its EVSE (OCPP 2.0.1)')
        .option('--id-token <id>', 'the card that it is for')
        .option('--external-reference <text>', 'what it is called elsewhere')
        .option('--ttl <seconds>', 'wait so long for a charge point that is away'),
    examples: ['pilotwire session start --charge-point EV-001 --connector 1'],
    run: start,
  })
  declare(session, context, {
    usage: 'stop <id>',
    does: 'stop a session; it is carried out until the charge has ended',
    takes: ofApi,
    examples: ['pilotwire session stop 0197f3c2-5a10-7abc-8def-0123456789ab'],
    run: stop,
  })
  declare(session, context, {
    usage: 'settle <id>',
    does: 'settle a completed session, or correct a settlement',
    takes: (command) =>
      ofApi(command)
        .option('--cost <amount>', 'excluding VAT')
        .option('--currency <code>', 'where the session has none yet')
        .option('--energy <kWh>', 'a corrected energy')
        .option('--reason <text>', 'why')
        .option('--key <text>', 'makes a repetition safe; default: a fresh one'),
    examples: ['pilotwire session settle 0197f3c2-5a10-7abc-8def-0123456789ab --cost 12.5 --currency EUR'],
    run: settle,
  })
}

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
