import type { Command } from 'commander'
import { DEFAULT_VOLTAGE_V } from '../../src/domain/charging/profile.ts'
import { type CliContext, examples, UsageError, useSettings } from '../../src/server/cli/cli-context.ts'
import { ExitCode, printList } from '../../src/server/cli/output/print.ts'
import { untilSignal } from '../../src/server/cli/output/signals.ts'
import { createFigures } from '../fleet/figures.ts'
import { PARTNER_QUIRKS } from '../partner/quirks.ts'
import { findQuirks, UnknownName } from '../quirks/apply.ts'
import { QUIRKS } from '../quirks/catalogue.ts'
import { replay } from '../replay/replay.ts'
import { readTrace, type Trace } from '../replay/trace.ts'
import { allScenarios, loadScenario } from '../scenarios/engine/collection.ts'
import { type Scenario, ScenarioFault } from '../scenarios/engine/parse.ts'
import type { Assertion } from '../scenarios/engine/run.ts'
import { STEPS } from '../scenarios/engine/steps.ts'
import { CardRefused } from '../stories/charge.ts'
import { SimulatedClock } from '../time/simulated-time.ts'
import { type ApiClient, ApiFailure, createApiClient } from './api-client.ts'
import { showWindow, startLiveView } from './live-view.ts'
import { addOptions, checkTogether, type SimulateOptions, volts } from './options.ts'
import { runPartner } from './partner.ts'
import { DEFAULT_ID, durationOf, idsOf, type Located, seedOf, versionsOf } from './plan.ts'
import { createFleet, type FleetOutcome, type FleetPlan, type Verdict, verdictLines, verdictOf } from './run-fleet.ts'
import { apiAddress, cardLine, compareEnergies, curlLines, hintFor } from './session-lookup.ts'
import { stay } from './stay.ts'

const MAX_ERRORS_SHOWN = 5

/** Whether its server is another one than Pilotwire, as far as one can tell. */
type Target = Located & { readonly isForeign: boolean }
type ApiAddress = Pick<Located, 'api' | 'credential' | 'url'>

export function registerSimulate(program: Command, context: CliContext): void {
  examples(
    addOptions(
      program.command('simulate').description('simulated charge points, fleets and quirks; and a roaming partner'),
    ),
    'pilotwire simulate',
    'pilotwire simulate --ocpp 2.0.1 --id EV-002 --energy 20 --speed 60x',
    'pilotwire simulate --ocpp 2.1 --id EV-003 --speed max --json',
    'pilotwire simulate --scenario qr-payment-21 --speed max --api "$PILOTWIRE_API_CREDENTIAL" --json',
    'pilotwire simulate --url wss://charge.example.com/ocpp --id EV-001 --password "$PASSWORD"',
    'pilotwire simulate --count 500 --id DEPOT --mix 1.6:70,2.0.1:30 --ramp 50 --speed max --json',
    'pilotwire simulate --scenario power-cut --speed max --api "$PILOTWIRE_API_CREDENTIAL" --json',
    'pilotwire simulate --quirk duplicate-start,no-time-zone --seed=1',
    'pilotwire simulate --offline-for 600 --fault GroundFailure',
    'pilotwire simulate --count 2000 --load open:1500 --duration 60 --storm 20 --json',
    'pilotwire simulate --replay ev-001.jsonl --json',
    'pilotwire simulate --ui',
    'pilotwire simulate --stay',
    'pilotwire simulate --partner --api "$PILOTWIRE_API_CREDENTIAL"',
    'pilotwire simulate --partner https://charge.example.com/ocpi/versions --token "$TOKEN_A" --quirk no-patch',
  ).action((options: SimulateOptions, command: Command) => simulate(options, command, context))
}

