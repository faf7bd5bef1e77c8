/** The server under test: the built program, as a user starts it, on a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../test/free-port.ts'
import { packageRoot } from '../places.ts'
import { directed, type Player } from './role.ts'

export interface PilotwireServer extends Player {
  /** Without an identity. */
  readonly ocppUrl: string
  /** SIGTERM: the server drains and ends by itself. */
  stop(): Promise<void>
}

export interface PilotwireOptions {
  /** Holds the database; made when it is not there. */
  readonly directory: string
  /** A checkout that is built already; this one unless given. */
  readonly checkout?: string | undefined
  readonly nodeOptions?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** An IPC channel for the memory agent. */
  readonly directedBy?: 'ipc'
}

const START_TIMEOUT_MS = 30_000

export async function startPilotwire(options: PilotwireOptions): Promise<PilotwireServer> {
  const program = join(options.checkout ?? packageRoot(), 'dist', 'main.js')
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build\` there first`)
  mkdirSync(options.directory, { recursive: true })
  const port = await freePort()
  const log = join(options.directory, 'server.log')
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), program, 'serve'], {
    cwd: options.directory,
    env: {
      ...ownEnvironment(),
      PILOTWIRE_PORT: String(port),
      PILOTWIRE_BASE_URL: `http://localhost:${port}`,
      PILOTWIRE_DATABASE_URL: `file:${join(options.directory, 'x.db')}`,
      ...options.environment,
    },
    stdio: ['ignore', openSync(log, 'a'), openSync(log, 'a'), ...(options.directedBy ? (['ipc'] as const) : [])],
  })
  await untilListening(child, port, log)
  return {
    ...directed(child),
    ocppUrl: `ws://127.0.0.1:${port}/ocpp`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Settings of the person who runs the bench must not change what is measured. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PILOTWIRE_')))
}

async function untilListening(child: ChildProcess, port: number, log: string): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS
  while (child.exitCode === null && Date.now() < giveUpAt) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (response?.ok) return
    await wait(50)
  }
  child.kill('SIGKILL')
  throw new Error(`the server did not start:\n${readFileSync(log, 'utf8').slice(-2000)}`)
}
