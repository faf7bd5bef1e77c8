/**
 * Stations that call again as soon as they are answered, against one of the servers: what BENCH-B1, BENCH-B11 and
 * BENCH-P1 share.
 */
import { join } from 'node:path'
import type { Protocol } from '../src/domain/ports/core.ts'
import type { LockStepResult } from './load/generator.ts'
import { withDirectory } from './places.ts'
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

export const againstDurable = (load: LockStep): Promise<LockStepResult> =>
  withDirectory((directory) =>
    during(startRole('durable'), async (server) =>
      run(String(await server.order('listen', { database: join(directory, 'limit.db') })), load),
    ),
  )

/** @param environment what is not as in a new installation */
export const againstPilotwire = (
  load: LockStep,
  environment: Readonly<Record<string, string>> = {},
): Promise<LockStepResult> =>
  withDirectory((directory) =>
    during(startPilotwire({ directory: join(directory, 'server'), environment }), (server) =>
      run(server.ocppUrl, load),
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

function run(url: string, { connections, protocol, warmUpMs, measureMs }: LockStep): Promise<LockStepResult> {
  return during(startRole('generator'), async (generator) => {
    await generator.order('open', { url, connections, run: 'b1-', protocol })
    return (await generator.order('steady', { warmUpMs, measureMs })) as LockStepResult
  })
}