async function simulate(options: SimulateOptions, command: Command, context: CliContext): Promise<void> {
  if (options.listScenarios) return listScenarios(context, options.json)
  if (options.listQuirks) return listQuirks(context, options)
  checkTogether(options, (name) => command.getOptionValueSource(name) === 'cli')
  if (options.partner) return simulatePartner(options, options.partner, context)
  const url = options.url ?? urlOfSettings(context)
  const located = { ...options, url, voltage: options.voltage ?? voltageOf(context) }
  const api = apiOf(located, context)
  const scenario = usable(() => scenarioOf(options, api))
  // A server given by --url may be any product; one from our settings, or with our credential, is ours.
  const isForeign = options.url !== undefined && api === undefined
  try {
    await runMode({ ...located, isForeign }, context, api, scenario)
  } catch (error) {
    const hint = isForeign ? undefined : hintFor(error)
    if (hint !== undefined) context.note(hint)
    throw error
  }
}

function simulatePartner(options: SimulateOptions, url: URL | true, context: CliContext): Promise<void> {
  usable(() => findQuirks(options.quirk ?? [], PARTNER_QUIRKS))
  const versionsUrl = url === true ? `${useSettings(context).baseUrl}/ocpi/versions` : url.href
  const tokenA = options.token ?? context.environment.PILOTWIRE_OCPI_TOKEN ?? ''
  if (tokenA !== '') return runPartner(options, { versionsUrl, tokenA }, context)
  const ocppUrl = new URL(versionsUrl.replace(/\/ocpi\/versions\/?$/, '/ocpp').replace(/^http/, 'ws'))
  const api = apiOf({ ...options, url: ocppUrl }, context)
  if (api) return runPartner(options, { api, ocppUrl: ocppUrl.href }, context)
  throw new UsageError(
    'The invitation is missing: give its token A with --token or PILOTWIRE_OCPI_TOKEN; with --api it is made.',
  )
}

async function runMode(
  options: Target,
  context: CliContext,
  api: ApiClient | undefined,
  scenario: Scenario | undefined,
): Promise<void> {
  const { replay } = options
  if (replay !== undefined)
    return replayTrace(
      usable(() => readTrace(replay)),
      options,
      context,
    )
  if (options.ui !== undefined) return showWindow(options, context)
  if (options.stay) return stay(options, context)
  await runFleet(options, context, api, scenario)
}

/** Where a server with the same settings is reached: charge points stand below the base URL, as its clients do. */
function urlOfSettings(context: CliContext): URL {
  const { baseUrl } = useSettings(context)
  if (new URL(baseUrl).port === '0') throw new UsageError('PILOTWIRE_PORT=0 takes any free port: say which with --url.')
  return new URL(`${baseUrl.replace(/^http/, 'ws')}/ocpp`)
}

/** Stations stand in the grid that the server counts with. */
function voltageOf({ environment: { PILOTWIRE_VOLTAGE: given = '' } }: CliContext): number {
  try {
    return given === '' ? DEFAULT_VOLTAGE_V : volts(given)
  } catch (error) {
    throw new UsageError(`PILOTWIRE_VOLTAGE: ${(error as Error).message}`)
  }
}

function apiOf({ api, credential, url }: ApiAddress, context: CliContext): ApiClient | undefined {
  const given = api ?? credential ?? context.environment.PILOTWIRE_API_CREDENTIAL
  return given === undefined || given === '' ? undefined : createApiClient(apiAddress(url.href), given)
}

function usable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnknownName || error instanceof ScenarioFault) throw new UsageError(error.message)
    throw error
  }
}

