/** The TCP port that everything comes through: HTTP, or TLS with certificate files (OCPP-TL1). */

import { randomBytes } from 'node:crypto'
import { createServer, type Server as HttpServer, type RequestListener, type ServerOptions } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import { answerClientErrors, limitBody, malformedRequest, oneAtATime } from '../api/requests/client-error.ts'
import type { Config } from '../config/config.ts'
import { localHost } from '../config/loopback.ts'
import type { Log } from '../domain/ports/log.ts'
import { isUpgrade, type UpgradeOptions } from '../sockets/handshake.ts'
import { tlsOptions, watchCertificates } from '../sockets/tls.ts'
import { systemClock } from './system.ts'

/** New sockets starve behind a busy event loop with Node's default of 511 (architecture 3). */
const ACCEPT_BACKLOG = 4096
/** Above the 60 s of nginx and balancers: closed earlier, a POST now and then is answered 502 (RFC 9112 §9.5). */
const KEEP_ALIVE_MS = 75_000

type Handle = Parameters<typeof getRequestListener>[0]

export interface Port {
  readonly server: HttpServer | TlsServer
  readonly stopWatching: () => void
}

/** Everything about the port but opening it. @param handle answers what is neither an upgrade nor malformed */
export function createPort(
  config: Config,
  handle: Handle,
  withoutBasePath: (target: string) => string,
  log: Log,
): Port {
  const refusals = { baseUrl: config.baseUrl, requestId: () => randomBytes(12).toString('hex') }
  const refuse = (): Response => malformedRequest(refusals)
  const answer = requestListener(
    (request, env) => (hosts(env.incoming) > 1 ? refuse() : handle(request, env)),
    new URL(config.baseUrl).host,
    refuse,
  )
  const listener: RequestListener = (request, response) => {
    limitBody(request, withoutBasePath(request.url ?? ''), systemClock.after)
    answer(request, response)
  }
  const options = { shouldUpgradeCallback: (request) => isUpgrade(request, withoutBasePath) } satisfies UpgradeOptions
  const port = serverOf(config, options, listener, log)
  port.server.keepAliveTimeout = KEEP_ALIVE_MS
  // Of whole requests; headers keep Node's own limit, bodies have ours.
  port.server.requestTimeout = 0
  answerClientErrors(port.server, refusals)
  // RFC 9110 §10.1.1: an unknown expectation may be left unmet; Node would answer 417 without a problem.
  port.server.on('checkExpectation', listener)
  return port
}

function hosts({ rawHeaders }: { readonly rawHeaders: readonly string[] }): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
}

/** Resolves to the port's number, which is new with port 0. */
export function listen({ server }: Port, { port, host }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: ACCEPT_BACKLOG }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

export function localUrl({ host, tlsCertFiles }: Pick<Config, 'host' | 'tlsCertFiles'>, port: number): string {
  return `${tlsCertFiles === undefined ? 'http' : 'https'}://${localHost(host)}:${port}`
}

/** OCPP-TL1: TLS normally ends at a proxy; with certificate files this port speaks it, and renewal needs no restart. */
function serverOf(
  { tlsCertFiles: certFiles, tlsKeyFiles: keyFiles }: Config,
  options: ServerOptions & UpgradeOptions,
  listener: RequestListener,
  log: Log,
): Port {
  if (certFiles === undefined || keyFiles === undefined) {
    return { server: createServer(options, listener), stopWatching: () => undefined }
  }
  const server = createTlsServer({ ...tlsOptions({ certFiles, keyFiles }), ...options }, listener)
  const stopWatching = watchCertificates(server, { certFiles, keyFiles }, systemClock, (error) => {
    if (error) log.error({ error: error.message }, 'the renewed certificate cannot be used; the old one stays')
    else log.info({}, 'the renewed certificate is in use')
  })
  return { server, stopWatching }
}

/** @param host for clients of HTTP/1.0, which need not name one: health checks of load balancers do not */
function requestListener(handle: Handle, host: string, refuse: () => Response): RequestListener {
  const answer = getRequestListener(handle, { hostname: host, errorHandler: refuse })
  return oneAtATime((request, response) => void answer(request, response))
}
