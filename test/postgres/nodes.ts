/** Several servers of one installation, each a process of its own, seen only as their clients see them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../free-port.ts'
import { type Environment, type Partner, partner } from '../house.ts'
import { emptyDatabase } from './databases.ts'

export interface NodeOfTest extends Partner {
  readonly name: string
  readonly port: number
  readonly url: string
  readonly ocppUrl: string
  readonly process: ChildProcess
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | null>
}

export interface Nodes {
  readonly databaseUrl: string
  readonly nodes: readonly NodeOfTest[]
  readonly credential: string
  /** In the place of the one that ended, under its name and port. */
  startAgain(index: number): Promise<void>
  close(): Promise<void>
}

export async function openNodes(count: number, environment: Environment = {}): Promise<Nodes> {
  const database = await emptyDatabase()
  const secretKey = randomBytes(32).toString('base64')
  const nodes: NodeOfTest[] = []
  let credential = ''
  const start = async (name: string, port: number): Promise<NodeOfTest> => {
    const child = spawn(process.execPath, ['dist/main.js', 'serve', '--json'], {
      env: {
        PATH: process.env.PATH,
        PILOTWIRE_DATABASE_URL: database.url,
        PILOTWIRE_SECRET_KEY: secretKey,
        PILOTWIRE_PORT: String(port),
        PILOTWIRE_BASE_URL: `http://localhost:${port}`,
        PILOTWIRE_RATE_V2: '0',
        PILOTWIRE_RATE_API: '0',
        PILOTWIRE_OCPP_REPORTS: 'manual',
        PILOTWIRE_LOG_LEVEL: 'warn',
        PILOTWIRE_NODE_NAME: name,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { firstStart } = JSON.parse(line) as { firstStart?: { credential: string } }
    credential = firstStart?.credential ?? credential
    const url = `http://127.0.0.1:${port}`
    return {
      ...partner(url, credential),
      name,
      port,
      url,
      ocppUrl: `ws://127.0.0.1:${port}/ocpp`,
      process: child,
      async kill() {
        await end(child, 'SIGKILL')
      },
      stop: () => end(child, 'SIGTERM'),
    }
  }
  while (nodes.length < count) nodes.push(await start(`node-${nodes.length + 1}`, await freePort()))
  return {
    databaseUrl: database.url,
    nodes,
    credential,
    async startAgain(index) {
      const before = nodes[index]
      if (!before) throw new Error('There is no such node.')
      nodes[index] = await start(before.name, before.port)
    },
    async close() {
      await Promise.all(nodes.map((node) => node.kill()))
      await database.drop()
    },
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  const [code] = (await exited) as [number | null]
  return code
}
