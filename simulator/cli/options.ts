import { type Command, InvalidArgumentError, Option } from 'commander'
import { LEAST_VOLTAGE, MAX_VOLTAGE } from '../../src/config/settings-ocpp.ts'
import { OCPI_VERSIONS, type OcpiVersion } from '../../src/domain/partners/records.ts'
import { UsageError } from '../../src/server/cli/cli-context.ts'
import { JSON_FLAG } from '../../src/server/cli/output/print.ts'
import type { Share } from '../fleet/ids.ts'
import { FAULT_CODES, type FaultCode } from '../model/facts.ts'
import { VEHICLES } from '../model/meter.ts'
import { VERSIONS, type Version } from '../quirks/quirk.ts'

export interface SimulateOptions {
  readonly ocpp?: Version
  /** Absent: that of the settings. */
  readonly url?: URL
  readonly id?: string
  readonly password?: string
  readonly idToken: string
  readonly count?: number
  readonly fleet?: number
  readonly mix?: readonly Share[]
  readonly ramp: number
  readonly connectors: number
  readonly speed?: number | 'max'
  readonly seed?: number
  readonly duration?: number
  readonly energy?: number
  readonly fault?: FaultCode
  readonly offlineFor?: number
  readonly stay?: true
  readonly scenario?: string
  readonly listScenarios?: true
  readonly quirk?: readonly string[]
  readonly listQuirks?: true
  readonly replay?: string
  readonly load?: Load
  readonly storm?: number
  readonly ui?: number | true
  readonly partner?: URL | true
  readonly token?: string
  readonly ocpi?: OcpiVersion
  readonly evse?: string
  readonly api?: string
  readonly credential?: string
  readonly vehicle?: readonly VehicleShare[]
  readonly soc?: Span
  readonly vendor?: string
  readonly model?: string
  readonly sample?: number
  readonly voltage?: number
  readonly json?: true
}

export interface VehicleShare {
  readonly vehicle: string
  readonly weight: number
}

/** Both ends are included. */
export interface Span {
  readonly least: number
  readonly most: number
}

/** So many calls a second, come what may; absent: closed, each station waits for its answer. */
export interface Load {
  readonly callsPerSecond?: number
}

const MAX_STATIONS = 20_000

export function addOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--ocpp <version>', 'OCPP version (default: 1.6); a server may not allow 2.1').choices(VERSIONS),
    )
    .option('--url <url>', 'OCPP address without the identity; default: that of the settings', ocppUrl)
    .option('--id <identity>', 'identity of the charge point (default: SIM-001); with --count its beginning', identity)
    .option('--password <password>', 'its password; none in development mode')
    .option('--id-token <token>', 'the card that is shown', 'SIM-CARD-1')
    .option(
      '--count <n>',
      'so many stations: PREFIX-00001, PREFIX-00002 … with --id PREFIX',
      wholeNumber(1, MAX_STATIONS),
    )
    .option('--fleet <n>', 'so many stations, counted up from --id', wholeNumber(1, MAX_STATIONS))
    .option('--mix <shares>', 'versions of a fleet, e.g. 1.6:60,2.0.1:30,2.1:10', versionShares)
    .option('--vehicle <cars>', 'compact, hybrid or touring; shares such as compact:60,hybrid:40; mix: all alike', cars)
    .option('--soc <percent>', 'battery of the car at arrival: 35, or a span such as 10-80 (default: 35)', percent)
    .option('--vendor <name>', 'vendor of the charge point', text('vendor', 50))
    .option('--model <name>', 'model of the charge point', text('model', 20))
    .option('--sample <seconds>', 'simulated seconds between meter values (default: 60)', wholeNumber(1, 86_400))
    .option('--voltage <volts>', 'of each phase of the grid (env: PILOTWIRE_VOLTAGE; default: 230)', volts)
    .option('--ramp <per second>', 'so many stations begin each second', positive(0.01, 100_000), 100)
    .option('--connectors <n>', 'connectors of each station; a car charges at each', wholeNumber(1, 100), 1)
    .option('--speed <factor>', 'how fast physics and waits run: 60x, or max; default: the charge in 20 seconds', speed)
    .option('--seed <n>', 'the same seed gives the same frames', wholeNumber(0, 0x7fff_ffff))
    .option(
      '--duration <seconds>',
      'simulated seconds of the charge (default: 2400); real seconds of a --load',
      positive(1, 31_536_000),
    )
    .option('--energy <kWh>', 'how much the car takes at most', positive(0.01, 1_000))
    .addOption(new Option('--fault <code>', 'a fault in the middle of the charge, for 30 seconds').choices(FAULT_CODES))
    .option('--offline-for <seconds>', 'no network in the middle of the charge', positive(0, 31_536_000))
    .option('--stay', 'charge only when started from afar, until Ctrl-C; --duration and --energy tell of each charge')
    .option('--scenario <name or file>', 'run a scenario of --list-scenarios, or a file.yaml')
    .option('--list-scenarios', 'list the scenarios')
    .option('--quirk <names>', 'misbehave like real firmware: names of --list-quirks, by commas', names)
    .option('--list-quirks', 'list the quirks')
    .option('--replay <trace.jsonl>', 'say what the station of a trace said, and compare the answers')
    .option('--load <kind>', 'keep calling: closed (each station waits for its answer) or open:CALLS_PER_SECOND', load)
    .option('--storm <seconds>', 'with --load: all stations reconnect at once, so often', positive(1, 86_400))
    .option(
      '--ui [port]',
      'a page on this machine with one station and its buttons (default port: 8090)',
      wholeNumber(0, 65_535),
    )
    .option(
      '--partner [url]',
      'a roaming charge by OCPI at this versions address; default: that of the settings',
      webUrl,
    )
    .option('--token <token>', 'with --partner: token A of the invitation (env: PILOTWIRE_OCPI_TOKEN)', credential)
    .addOption(
      new Option('--ocpi <version>', 'with --partner: OCPI version; default: the highest').choices(OCPI_VERSIONS),
    )
    .option('--evse <id>', 'with --partner: charge at this EVSE; default: the first one that is available')
    .option(
      '--api <pwk_…>',
      'API credential: a scenario may act and look, energies are compared, a partner is invited (env: PILOTWIRE_API_CREDENTIAL)',
      credential,
    )
    .option('--credential <pwk_…>', 'the same as --api', credential)
    .option(...JSON_FLAG)
}

