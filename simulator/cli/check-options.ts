import { UsageError } from '../../src/server/cli/cli-context.ts'
import type { SimulateOptions } from './options.ts'

const MODES = ['scenario', 'replay', 'load', 'stay', 'ui'] as const
type Name = keyof SimulateOptions

const OF_ONE_CHARGE = ['fault', 'offlineFor'] as const
const OF_THE_CAR = ['vehicle', 'soc', 'energy'] as const
const OF_A_FLEET = ['count', 'fleet', 'mix', 'ramp'] as const
const UNUSED: Readonly<Record<(typeof MODES)[number], readonly Name[]>> = {
  scenario: [...OF_ONE_CHARGE, ...OF_THE_CAR, 'duration', 'connectors', 'sample', 'idToken'],
  replay: [
    ...OF_ONE_CHARGE,
    ...OF_THE_CAR,
    ...OF_A_FLEET,
    ...([
      'duration',
      'connectors',
      'sample',
      'voltage',
      'idToken',
      'quirk',
      'vendor',
      'model',
      'api',
      'credential',
    ] as const),
  ],
  load: [...OF_ONE_CHARGE, 'energy', 'connectors'],
  stay: [...OF_ONE_CHARGE, 'ramp', 'soc', 'api', 'credential', 'json'],
  ui: [...OF_ONE_CHARGE, ...OF_A_FLEET, 'energy', 'duration', 'connectors', 'api', 'credential', 'json'],
}
/** Shorter in OCPP 1.6 (CiString20). */
const MAX_VENDOR_16_LENGTH = 20

/** `given`: the options that stand on the command line. Throws UsageError. */
export function checkTogether(options: SimulateOptions, given: (name: Name) => boolean): void {
  const [mode, other] = MODES.filter((name) => options[name] !== undefined)
  if (other) throw new UsageError(`--${mode} and --${other} do not go together: run one after the other.`)
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
  const speaks16 = options.mix ? options.mix.some(({ version }) => version === '1.6') : options.ocpp !== '2.0.1'
  if (speaks16 && (options.vendor?.length ?? 0) > MAX_VENDOR_16_LENGTH)
    throw new UsageError(`--vendor has at most ${MAX_VENDOR_16_LENGTH} characters in OCPP 1.6.`)
}

function spelled(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
