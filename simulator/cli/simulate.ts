/** `pilotwire simulate`: a station (or a fleet of them) that lives through a full charge, then says what to look at. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CliContext, examples, UsageError, useSettings } from '../../src/cli/context.ts'
import { ExitCode } from '../../src/cli/output/exit-code.ts'
import { JSON_FLAG } from '../../src/cli/output/print.ts'
import { untilSignal } from '../../src/cli/output/signals.ts'
import { systemClock } from '../../src/clock.ts'
import { type ChargePoint, createChargePoint } from '../charge-point.ts'
import { fleetIds, startDelayMs } from '../fleet/ids.ts'
import { type ChargeSummary, fullCharge, TokenRefused } from '../stories/full-charge.ts'
import { stayOnline } from '../stories/stay.ts'
import { startChargeProgress } from './progress.ts'
import { ApiFailure, apiAddress, cardLine, curlLines, fetchSession, type PublicSession } from './session-lookup.ts'

/** Meter values of one charge of a station that stays. */
const SAMPLES_OF_A_STAY = 16

interface SimulateOptions {
  readonly ocpp: '1.6' | '2.0.1'
  /** Absent: that of the settings. */
  readonly url?: URL
  readonly id: string
  readonly password?: string
  readonly idToken: string
  readonly duration: number
  readonly energy: number
  readonly fleet: number
  readonly stay?: true
  readonly credential?: string
  readonly json?: true
}

export interface SimulatedCharge extends ChargeSummary {
  readonly session?: PublicSession
}

export function registerSimulate(program: Command, context: CliContext): void {
  examples(
    program
      .command('simulate')
      .description('connect a simulated charge point and run a full charge')
      .addOption(new Option('--ocpp <version>', 'OCPP version').choices(['1.6', '2.0.1']).default('1.6'))
      .option('--url <url>', 'OCPP address without the identity; default: that of the settings', ocppUrl)
      .option('--id <identity>', 'identity of the charge point', identity, 'SIM-001')
      .option('--password <password>', 'its password; none in development mode')
      .option('--id-token <token>', 'the card that is shown', 'SIM-CARD-1')
      .option('--duration <seconds>', 'how long the charge takes on the wall clock', positive(1, 86_400), 20)
      .option('--energy <kWh>', 'how much the car takes', positive(0.01, 100), 7.5)
      .option('--fleet <count>', 'so many stations at once, counted up from --id', wholeNumber(1, 5_000), 1)
      .option('--stay', 'charge only when started from afar, until Ctrl-C; --duration and --energy tell of each charge')
      .option('--credential <pwk_…>', 'API credential, to show the session (env: PILOTWIRE_API_CREDENTIAL)')
      .option(...JSON_FLAG),
    'pilotwire simulate',
    'pilotwire simulate --ocpp 2.0.1 --id EV-002 --duration 40 --energy 20',
    'pilotwire simulate --url wss://charge.example.com/ocpp --id EV-001 --password "$PASSWORD"',
    'pilotwire simulate --fleet 50 --duration 30',
    'pilotwire simulate --stay --duration 120',
  ).action((options: SimulateOptions) => simulate({ ...options, url: options.url ?? urlOfSettings(context) }, context))
}

/** Where a server with the same settings is reached: charge points stand below the base URL, as its clients do. */
function urlOfSettings(context: CliContext): URL {
  const { baseUrl } = useSettings(context)
  if (new URL(baseUrl).port === '0') throw new UsageError('PILOTWIRE_PORT=0 takes any free port: say which with --url.')
  return new URL(`${baseUrl.replace(/^http/, 'ws')}/ocpp`)
}

type Located = SimulateOptions & { readonly url: URL }

async function simulate(options: Located, context: CliContext): Promise<void> {
  const durationMs = options.duration * 1000
  const chargePoints = fleetIds(options.id, options.fleet).map((id) =>
    createChargePoint({
      protocol: `ocpp${options.ocpp}`,
      url: options.url.href,
      id,
      ...(options.password !== undefined && { password: options.password }),
      ...(options.stay && { sampleIntervalMs: Math.max(1000, durationMs / SAMPLES_OF_A_STAY) }),
      problem: (message) => context.note(`${id}: ${message}`),
    }),
  )
  if (options.stay) return stay(chargePoints, options, context)
  const progress = startChargeProgress({ ...context, chargePoints, durationMs })
  try {
    const charges = await Promise.all(
      chargePoints.map((chargePoint, position) =>
        afterDelay(startDelayMs(position, options.fleet, durationMs), () =>
          fullCharge(chargePoint, {
            clock: systemClock,
            idToken: { id: options.idToken, type: 'ISO14443' },
            durationMs,
            energyWh: options.energy * 1000,
            step: (step) => progress.step(chargePoint.id, step),
          }),
        ),
      ),
    )
    progress.stop()
    await Promise.all(chargePoints.map((chargePoint) => chargePoint.disconnect()))
    await report(charges, options, context)
  } catch (error) {
    progress.stop()
    if (error instanceof TokenRefused) sayHowToRegister(error, options, context)
    throw error
  } finally {
    progress.stop()
    await Promise.all(chargePoints.map((chargePoint) => chargePoint.powerOff()))
  }
}