function scenarioOf(options: SimulateOptions, api: ApiClient | undefined): Scenario | undefined {
  const versions = versionsOf(options, 1)
  const isOfVersion = (names: readonly string[]) => versions.every((version) => names.includes(version))
  for (const quirk of findQuirks(options.quirk ?? [], QUIRKS)) {
    if (!options.mix && !isOfVersion(quirk.versions))
      throw new UnknownName(`the quirk ${quirk.name} is one of OCPP ${quirk.versions.join(' and ')} alone: see --ocpp`)
  }
  if (options.scenario === undefined) return undefined
  const scenario = loadScenario(options.scenario)
  if (options.ocpp !== undefined && !scenario.versions.includes(options.ocpp))
    throw new UnknownName(
      `the scenario ${scenario.name} is made for OCPP ${scenario.versions.join(' and ')}: see --ocpp`,
    )
  const acting = scenario.steps.find(({ kind }) => STEPS[kind]?.acts)
  if (acting && !api)
    throw new UsageError(
      `the scenario ${scenario.name} acts through the API (line ${acting.line}): give a credential with --api`,
    )
  return scenario
}

async function runFleet(
  options: Target,
  context: CliContext,
  api: ApiClient | undefined,
  scenario: Scenario | undefined,
): Promise<void> {
  const ids = idsOf(options)
  const plan: FleetPlan = {
    options,
    ids,
    versions: versionsOf(options, ids.length, scenario),
    seed: seedOf(options, context),
    apiUrl: apiAddress(options.url.href),
    step: (id, step) => view.step(id, step),
    problem: (message) => context.note(message),
    scenario,
    api,
  }
  const fleet = createFleet(plan)
  const signal = untilSignal(context)
  const view = startLiveView({
    terminal: context.terminal,
    note: context.note,
    now: context.now,
    stations: fleet.stations,
    expected: ids.length,
    figures: fleet.figures,
  })
  try {
    const ended = await Promise.race([fleet.run(), signal.received])
    view.stop()
    const stopped = new Error(`ended by ${String(ended)} before the stations were done`)
    const outcome = typeof ended === 'string' ? { sessions: [], assertions: [], failures: [stopped] } : ended
    await fleet.close()
    const looked = await lookAtApi(outcome, plan, context)
    const verdict = verdictOf(ids.length, outcome.sessions, fleet.figures, [
      ...looked,
      ...stationAssertions(outcome, ids.length, scenario),
    ])
    await report(verdict, outcome, options, context, api)
  } finally {
    view.stop()
    signal.dispose()
    await fleet.close()
  }
}

function stationAssertions(
  outcome: FleetOutcome,
  stations: number,
  scenario: Scenario | undefined,
): readonly Assertion[] {
  const { failures } = outcome
  const name = scenario ? 'every station ran the scenario' : 'every station charged'
  const [first] = failures
  if (!first) return [...outcome.assertions, { name, ok: true }]
  return [...outcome.assertions, { name, ok: false, detail: `${failures.length} of ${stations}: ${first.message}` }]
}

/** The charge has happened whatever the API says of it. */
async function lookAtApi(
  { sessions }: FleetOutcome,
  { api, scenario, options }: FleetPlan,
  context: CliContext,
): Promise<readonly Assertion[]> {
  if (!api || scenario || sessions.length === 0) return []
  const lessWh = findQuirks(options.quirk ?? [], QUIRKS).reduce((sum, quirk) => sum + (quirk.lessWh ?? 0), 0)
  try {
    return [await compareEnergies(api, sessions, lessWh)]
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    context.note(`error: ${error.message}`)
    return [{ name: 'the API shows the energy of every meter', ok: false, detail: error.message }]
  }
}

async function report(
  verdict: Verdict,
  { failures }: FleetOutcome,
  options: Target,
  context: CliContext,
  api: ApiClient | undefined,
): Promise<void> {
  if (options.json) context.out(JSON.stringify(verdict))
  else if (verdict.stations > 1 || failures.length === 0 || verdict.sessions.length > 0)
    await tell(verdict, options, context, api)
  const [failure] = failures
  if (failure instanceof CardRefused && !options.isForeign) sayHowToRegister(failure, options, context)
  if (verdict.stations === 1 && failure) throw failure
  for (const message of new Set(failures.slice(0, MAX_ERRORS_SHOWN).map((error) => error.message)))
    context.note(`error: ${message}`)
  if (failures.length > MAX_ERRORS_SHOWN) context.note(`… and ${failures.length - MAX_ERRORS_SHOWN} more`)
  if (!verdict.ok) throw new ExitCode(1)
}

