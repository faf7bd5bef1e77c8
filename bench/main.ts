/**
 * `npm run bench -- <name>`: measures the figures of docs/rules/performance.md, each against a limit of the same run.
 */
import { Argument, Command, InvalidArgumentError } from 'commander'
import { CLUSTER, type ClusterOptions, measureCluster } from './cluster.ts'
import { measureCopy } from './copy.ts'
import { measureDurability } from './durability.ts'
import { measureFleet } from './fleet.ts'
import { generate } from './generate.ts'
import { IDLE, measureIdle } from './idle.ts'
import { INGEST, measureIngest } from './ingest.ts'
import { measureLatency } from './latency.ts'
import { measureLimitPlan } from './limit-plan.ts'
import { playGenerator } from './load/generator.ts'
import { measureMemory } from './memory.ts'
import { measurePages, PAGES } from './pages.ts'
import { measureParsers, parserTable } from './parsers.ts'
import { measurePostgres, POSTGRES } from './postgres.ts'
import { measureReconnect } from './reconnect.ts'
import { reportTable } from './report.ts'
import { playDurableServer } from './roles/durable-server.ts'
import { playFleet } from './roles/fleet.ts'
import { playBareServer, playInMemoryServer } from './roles/limit-servers.ts'
import { playSimulator } from './roles/simulator.ts'
import { measureSearch, SEARCH } from './search.ts'
import { measureSimulator } from './simulator.ts'
import { judge, type Measurement } from './verdict.ts'
import { measureWebhooks } from './webhooks.ts'

const benches: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  ingest: measureIngest,
  latency: measureLatency,
  memory: measureMemory,
  idle: measureIdle,
  reconnect: measureReconnect,
  durability: measureDurability,
  search: measureSearch,
  webhooks: measureWebhooks,
  simulator: measureSimulator,
  pages: measurePages,
  fleet: measureFleet,
  'limit-plan': measureLimitPlan,
  copy: measureCopy,
  postgres: measurePostgres,
  cluster: measureCluster,
}

const roles: Readonly<Record<string, () => void>> = {
  generator: playGenerator,
  'in-memory': playInMemoryServer,
  durable: playDurableServer,
  bare: playBareServer,
  simulator: playSimulator,
  fleet: playFleet,
}

const program = new Command('bench').description('Measures Pilotwire against the limit of this machine.')
program
  .command('run', { isDefault: true })
  .description('run one bench, or all')
  .addArgument(new Argument('<name>', 'what to measure').choices([...Object.keys(benches), 'all']))
  .option('--json', 'print the measurements as JSON')
  .action(async (name: string, { json }: { json?: true }) => {
    const measurements: Measurement[] = []
    for (const bench of name === 'all' ? Object.keys(benches) : [name]) {
      process.stderr.write(`${bench} …\n`)
      measurements.push(...((await benches[bench]?.()) ?? []))
    }
    report(measurements, json)
  })
program
  .command('ingest')
  .description('run the bench of durable calls per second, four cells with their limit')
  .option('--rounds <number>', 'of each cell, in turns with the limit', positive, INGEST.rounds)
  .option('--against <directory>', 'a checkout that is built: its processor time per call is measured in turns, too')
  .option('--json', 'print the measurements as JSON')
  .action(async ({ json, ...options }: { json?: true; rounds: number; against?: string }) => {
    report(await measureIngest({ ...INGEST, ...options }), json)
  })
program
  .command('idle')
  .description('run the bench of idle connections')
  .option('--connections <number>', 'how many; each process needs as many open files', positive, IDLE.connections)
  .option('--json', 'print the measurements as JSON')
  .action(async ({ json, ...options }: { json?: true; connections: number }) => {
    report(await measureIdle(options), json)
  })
program
  .command('pages')
  .description('run the bench of the pages of the console')
  .option('--sessions <number>', 'how many have been', positive, PAGES.sessions)
  .option('--log-rows <number>', 'rows of the message log', positive, PAGES.logRows)
  .option('--calls-per-second <number>', 'messages beside the pages', positive, PAGES.callsPerSecond)
  .option('--visits <number>', 'of each page', positive, PAGES.visits)
  .option('--json', 'print the measurements as JSON')
  .action(async ({ json, ...options }: Pick<typeof PAGES, 'sessions' | 'logRows' | 'visits'> & { json?: true }) => {
    report(await measurePages({ ...PAGES, ...options }), json)
  })
program
  .command('search')
  .description('run the bench of the log’s search on a database of your choice')
  .option('--database <file>', 'made by generate; the bench adds its own messages to it')
  .option('--rows <number>', 'of the database that is made otherwise', positive, SEARCH.rows)
  .option('--json', 'print the measurements as JSON')
  .action(async ({ json, ...options }: { json?: true; rows: number; database?: string }) => {
    report(await measureSearch(options), json)
  })
program
  .command('postgres')
  .description('run the benches of one node on PostgreSQL')
  .option('--only <figure>', 'one of P1, P4, P6 (with P7)')
  .option('--rows <number>', 'of the log that is searched', positive, POSTGRES.rows)
  .option('--json', 'print the measurements as JSON')
  .action(async ({ json, ...options }: { json?: true; rows: number; only?: string }) => {
    report(await measurePostgres({ ...POSTGRES, ...options }), json)
  })
program
  .command('cluster')
  .description('run the benches of several nodes on one PostgreSQL')
  .option('--only <figure>', 'one of P9, P10, P11, P12')
  .option('--takeovers <number>', 'of the race for charge points', positive, CLUSTER.takeovers)
  .option('--kills <number>', 'of nodes, and as many of PostgreSQL; 0: none', count, CLUSTER.kills)
  .option('--failovers <number>', 'of PostgreSQL to its standby; 0: none', count, CLUSTER.failovers)
  .option('--json', 'print the measurements as JSON')
  .action(async ({ json, ...options }: { json?: true } & ClusterOptions) => {
    report(await measureCluster(options), json)
  })
program
  .command('parsers')
  .description('what 64 KiB of the worst text cost each parser of requests')
  .option('--json', 'print the figures as JSON')
  .action(async ({ json }: { json?: true }) => {
    const costs = await measureParsers()
    process.stdout.write(`${json ? JSON.stringify(costs) : parserTable(costs)}\n`)
  })
program
  .command('generate')
  .description('fill a new database with believable log rows')
  .option('--rows <number>', 'how many', positive, 20_000_000)
  .option('--charge-points <number>', 'how many share them', positive, 40)
  .option('--out <file>', 'the new file', 'data/bench.db')
  .action(generate)
program
  .command('role', { hidden: true })
  .argument('<role>')
  .action((role: string) => roles[role]?.())

await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`error: ${withCauses(error)}\n`)
  process.exitCode = 1
})

/** "fetch failed" alone says nothing: what failed stands in its cause. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}, because: ${withCauses(error.cause)}`
}

function report(measurements: readonly Measurement[], json: true | undefined): void {
  process.stdout.write(`${json ? JSON.stringify(measurements.map(withResult)) : reportTable(measurements)}\n`)
  process.exitCode = measurements.some((measurement) => judge(measurement) === 'fail') ? 1 : 0
}

function positive(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number of 1 or more.')
}

function count(text: string): number {
  return text === '0' ? 0 : positive(text)
}

function withResult(measurement: Measurement): Measurement & { readonly result: string } {
  return { ...measurement, result: judge(measurement) }
}
