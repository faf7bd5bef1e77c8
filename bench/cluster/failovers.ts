/**
 * BENCH-P10: PostgreSQL is killed and its standby takes its place while charge points charge behind the balancer. With
 * a synchronous standby everything acknowledged must be in the log. With an asynchronous one something must be
 * missing: otherwise it would prove nothing.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type PairKind, PostgresPair } from '../../test/postgres/pair.ts'
import { withDirectory } from '../places.ts'
import type { Measurement } from '../verdict.ts'
import { kept, type Lost, lost, startCharging, untilAllGoOn } from './acknowledged.ts'
import { startNodes } from './nodes.ts'

const BETWEEN_MS = 1_000
/** Every other time the standby's line fails that long before the primary does. */
const STALLED_MS = 500
const CONTROL_FAILOVERS = 1

export async function measureFailovers(failovers: number): Promise<readonly Measurement[]> {
  const ours = await failOver('synchronous', failovers)
  const control = await failOver('asynchronous', CONTROL_FAILOVERS)
  const measured = kept(`${failovers} failovers to a synchronous standby`, ours)
  const fault = 'the control with an asynchronous standby lost nothing, so the failover is too tame'
  return [
    {
      ...measured,
      limit: `${measured.limit}; control, asynchronous: ${control.lost} of ${control.acknowledged} in ${CONTROL_FAILOVERS}`,
      ...(control.lost === 0 && { fault }),
    },
  ]
}

function failOver(kind: PairKind, failovers: number): Promise<Lost> {
  return withDirectory(async (directory) => {
    // PostgreSQL does not run as root: whoever it runs as has to get to its folder.
    chmodSync(directory, 0o711)
    const pair = await PostgresPair.open(join(directory, 'postgres'), 'bench', kind)
    const installation = await startNodes(directory, pair.url, 3)
    const charging = startCharging(installation.balancer.ocppUrl)
    const { chargers } = charging
    try {
      await untilAllGoOn(chargers)
      for (let round = 0; round < failovers; round++) {
        await wait(BETWEEN_MS)
        if (round % 2 === 0) {
          pair.stallStandby()
          await wait(STALLED_MS)
        }
        await pair.failOver()
        // Where messages were lost their charge points may wait for what nobody knows of any more.
        if (kind === 'synchronous') await untilAllGoOn(chargers)
        process.stderr.write(`failover ${round + 1} of ${failovers} (${kind})\n`)
      }
      await (kind === 'synchronous' ? charging.finish() : charging.end())
      return await lost(pair.primaryUrl, chargers)
    } finally {
      charging.end()
      await installation.end()
      await pair.close()
    }
  })
}
