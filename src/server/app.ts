/** The composition root, the one file that knows every room; takes all down in the order that loses nothing. */

import { randomBytes } from 'node:crypto'
import { createServer, type Server as HttpServer, type RequestListener, type ServerOptions } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import packageJson from '../../package.json' with { type: 'json' }
import { createApi } from '../api/api.ts'
import { openMetricsPort } from '../api/metrics/metrics-port.ts'
import type { Metrics } from '../api/metrics/observe.ts'
import { belowBasePath } from '../api/requests/base-path.ts'
import { answerClientErrors, limitBody, malformedRequest, oneAtATime } from '../api/requests/client-error.ts'
import { endingWithChargePoints } from '../application/ended-grants/orders.ts'
import type { Config } from '../config/config.ts'
import { isPostgres } from '../config/database-path.ts'
import { nodeName } from '../config/node-name.ts'
import { localHost } from '../config/setting-kinds.ts'
import { alertPages } from '../console/alerts/page.tsx'
import { bulkOrderPages } from '../console/bulk-orders/page.tsx'
import { firmwarePages } from '../console/firmware/page.tsx'
import { logPages } from '../console/logs/page.tsx'
import { operatorPages } from '../console/mount.ts'
import { partnerPages } from '../console/partners/page.tsx'
import { coreSettings } from '../core/core-settings.ts'
import { startCoreThread } from '../core/thread/core-client.ts'
import type { HookSettings, Log, SignerSettings } from '../domain/ports/core.ts'
import { limitsInMemory } from '../limits/limits.ts'
import { createOidc } from '../oidc/create-oidc.ts'
import { isUpgrade, type UpgradeOptions } from '../sockets/handshake.ts'
import { attachOcppEndpoint } from '../sockets/ocpp-endpoint.ts'
import { startRebalancing, watchOverload } from '../sockets/overload.ts'
import { tlsOptions, watchCertificates } from '../sockets/tls.ts'
import type { DatabaseWatch, ReaderThread } from '../storage/database.ts'
import { databaseAt } from '../storage/open.ts'
import { BLOCK_PAGES, routesOf } from './blocks.ts'
import { systemClock } from './system.ts'
import { startWork, type Threads } from './work.ts'

/** A request that is not finished by then will not be: a stalled client must not hold up the end. */
const REQUEST_GRACE_MS = 5000

interface RunningServer {
  /** Where it really listens; differs from the base URL behind a proxy or with port 0. */
  readonly url: string
  readonly port: number
  readonly metricsPort: number | undefined
  readonly routes: readonly { readonly path: string; readonly method: string }[]
  /** Resolves when the server cannot go on (a thread died, its database is gone) and should be restarted. */
  readonly failed: Promise<Error>
  stop(): Promise<void>
}

export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const database = databaseAt(config.databaseUrl)
  const lock = database.lock()
  const undo: (() => unknown)[] = [() => lock.release()]
  try {
    for (const fault of database.keepPrivate()) log.warn({}, fault)
    const core = await startCoreThread(
      {
        databaseUrl: config.databaseUrl,
        settings: coreSettings(config),
        certificates: signerSettings(config),
        vatHook: vatHook(config),
        node: { name: nodeName(config), version: packageJson.version },
      },
      log,
    )
    undo.unshift(core.close)
    // Callers of the server before this one are gone.
    await core.writes.endAuditOutcomes()
    const reads = await database.startReader(core.putInPlace)
    undo.unshift(() => reads.close())
    // Every request needs it, so it is up before the port opens and before file handles are few (OCPP-DR5).
    await reads.ping()
    // The log's searches have a thread of their own: a worst-case one delays no look-up of a credential (SEARCH-Q10).
    const searches = await database.startReader(core.putInPlace)
    undo.unshift(() => searches.close())
    const files = await database.watch(systemClock.after)
    undo.unshift(files.stop)
    const shared = await database.openLimits({ alone: limitsInMemory(systemClock.now), now: systemClock.now, log })
    undo.unshift(shared.close)
    const { limits } = shared
    return await openPort(config, log, { core, reads, searches, limits, files, closeAll: () => runAll(undo) })
  } catch (error) {
    await runAll(undo)
    throw error
  }
}

interface OpenThreads extends Threads {
  readonly searches: ReaderThread
  readonly files: DatabaseWatch
  readonly closeAll: () => Promise<void>
}

