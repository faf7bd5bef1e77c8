/** Several servers of one installation, each a process of its own, seen only as their clients see them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort, type Partner, partner } from '../house.ts'
import { emptyDatabase } from './databases.ts'

export interface NodeOfTest extends Partner {
  readonly url: string
  readonly ocppUrl: string
  readonly process: ChildProcess
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
}

export interface Nodes {
  readonly databaseUrl: string
  readonly nodes: readonly NodeOfTest[]
  close(): Promise<void>
}

export async function openNodes(count: number): Promise<Nodes> {
  const database = await emptyDatabase()
  const secretKey = randomBytes(32).toString('base64')
  const nodes: NodeOfTest[] = []
  let credential = ''
  while (nodes.length < count) {
    const port = await freePort()
    const child = spawn(process.execPath, ['dist/main.js', 'serve', '--json'], {
      env: {
        ...{ PATH: process.env.PATH, PILOTWIRE_DATABASE_URL: database.url, PILOTWIRE_SECRET_KEY: secretKey },
        ...{ PILOTWIRE_PORT: String(port), PILOTWIRE_BASE_URL: `http://localhost:${port}` },
        ...{ PILOTWIRE_RATE_V2: '0', PILOTWIRE_RATE_API: '0', PILOTWIRE_OCPP_REPORTS: 'manual' },
        PILOTWIRE_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { firstStart } = JSON.parse(line) as { firstStart?: { credential: string } }
    credential = firstStart?.credential ?? credential
    const url = `http://127.0.0.1:${port}`
    nodes.push({
      ...partner(url, credential),
      ...{ url, ocppUrl: `ws://127.0.0.1:${port}/ocpp`, process: child },
      kill: () => end(child, 'SIGKILL'),
    })
  }
  return {
    databaseUrl: database.url,
    nodes,
    async close() {
      await Promise.all(nodes.map(({ process: child }) => end(child, 'SIGKILL')))
      await database.drop()
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