function sayHowToRegister({ idToken, status }: TokenRefused, { url }: Located, { note }: CliContext): void {
  const line = cardLine(apiAddress(url.href), idToken, status)
  if (line === undefined) return
  note('This lets the card charge (PILOTWIRE_API_CREDENTIAL is printed by the first start, or by credential create):')
  note(`  ${line}`)
}

/** A fleet says nothing step by step: its lines would bury what matters. */
async function stay(chargePoints: readonly ChargePoint[], options: Located, context: CliContext): Promise<void> {
  const signal = untilSignal(context)
  try {
    await Promise.all(
      chargePoints.map((chargePoint) =>
        stayOnline(chargePoint, {
          clock: systemClock,
          durationMs: options.duration * 1000,
          energyWh: options.energy * 1000,
          until: signal.received,
          ...(options.fleet === 1 && { step: (step) => context.note(`${chargePoint.id}: ${step}`) }),
        }),
      ),
    )
  } finally {
    signal.dispose()
    await Promise.all(chargePoints.map((chargePoint) => chargePoint.powerOff()))
  }
}

async function report(charges: readonly ChargeSummary[], options: Located, context: CliContext): Promise<void> {
  const apiUrl = apiAddress(options.url.href)
  const credential = options.credential ?? context.environment.PILOTWIRE_API_CREDENTIAL
  const shown: SimulatedCharge[] = []
  let complaint: Error | undefined
  for (const charge of charges) {
    const asking = complaint instanceof ApiFailure ? undefined : credential
    const session = asking ? await sessionOrReason(apiUrl, asking, charge.evseControllerId) : undefined
    if (session instanceof Error) complaint = session
    shown.push({ ...charge, ...(session !== undefined && !(session instanceof Error) && { session }) })
  }
  if (options.json) context.out(JSON.stringify(options.fleet === 1 ? shownObject(shown[0]) : shown.map(shownObject)))
  else for (const line of shown.flatMap(chargeLines)) context.out(line)

  const first = charges[0]
  if (first && !options.json) {
    const known = credential === undefined ? ' (PILOTWIRE_API_CREDENTIAL is printed by the first start)' : ''
    context.note(`\nSee it over the API${known}:`)
    for (const line of curlLines(apiUrl, first)) context.note(`  ${line}`)
  }
  if (complaint !== undefined) context.note(`error: ${complaint.message}`)
  const undelivered = charges.reduce((sum, charge) => sum + charge.undeliveredMessages, 0)
  if (undelivered > 0) {
    context.note(
      `error: ${undelivered} transaction messages were not taken by the central system: is it running? Its log says more`,
    )
  }
  if (undelivered > 0 || complaint !== undefined) throw new ExitCode(1)
}

/** The charge has happened whatever the API says of it: why it shows none is one more line. */
async function sessionOrReason(apiUrl: string, credential: string, id: string): Promise<PublicSession | Error> {
  try {
    return await fetchSession(apiUrl, credential, id)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function shownObject(charge: SimulatedCharge | undefined) {
  if (!charge) return {}
  const { energyWh, startedAt, stoppedAt, ...rest } = charge
  return {
    ...rest,
    energyKwh: energyWh / 1000,
    startedAt: new Date(startedAt).toISOString(),
    stoppedAt: new Date(stoppedAt).toISOString(),
  }
}

function chargeLines(charge: SimulatedCharge): readonly string[] {
  const lines = [
    `charge point    ${charge.evseControllerId}`,
    `transaction     ${charge.transactionId ?? '-'}`,
    `energy          ${(charge.energyWh / 1000).toFixed(3)} kWh`,
  ]
  if (!charge.session) return lines
  return [`session         ${charge.session.id}`, ...lines, JSON.stringify(charge.session, undefined, 2)]
}

async function afterDelay<T>(ms: number, work: () => Promise<T>): Promise<T> {
  if (ms > 0) await new Promise<void>((resolve) => void systemClock.after(ms, resolve))
  return work()
}

function identity(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected an identity, e.g. SIM-001.')
  return text
}

function ocppUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'ws:' && url?.protocol !== 'wss:')
    throw new InvalidArgumentError('Expected a WebSocket address, e.g. ws://localhost:8080/ocpp.')
  return url
}

function positive(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= least && value <= most))
      throw new InvalidArgumentError(`Expected a number from ${least} to ${most}.`)
    return value
  }
}

function wholeNumber(least: number, most: number): (text: string) => number {
  const parse = positive(least, most)
  return (text) => {
    const value = parse(text)
    if (!Number.isInteger(value)) throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
    return value
  }
}
