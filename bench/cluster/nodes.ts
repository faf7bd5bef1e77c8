/** Several servers on one database behind a balancer, each a process of its own. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Balancer } from '../../test/postgres/balancer.ts'
import { packageRoot } from '../places.ts'
import { environmentOf } from '../postgres/server.ts'
import { type PilotwireServer, startPilotwire } from '../roles/pilotwire-server.ts'

export interface BenchNodes {
  readonly nodes: readonly PilotwireServer[]
  readonly balancer: Balancer
  readonly credential: string
  /** Killed, and another one is started in its place. */
  kill(index: number): Promise<void>
  end(): Promise<void>
}

/** Nothing of what is measured is a matter of rates. */
export const SETTINGS = { PILOTWIRE_RATE_V2: '0', PILOTWIRE_RATE_API: '0', PILOTWIRE_OCPP_REPORTS: 'manual' }

export async function startNodes(directory: string, url: string, count: number): Promise<BenchNodes> {
  const environment = { ...environmentOf(url), ...SETTINGS, PILOTWIRE_STOP_DELAY: '0' }
  const start = (index: number): Promise<PilotwireServer> =>
    startPilotwire({
      directory: join(directory, `node-${index}`),
      environment: { ...environment, PILOTWIRE_NODE_NAME: `node-${index}` },
    })
  const nodes: PilotwireServer[] = []
  while (nodes.length < count) nodes.push(await start(nodes.length))
  const balancer = await Balancer.listen(nodes.map(portOf))
  const order = ['credential', 'create', '--name', 'bench', '--json']
  // Not waiting here: a standby may be reached through this process.
  const program = join(packageRoot(), 'dist', 'main.js')
  const env = { PATH: process.env.PATH, ...environment }
  const { stdout: created } = await promisify(execFile)(process.execPath, [program, ...order], { cwd: directory, env })
  return {
    nodes,
    balancer,
    credential: (JSON.parse(created) as { readonly credential: string }).credential,
    async kill(index) {
      await nodes[index]?.end()
      const node = await start(index)
      nodes[index] = node
      balancer.replace(index, portOf(node))
    },
    async end() {
      balancer.close()
      for (const node of nodes) await node.end()
    },
  }
}

function portOf({ ocppUrl }: PilotwireServer): number {
  return Number(new URL(ocppUrl).port)
}
