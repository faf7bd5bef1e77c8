/** `npm run bench -- <name>`: measures what architecture.md section 7 asks for, each against a limit of the same run. */
import { Argument, Command } from 'commander'
import { measureDurability } from './durability.ts'
import { measureIngest } from './ingest.ts'
import { measureLatency } from './latency.ts'
import { playGenerator } from './load/generator.ts'
import { measureMemory } from './memory.ts'
import { measureReconnect } from './reconnect.ts'
import { reportTable } from './report.ts'
import { playBareServer, playInMemoryServer } from './roles/limit-servers.ts'
import { judge, type Measurement } from './verdict.ts'

const benches: Readonly<Record<string, () => Promise<readonly Measurement[]>>> = {
  ingest: measureIngest,
  latency: measureLatency,
  memory: measureMemory,
  reconnect: measureReconnect,
  durability: measureDurability,
}

const roles: Readonly<Record<string, () => void>> = {
  generator: playGenerator,
  'in-memory': playInMemoryServer,
  bare: playBareServer,
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
    process.stdout.write(`${json ? JSON.stringify(measurements.map(withResult)) : reportTable(measurements)}\n`)
    process.exitCode = measurements.some((measurement) => judge(measurement) === 'fail') ? 1 : 0
  })
program
  .command('role', { hidden: true })
  .argument('<role>')
  .action((role: string) => roles[role]?.())

await program.parseAsync().catch((error: Error) => {
  process.stderr.write(`error: ${error.message}\n`)
  process.exitCode = 1
})

function withResult(measurement: Measurement): Measurement & { readonly result: string } {
  return { ...measurement, result: judge(measurement) }
}