async function openPort(config: Config, log: Log, threads: OpenThreads): Promise<RunningServer> {
  const { core, reads, searches, limits, files } = threads
  const searchLog = searches.inTurns
  const startedAt = systemClock.now()
  const { nodes: nodesNow, figures: storageFigures } = databaseAt(config.databaseUrl)
  const node = { name: nodeName(config), since: startedAt, isOneOfSeveral: isPostgres(config.databaseUrl) }
  const installation = { version: packageJson.version, node, nodes: nodesNow, storageFigures }
  const work = await startWork(config, log, threads)
  const { deliveries, webhookOrders, testTargets, storedFiles, rollouts, bulkOrders, clientOrigin, ocpi } = work
  const orders = endingWithChargePoints(core.core, work.endedGrants.changed)
  const oidc = createOidc({
    reads,
    config,
    limits,
    log,
    clientOrigin,
    writes: core.writes,
    now: systemClock.now,
    random: randomBytes,
    connectivity: core.core.connectivity,
    async grantChanged(grantId) {
      await Promise.all([work.endedGrants.changed(grantId === undefined ? undefined : { grantId }), bulkOrders.look()])
    },
    pages: operatorPages({
      searchLog,
      core: orders,
      webhookOrders,
      deliveries,
      webhookAllowPrivate: config.webhookAllowPrivate,
      baseUrl: config.baseUrl,
      timeZone: config.timeZone,
      voltage: config.voltage,
      salt: core.salt,
      after: systemClock.after,
      serverRoot: coreSettings(config).serverRoot,
      installation,
      extraPages: [
        ...BLOCK_PAGES,
        alertPages(testTargets),
        firmwarePages(storedFiles, rollouts),
        logPages(storedFiles),
        bulkOrderPages(bulkOrders),
        partnerPages(ocpi.orders),
      ],
    }),
  })
  const stopping = new AbortController()
  let metrics: Metrics | undefined
  const api = createApi({
    reads,
    searchLog,
    writes: core.writes,
    core: orders,
    salt: core.salt,
    settings: { ...config, serverRoot: coreSettings(config).serverRoot },
    ...systemClock,
    ...installation,
    retentionDeleted: work.retentionDeleted,
    afirWaitingSince: work.afirWaitingSince,
    random: randomBytes,
    limits,
    deliveries,
    webhookOrders,
    verifyAccessToken: oidc.verifyAccessToken,
    clientOrigin,
    metricsElsewhere: config.metricsPort !== 'shared',
    extraEndpoints: [
      (api) => {
        metrics = api.metrics
      },
      oidc.addGrants,
      ...routesOf(work),
    ],
    stopping: stopping.signal,
    log,
  })
  api.route('/', ocpi.routes)
  api.route('/', oidc.routes)
  const withoutBasePath = belowBasePath(config.baseUrl)
  const tcp = createPort(config, api.fetch, withoutBasePath, log)
  const { server } = tcp
  const overload = watchOverload(core.core.statistics, {
    clock: systemClock,
    maxQueued: config.ocppMaxQueue,
    maxLagMs: config.ocppMaxLagMs,
  })
  const endpoint = attachOcppEndpoint(server, core.core, {
    maxFrameBytes: config.ocppMaxFrame,
    pingIntervalSeconds: config.ocppPingIntervalSeconds,
    withoutPong: config.ocppWithoutPong,
    trustedProxies: config.trustedProxies,
    clientCertHeader: config.clientCertHeader,
    withoutBasePath,
    upgrades: { concurrent: config.ocppMaxUpgrades, overloaded: overload.isBehind },
    clock: systemClock,
    random: Math.random,
    log,
  })
  core.connectSockets(endpoint.events)
  const rebalancing = startRebalancing({
    percent: isPostgres(config.databaseUrl) ? config.rebalancePercent : 0,
    connectionCount: endpoint.connectionCount,
    closeSome: endpoint.closeSome,
    nodes: nodesNow,
    clock: systemClock,
    log,
  })
  const stopWork = (): void => {
    work.stop()
    overload.stop()
    void rebalancing?.stop()
    tcp.stopWatching()
  }
  const metricsPort =
    metrics && config.metricsPort !== 'shared'
      ? await openMetricsPort({ port: config.metricsPort, host: config.metricsHost }, metrics, log)
      : undefined
  if (metricsPort) log.info({ host: config.metricsHost, port: metricsPort.port }, 'metrics are served')
  const port = await listen(tcp, config).catch(async (error: unknown) => {
    await metricsPort?.close()
    stopWork()
    await work.stopAlerts()
    await deliveries.stop()
    await ocpi.stop()
    throw error
  })
  return {
    port,
    metricsPort: metricsPort?.port,
    url: localUrl(config, port),
    routes: api.routes.map(({ path, method }) => ({ path, method })),
    failed: Promise.race([core.crashed, reads.crashed, searches.crashed, files.moved]),
    /** OCPP-CN6: what was received is answered first; beside others once the balancer knows (STORE-N12). */
    async stop() {
      // A dead core has nothing left to finish, and the sockets still want their good-bye.
      const drain = (): Promise<void> => core.core.drain().catch(() => undefined)
      stopWork()
      stopping.abort()
      const hasOthers = await core.core.leave().catch(() => false)
      if (hasOthers) await new Promise<void>((resolve) => systemClock.after(config.stopDelaySeconds * 1000, resolve))
      endpoint.stopAccepting()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      await rollouts.whenIdle()
      await drain()
      await work.stopAlerts()
      const delivered = deliveries.stop()
      await endpoint.close()
      const cancel = systemClock.after(REQUEST_GRACE_MS, () => server.closeAllConnections())
      server.closeIdleConnections()
      await closed
      cancel()
      await drain()
      await delivered
      await ocpi.stop()
      await metricsPort?.close()
      await threads.closeAll()
    },
  }
}

async function runAll(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) await step()
}

function signerSettings(config: Config): SignerSettings {
  return {
    provider: config.certificateProvider,
    hookUrl: config.certificateHookUrl,
    hookSecret: config.certificateHookSecret,
    baseUrl: config.baseUrl,
  }
}

function vatHook({ vatHookUrl: url, vatHookSecret: secret }: Config): HookSettings | undefined {
  return url !== undefined && secret !== undefined ? { url, secret } : undefined
}

// The TCP port that everything comes through: HTTP, or TLS with certificate files (OCPP-TL1).

/** New sockets starve behind a busy event loop with Node's default of 511 (architecture 3). */
const ACCEPT_BACKLOG = 4096
/** Above the 60 s of nginx and balancers: closed earlier, a POST now and then is answered 502 (RFC 9112 §9.5). */
const KEEP_ALIVE_MS = 75_000

type Handle = Parameters<typeof getRequestListener>[0]

interface Port {
  readonly server: HttpServer | TlsServer
  readonly stopWatching: () => void
}

/** Everything about the port but opening it. @param handle answers what is neither an upgrade nor malformed */
function createPort(config: Config, handle: Handle, withoutBasePath: (target: string) => string, log: Log): Port {
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
function listen({ server }: Port, { port, host }: Config): Promise<number> {
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
