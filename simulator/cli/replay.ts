import type { CliContext } from '../../src/server/cli/cli-context.ts'
import { ExitCode } from '../../src/server/cli/output/exit-code.ts'
import { createFigures } from '../fleet/figures.ts'
import { replay } from '../replay/replay.ts'
import type { Trace } from '../replay/trace.ts'
import { SimulatedClock } from '../time/simulated-time.ts'
import { DEFAULT_ID, type Located, seedOf } from './plan.ts'
import { verdictOf } from './verdict.ts'

export async function replayTrace(trace: Trace, options: Located, context: CliContext): Promise<void> {
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
