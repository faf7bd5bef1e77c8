/**
 * Stations that call again as soon as they are answered, against one of the servers: what BENCH-B1, BENCH-B11 and
 * BENCH-P1 share.
 */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Protocol } from '../src/domain/ports/core.ts'
import type { LockStepResult } from './load/generator.ts'
import { packageRoot, withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { type Player, startRole } from './roles/role.ts'

export interface LockStep {
  readonly connections: number
  /** Of all stations; half of them speak each when it is absent. */
  readonly protocol?: Protocol
  readonly warmUpMs: number
  readonly measureMs: number
}

/** A server runs for months: the compiler has about 300 functions to finish, which takes it some seconds of load. */
export const STEADY = { warmUpMs: 8_000, measureMs: 5_000 }

export interface Metered extends LockStepResult {
  /** Microseconds of the server's processor time, all threads together, for each call. */
  readonly cpuPerCallMicros: number
}

export const againstDurable = (load: LockStep): Promise<Metered> =>
  withDirectory((directory) =>
    during(startRole('durable'), async (server) =>
      run(server, String(await server.order('listen', { database: join(directory, 'limit.db') })), load),
    ),
  )

/**
 * @param environment what is not as in a new installation
 * @param checkout another build than this one
 */
export const againstPilotwire = (
  load: LockStep,
  environment: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Metered> =>
  withDirectory((directory) =>
    during(
      startPilotwire({
        directory: join(directory, 'server'),
        environment,
        checkout,
        nodeOptions: ['--import', join(packageRoot(), 'bench', 'roles', 'cpu-agent.mjs')],
        directedBy: 'ipc',
      }),
      (server) => run(server, server.ocppUrl, load),
    ),
  )

async function during<Server extends Player, T>(starting: Promise<Server>, work: (server: Server) => Promise<T>) {
  const server = await starting
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}

function run(server: Player, url: string, { connections, protocol, warmUpMs, measureMs }: LockStep): Promise<Metered> {
  return during(startRole('generator'), async (generator) => {
    await generator.order('open', { url, connections, run: 'b1-', protocol })
    const steady = generator.order('steady', { warmUpMs, measureMs })
    await wait(warmUpMs)
    const before = Number(await server.order('cpu'))
    await wait(measureMs)
    const cpuMs = Number(await server.order('cpu')) - before
    const result = (await steady) as LockStepResult
    return { ...result, cpuPerCallMicros: (cpuMs * 1000) / result.calls }
  })
}