async function tell(verdict: Verdict, options: Target, context: CliContext, api: ApiClient | undefined): Promise<void> {
  const [session] = verdict.sessions
  const apiUrl = apiAddress(options.url.href)
  for (const { name, ok, detail } of verdict.assertions.filter((assertion) => !assertion.ok || options.scenario)) {
    context.out(`${ok ? 'ok     ' : 'FAILED '} ${name}${detail === undefined ? '' : `: ${detail}`}`)
  }
  if (verdict.stations > 1 || !session || options.scenario !== undefined) {
    for (const line of verdictLines(verdict)) context.out(line)
    return
  }
  context.out(`charge point    ${session.evseControllerId}`)
  context.out(`transaction     ${session.transactionId ?? '-'}`)
  context.out(`energy          ${session.energyKwh.toFixed(3)} kWh`)
  const shown = verdict.ok && api ? (await api.sessions(session.evseControllerId))[0] : undefined
  if (shown) context.out(JSON.stringify(shown, undefined, 2))
  if (options.isForeign) return
  context.note(`\nSee it over the API${api ? '' : ' (PILOTWIRE_API_CREDENTIAL is printed by the first start)'}:`)
  const startedAt = context.now() - durationOf(options) * 1000
  for (const line of curlLines(apiUrl, { ...session, startedAt })) context.note(`  ${line}`)
}

function sayHowToRegister({ idToken, status }: CardRefused, { url }: Located, { note }: CliContext): void {
  const line = cardLine(apiAddress(url.href), idToken, status)
  if (line === undefined) return
  note('This lets the card charge (PILOTWIRE_API_CREDENTIAL is printed by the first start, or by credential create):')
  note(`  ${line}`)
}

function listScenarios(context: CliContext, json: boolean | undefined): void {
  const rows = allScenarios().map(({ name, title, versions }) => ({ name, title, versions }))
  if (json) printList(context, rows, ['name', 'versions', 'title'], true)
  else printList(context, rows.map(withVersions), ['name', 'versions', 'title'])
}

function listQuirks(context: CliContext, { json, partner }: SimulateOptions): void {
  const rows = QUIRKS.map(({ behaviour, shape, lessWh, ...quirk }) => quirk)
  if (partner) printList(context, PARTNER_QUIRKS, ['name', 'title', 'reference'], json)
  else printList(context, json ? rows : rows.map(withVersions), ['name', 'versions', 'title', 'reference'], json)
}

function withVersions<T extends { readonly versions: readonly string[] }>(row: T) {
  return { ...row, versions: row.versions.join(' ') }
}

async function replayTrace(trace: Trace, options: Located, context: CliContext): Promise<void> {
  const figures = createFigures()
  const assertions = await replay(trace, {
    url: options.url.href,
    id: options.id ?? trace.chargePointId ?? DEFAULT_ID,
    protocol: options.ocpp ? `ocpp${options.ocpp}` : (trace.protocol ?? 'ocpp1.6'),
    seed: seedOf(options, context),
    time: new SimulatedClock({ speed: options.speed ?? 'max' }),
    called: figures.record,
    password: options.password,
  })
  const verdict = verdictOf(1, [], figures, assertions)
  if (options.json) context.out(JSON.stringify(verdict))
  else {
    for (const { name, detail } of assertions.filter(({ ok }) => !ok)) context.out(`DIFFERENT ${name}: ${detail}`)
    const same = assertions.filter(({ ok }) => ok).length
    context.out(`${assertions.length} messages said again, ${same} answered as in the trace`)
  }
  if (!verdict.ok) throw new ExitCode(1)
}
