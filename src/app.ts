/**
 * The composition root: the one file that knows every room. Starts the threads, opens the port, and takes everything
 * down again in the order that loses nothing: no new sockets, answers sent, database closed.
 */
import { randomBytes } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import { createServer } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import { createServer as createTlsServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import { systemClock } from './clock.ts'
import { startRetention } from './commands/retention.ts'
import type { Config } from './config.ts'
import { startCoreThread } from './core/client.ts'
import { coreSettings } from './core/settings.ts'
import { createApi } from './http/api.ts'
import { attachOcppEndpoint } from './ocpp/endpoint.ts'
import { tlsOptions, watchCertificates } from './ocpp/tls.ts'
import { databasePath } from './storage/sqlite/database-path.ts'
import { startReaderThread } from './storage/sqlite/reader-client.ts'
import { acquireServerLock } from './storage/sqlite/server-lock.ts'

/** New sockets starve behind a busy event loop with Node's default of 511 (architecture 3). */
const ACCEPT_BACKLOG = 4096

export interface AppLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface RunningServer {
  /** Where it really listens; differs from the base URL behind a proxy or with port 0. */
  readonly url: string
  readonly port: number
  /** Resolves when the server cannot go on (a thread died); the process should then end and be restarted. */
  readonly failed: Promise<Error>
  stop(): Promise<void>
}

export async function startServer(config: Config, log: AppLog): Promise<RunningServer> {
  const path = databasePath(config.databaseUrl)
  const lock = acquireServerLock(path)
  const core = await startCoreThread({ databasePath: path, settings: coreSettings(config) }, log)
  const reads = await startReaderThread(path)

  const api = createApi({
    reads,
    writes: core.writes,
    core: core.core,
    salt: core.salt,
    settings: config,
    now: systemClock.now,
    random: randomBytes,
    log,
  })
  const { server, stopWatching } = createPort(config, getRequestListener(api.fetch), log)
  const endpoint = attachOcppEndpoint(server, core.core, {
    maxFrameBytes: config.ocppMaxFrame,
    pingIntervalSeconds: config.ocppPingIntervalSeconds,
    trustedProxies: config.trustedProxies,
    clock: systemClock,
    random: Math.random,
    log,
  })
  core.connectSockets(endpoint.events)
  const retention = startRetention({ writes: core.writes, clock: systemClock, days: config.retentionDays, log })

  const port = await listen(server, config.port, config.host)
  const scheme = config.tlsCertFile === undefined ? 'http' : 'https'
  return {
    port,
    url: `${scheme}://${config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host}:${port}`,
    failed: core.crashed,
    async stop() {
      retention.stop()
      stopWatching()
      endpoint.stopAccepting()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await core.core.drain()
      await endpoint.close()
      server.closeIdleConnections()
      await closed
      await core.core.drain()
      await reads.close()
      await core.close()
      lock.release()
    },
  }
}

/** TL1: TLS normally ends at a proxy; with own certificate files the same port speaks it, and renewed files need no restart. */
function createPort(config: Config, listener: ReturnType<typeof getRequestListener>, log: AppLog): ServerPort {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile } = config
  if (certFile === undefined || keyFile === undefined) {
    return { server: createServer(listener), stopWatching: () => undefined }
  }
  const server = createTlsServer(tlsOptions({ certFile, keyFile }), listener)
  const stopWatching = watchCertificates(server, { certFile, keyFile }, systemClock, (error) => {
    if (error) log.error({ error: error.message }, 'the renewed certificate cannot be used; the old one stays')
    else log.info({}, 'the renewed certificate is in use')
  })
  return { server, stopWatching }
}

interface ServerPort {
  readonly server: HttpServer | TlsServer
  readonly stopWatching: () => void
}

function listen(server: HttpServer | TlsServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: ACCEPT_BACKLOG }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
