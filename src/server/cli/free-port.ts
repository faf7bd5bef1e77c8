/** Whether the port can be had: asked before anything is made (SERVER-C5), and by `doctor`. */
import { createServer } from 'node:net'
import type { Settings } from '../../config/config.ts'
import { databaseAt } from '../../storage/open.ts'

/** Undefined when it is free; otherwise the code of the system's refusal. */
export function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** @throws a sentence; that of the database where our own server is the one that has both */
export async function requirePort(settings: Settings): Promise<void> {
  const code = await tryListen(settings.host, settings.port)
  if (code === undefined) return requireMetricsPort(settings)
  const database = databaseAt(settings.databaseUrl)
  if (database.exists()) database.lock().release()
  throw new Error(refusedPort(code, settings))
}

async function requireMetricsPort({ metricsHost: host, metricsPort: port }: Settings): Promise<void> {
  const code = port === 'shared' ? undefined : await tryListen(host, port)
  if (code === undefined) return
  throw new Error(
    `Metrics cannot be served at ${host}:${port} (${code}): set PILOTWIRE_METRICS_PORT or PILOTWIRE_METRICS_HOST.`,
  )
}

export function refusedPort(code: unknown, { host, port }: Pick<Settings, 'host' | 'port'>): string {
  const where = `${host}:${port}`
  if (code === 'EADDRINUSE') return `Port ${port} is in use (${where}): stop the other program or set PILOTWIRE_PORT.`
  if (code === 'EACCES')
    return `Listening on ${where} is not allowed: ports below 1024 need a right; set PILOTWIRE_PORT.`
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine: set PILOTWIRE_HOST.`
  return `Cannot listen on ${where} (${String(code)}): set PILOTWIRE_HOST or PILOTWIRE_PORT.`
}
