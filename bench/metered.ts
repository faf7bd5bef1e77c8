/** A server whose processor time is asked for, beside a role that plays many stations, and a credential for its API. */
import { join } from 'node:path'
import { packageRoot, withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { type Player, startRole } from './roles/role.ts'
import { addCredential } from './search/api.ts'

export interface Metered {
  readonly ocppUrl: string
  readonly apiUrl: string
  /** Milliseconds of processor time that the server has used since its start. */
  cpuMs(): Promise<number>
  credential(): Promise<string>
}

/** Runs `work` beside both, in a directory that is gone afterwards; the API's rates are switched off. */
export async function withMetered<T>(
  role: 'fleet' | 'simulator',
  work: (server: Metered, player: Player) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const server = await startPilotwire({
      directory: join(directory, 'server'),
      nodeOptions: ['--import', join(packageRoot(), 'bench', 'roles', 'cpu-agent.mjs')],
      directedBy: 'ipc',
      environment: { PILOTWIRE_RATE_V2: '0', PILOTWIRE_RATE_API: '0' },
    })
    const player = await startRole(role)
    const metered: Metered = {
      ocppUrl: server.ocppUrl,
      apiUrl: server.ocppUrl.replace('ws:', 'http:').replace('/ocpp', ''),
      cpuMs: async () => Number(await server.order('cpu')),
      credential: () => addCredential(join(directory, 'server', 'x.db')),
    }
    try {
      return await work(metered, player)
    } finally {
      await player.end()
      await server.end()
    }
  })
}