export const volts = wholeNumber(LEAST_VOLTAGE, MAX_VOLTAGE)

/** What a text says; undefined where it is not what is expected. */
function expect<T>(expected: string, read: (text: string) => T | undefined): (text: string) => T {
  return (text) => {
    const value = read(text)
    if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`)
    return value
  }
}

function addressOf(protocols: RegExp): (text: string) => URL | undefined {
  return (text) => (URL.canParse(text) && protocols.test(new URL(text).protocol) ? new URL(text) : undefined)
}

function positive(least: number, most: number) {
  return expect(`a number from ${least} to ${most}`, (text) => numberWithin(text, least, most))
}

function wholeNumber(least: number, most: number) {
  const parse = positive(least, most)
  return expect(`a whole number from ${least} to ${most}`, (text) => {
    const value = parse(text)
    return Number.isInteger(value) ? value : undefined
  })
}

function numberWithin(text: string, least: number, most: number): number | undefined {
  const value = Number(text)
  return text.trim() !== '' && value >= least && value <= most ? value : undefined
}

/** As long as OCPP lets it be. */
function text(what: string, longest: number) {
  return expect(`a ${what} of 1 to ${longest} characters`, (given) =>
    given.trim() === '' || given.length > longest ? undefined : given,
  )
}

const identity = expect('an identity, e.g. SIM-001', (given) => given || undefined)
/** `--api $EMPTY --json` would take the next option for the credential. */
const credential = expect('a credential, such as pwk_…', (given) => (given.startsWith('-') ? undefined : given))
const ocppUrl = expect('a WebSocket address, e.g. ws://localhost:8080/ocpp', addressOf(/^wss?:$/))
const webUrl = expect('an address, e.g. https://charge.example.com/ocpi/versions', addressOf(/^https?:$/))
const speed = expect('a factor such as 60x, or max', (given): number | 'max' | undefined =>
  given === 'max' ? given : numberWithin(given.replace(/x$/, ''), 0.01, 1_000_000),
)
const load = expect('closed, or open:CALLS_PER_SECOND, e.g. open:500', (given): Load | undefined => {
  if (given === 'closed') return {}
  const callsPerSecond = Number(/^open:(\d+(?:\.\d+)?)$/.exec(given)?.[1])
  return callsPerSecond > 0 && callsPerSecond <= 1_000_000 ? { callsPerSecond } : undefined
})
const percent = expect('percent from 0 to 100, e.g. 35 or 10-80', (given): Span | undefined => {
  const [, least = '', most = least] = /^(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?$/.exec(given.trim()) ?? []
  const span = { least: Number(least), most: Number(most) }
  return least === '' || span.least > span.most || span.most > 100 ? undefined : span
})

/** `NAME:WEIGHT`, by commas. Undefined where one of them is wrong. */
function sharesOf<Name extends string>(given: string, known: readonly Name[], usual?: string) {
  const shares = given.split(',').map((part) => {
    const [name, weight = usual, ...more] = part.trim().split(':')
    const found = known.find((one) => one === name)
    const isWeight = weight !== undefined && /^\d+(?:\.\d+)?$/.test(weight) && Number(weight) > 0
    return found !== undefined && isWeight && more.length === 0 ? { name: found, weight: Number(weight) } : undefined
  })
  return shares.every((share) => share !== undefined) ? shares : undefined
}

const versionShares = expect(`shares of ${VERSIONS.join(', ')}, e.g. 1.6:60,2.0.1:30,2.1:10`, (given) =>
  sharesOf(given, VERSIONS)?.map(({ name: version, weight }): Share => ({ version, weight })),
)
const CARS = Object.keys(VEHICLES)
const cars = expect(`${CARS.join(', ')}, shares of them, e.g. compact:60,hybrid:40, or mix`, (given) =>
  sharesOf(given === 'mix' ? CARS.join(',') : given, CARS, '1')?.map(({ name: vehicle, weight }) => ({
    vehicle,
    weight,
  })),
)

function names(text: string, before: readonly string[] = []): readonly string[] {
  const list = text.split(',').map((name) => name.trim())
  if (list.some((name) => name === ''))
    throw new InvalidArgumentError('Expected names by commas, e.g. duplicate-start,no-pong.')
  return [...before, ...list]
}

const MODES = ['scenario', 'replay', 'load', 'stay', 'ui', 'partner'] as const
type Name = keyof SimulateOptions

const OF_ONE_CHARGE = ['fault', 'offlineFor'] as const
const OF_THE_CAR = ['vehicle', 'soc', 'energy'] as const
const OF_A_FLEET = ['count', 'fleet', 'mix', 'ramp'] as const
const OF_A_RUN = ['duration', 'connectors', 'sample', 'idToken'] as const
const OF_THE_API = ['api', 'credential'] as const
const OF_THE_PLATE = ['vendor', 'model', 'voltage'] as const
const OF_A_STATION = ['ocpp', 'url', 'id', 'password', 'idToken', 'connectors', 'speed', 'seed', 'sample'] as const
const OF_A_PARTNER = ['token', 'ocpi', 'evse'] as const
const UNUSED: Readonly<Record<(typeof MODES)[number], readonly Name[]>> = {
  scenario: [...OF_ONE_CHARGE, ...OF_THE_CAR, ...OF_A_RUN],
  replay: [...OF_ONE_CHARGE, ...OF_THE_CAR, ...OF_A_FLEET, ...OF_A_RUN, ...OF_THE_API, ...OF_THE_PLATE, 'quirk'],
  load: [...OF_ONE_CHARGE, 'energy', 'connectors'],
  stay: [...OF_ONE_CHARGE, 'ramp', 'soc', ...OF_THE_API, 'json'],
  ui: [...OF_ONE_CHARGE, ...OF_A_FLEET, 'energy', 'duration', 'connectors', ...OF_THE_API, 'json'],
  partner: [...OF_ONE_CHARGE, ...OF_THE_CAR, ...OF_A_FLEET, ...OF_THE_PLATE, ...OF_A_STATION],
}
/** Shorter in OCPP 1.6 (CiString20). */
const MAX_VENDOR_16_LENGTH = 20

/** `given`: the options that stand on the command line. Throws UsageError. */
export function checkTogether(options: SimulateOptions, given: (name: Name) => boolean): void {
  const [mode, other] = MODES.filter((name) => options[name] !== undefined)
  if (other) throw new UsageError(`--${mode} and --${other} do not go together: run one after the other.`)
  const ofPartner = OF_A_PARTNER.find((name) => options[name] !== undefined)
  if (ofPartner && mode !== 'partner') throw new UsageError(`--${ofPartner} is a part of --partner.`)
  if (options.storm !== undefined && !options.load)
    throw new UsageError('--storm is a part of --load: say closed or open:N.')
  if (options.count !== undefined && options.fleet !== undefined)
    throw new UsageError('--count and --fleet do not go together: they number a fleet in two ways.')
  if (options.mix && options.ocpp !== undefined)
    throw new UsageError('--mix and --ocpp do not go together: the mix names the versions.')
  const isFleet = (options.count ?? options.fleet ?? 1) > 1
  if (isFleet && (mode === 'replay' || mode === 'ui'))
    throw new UsageError(`--${mode} is one station: leave --count and --fleet out.`)
  const unused = mode && UNUSED[mode].find((name) => given(name))
  if (unused) throw new UsageError(`--${spelled(unused)} does nothing with --${mode}: leave it out.`)
  if (!isFleet && given('ramp')) throw new UsageError('--ramp is about a fleet: say how many with --count.')
  const speaks16 = options.mix
    ? options.mix.some(({ version }) => version === '1.6')
    : (options.ocpp ?? '1.6') === '1.6'
  if (speaks16 && (options.vendor?.length ?? 0) > MAX_VENDOR_16_LENGTH)
    throw new UsageError(`--vendor has at most ${MAX_VENDOR_16_LENGTH} characters in OCPP 1.6.`)
}

function spelled(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
