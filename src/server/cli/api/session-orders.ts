/** Sessions over the server's API: looked at, started, stopped and settled. */
import type { Command } from 'commander'
import { type CliContext, examples, UsageError } from '../cli-context.ts'
import { readMoment } from '../options/time-option.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject } from '../output/print.ts'
import { type ApiOptions, callApi, credentialFlag, URL_FLAG } from './call-api.ts'

type Common = ApiOptions & JsonOption
type ListOptions = {
  chargePoint?: string | undefined
  state?: string | undefined
  from?: string | undefined
  to?: string | undefined
  limit?: string | undefined
} & Common
type StartOptions = {
  chargePoint: string
  connector?: string | undefined
  evse?: string | undefined
  idToken?: string | undefined
  externalReference?: string | undefined
  ttl?: string | undefined
} & Common
type SettleOptions = {
  cost?: string | undefined
  currency?: string | undefined
  energy?: string | undefined
  reason?: string | undefined
  key?: string | undefined
} & Common

const COLUMNS = ['id', 'evseControllerId', 'state', 'energyKwh', 'cost', 'currency', 'startedAt', 'stoppedAt']

export function registerSessionOrders(session: Command, context: CliContext): void {
  common(session.command('list').description('sessions, newest first'))
    .option('--charge-point <id>', 'only of this one')
    .option('--state <state>', 'only in this state')
    .option('--from <time>', 'start, inclusive: RFC 3339 time, date (UTC), or how long ago (30m, 24h, 7d)')
    .option('--to <time>', 'end, exclusive')
    .option('--limit <number>', 'at most so many; default: 100')
    .action((options: ListOptions) => list(context, options))
  examples(
    common(session.command('show <id>').description('one session')),
    'pilotwire session show 0197f3c2-5a10-7abc-8def-0123456789ab',
  ).action((id: string, options: Common) => show(context, id, options))
  examples(
    common(session.command('start').description('start a session from afar'))
      .requiredOption('--charge-point <id>', 'where')
      .option('--connector <number>', 'its connector')
      .option('--evse <number>', 'its EVSE (OCPP 2.0.1)')
      .option('--id-token <id>', 'the card that it is for')
      .option('--external-reference <text>', 'what it is called elsewhere')
      .option('--ttl <seconds>', 'wait so long for a charge point that is away'),
    'pilotwire session start --charge-point EV-001 --connector 1',
  ).action((options: StartOptions) => start(context, options))
  examples(
    common(session.command('stop <id>').description('stop a session; it is carried out until the charge has ended')),
    'pilotwire session stop 0197f3c2-5a10-7abc-8def-0123456789ab',
  ).action((id: string, options: Common) => stop(context, id, options))
  examples(
    common(session.command('settle <id>').description('settle a completed session, or correct a settlement'))
      .option('--cost <amount>', 'excluding VAT')
      .option('--currency <code>', 'where the session has none yet')
      .option('--energy <kWh>', 'a corrected energy')
      .option('--reason <text>', 'why')
      .option('--key <text>', 'makes a repetition safe; default: a fresh one'),
    'pilotwire session settle 0197f3c2-5a10-7abc-8def-0123456789ab --cost 12.5 --currency EUR',
  ).action((id: string, options: SettleOptions) => settle(context, id, options))
}

function common(command: Command): Command {
  return command
    .option(...URL_FLAG)
    .addOption(credentialFlag())
    .option(...JSON_FLAG)
}

async function list(context: CliContext, options: ListOptions): Promise<void> {
  const now = context.now()
  const time = (flag: string, text: string | undefined): string | undefined =>
    text === undefined ? undefined : new Date(readMoment(flag, text, now)).toISOString()
  const query = new URLSearchParams()
  const wanted = {
    evseControllerId: options.chargePoint,
    state: options.state,
    from: time('--from', options.from),
    to: time('--to', options.to),
    limit: options.limit,
  }
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, value)
  const { data } = await callApi(context, options, { method: 'GET', path: `/2/sessions?${query}` })
  printList(context, data as readonly Printable[], COLUMNS, options.json)
}

async function show(context: CliContext, id: string, options: Common): Promise<void> {
  const session = await callApi(context, options, { method: 'GET', path: pathOf(id) })
  printObject(context, session, options.json)
}

async function start(context: CliContext, options: StartOptions): Promise<void> {
  const body = {
    evseControllerId: options.chargePoint,
    ...numberOf('connectorId', '--connector', options.connector),
    ...numberOf('evseId', '--evse', options.evse),
    ...(options.idToken !== undefined && { idToken: options.idToken }),
    ...(options.externalReference !== undefined && { externalReference: options.externalReference }),
    ...numberOf('ttl', '--ttl', options.ttl),
  }
  const session = await callApi(context, options, { method: 'POST', path: '/2/sessions', body })
  printObject(context, session, options.json)
}

async function stop(context: CliContext, id: string, options: Common): Promise<void> {
  const session = await callApi(context, options, { method: 'POST', path: `${pathOf(id)}/stop` })
  printObject(context, session, options.json)
}

async function settle(context: CliContext, id: string, options: SettleOptions): Promise<void> {
  const body = {
    ...numberOf('cost', '--cost', options.cost),
    ...numberOf('energyKwh', '--energy', options.energy),
    ...(options.currency !== undefined && { currency: options.currency }),
    ...(options.reason !== undefined && { reason: options.reason }),
  }
  const headers = { 'idempotency-key': options.key ?? context.random(16).toString('hex') }
  const path = `${pathOf(id)}/settlements`
  printObject(context, await callApi(context, options, { method: 'POST', path, body, headers }), options.json)
}

function pathOf(id: string): string {
  return `/2/sessions/${encodeURIComponent(id)}`
}

function numberOf(name: string, flag: string, text: string | undefined): Readonly<Record<string, number>> {
  if (text === undefined) return {}
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value)) return { [name]: value }
  throw new UsageError(`${flag} ${JSON.stringify(text)} is no number.`)
}
