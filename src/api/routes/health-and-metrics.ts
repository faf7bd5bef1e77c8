/** For those who run the server: is it alive, can it work, what does it do (API-A3). */
import { z } from '@hono/zod-openapi'
import { listNodes } from '../../application/nodes/nodes.ts'
import { listOf, shown, time } from '../../application/schemas/common.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import { fixedDocument } from '../../web/fixed-document.ts'
import type { Api } from '../api-parts.ts'
import { withDeadline } from '../requests/deadline.ts'
import { resource } from '../resource.ts'
import { orRefused, Problem } from '../respond.ts'

/** An orchestrator asks every few seconds; a part that needs longer is not ready. */
const READY_DEADLINE_MS = 2000
const TAG = 'Operations'

function notReady(detail: string, cause?: unknown): Problem {
  return new Problem(503, 'not_ready', detail, { cause, headers: { 'retry-after': '5' } })
}

/** It can be read, so its pages work; but no message is stored, and none is answered but with an error. */
const REFUSALS: Readonly<Record<string, string>> = {
  storage_full: 'The disk of the database is full: nothing is stored. Free some space.',
  storage_read_only: 'The database is read-only: nothing is stored.',
  storage_corrupt: 'The database is damaged: nothing is stored.',
  storage_failed: 'The database refuses what is to be stored; see the log.',
}

/** A node says it itself (STORE-N11): a database failover makes none unready for some seconds. @returns why not */
async function whyNotReady({ reads, core }: Pick<Api, 'reads' | 'core'>): Promise<string | undefined> {
  const database = reads.ping().then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  const { node, storeRefuses } = await core.statistics()
  const why = node?.notReady ?? (storeRefuses && REFUSALS[storeRefuses])
  if (node || why) return why
  const failure = await database
  if (failure) throw failure.error
  return undefined
}

export function addOperations({ endpoints, reads, core, metrics, metricsElsewhere, after, log, stopping }: Api): void {
  const status = (value: string) => z.strictObject({ status: z.literal(value) })
  /** API-A3: logged once for each change; seconds that pass are none. */
  let known = ''
  const changed = (why = ''): boolean => {
    const before = known
    known = why.replaceAll(/\d+/g, '')
    return known !== before
  }
  resource({ endpoints }, { tag: TAG, path: '/healthz' }).get('', 'health', 'Check liveness', {
    unlimited: true,
    ok: [status('ok'), 'Alive'],
    handle: async () => ({ status: 'ok' }),
  })
  resource({ endpoints }, { tag: TAG, path: '/readyz' }).get('', 'readiness', 'Check readiness', {
    unlimited: true,
    ok: [status('ready'), 'Ready'],
    async handle() {
      if (stopping?.aborted) throw notReady('The server is being stopped.')
      let why: string | undefined
      try {
        why = await withDeadline(whyNotReady({ reads, core }), READY_DEADLINE_MS, after)
      } catch (cause) {
        if (changed(String(cause))) log.warn({ error: String(cause) }, 'not ready')
        throw notReady('The database or the core does not answer; see the log.', cause)
      }
      const isNews = changed(why)
      if (why !== undefined) {
        if (isNews) log.warn({ why }, 'not ready')
        throw notReady(why)
      }
      if (isNews) log.info({}, 'ready again')
      return { status: 'ready' }
    },
  })
  if (metricsElsewhere) return
  resource({ endpoints }, { tag: TAG, path: '/metrics' }).get('', 'metrics', 'Get metrics for Prometheus', {
    unlimited: true,
    produces: ['text/plain', 'application/openmetrics-text'],
    responses: { 200: { description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' } } } } },
    async handle() {
      const { type, text } = await metrics.render()
      return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
    },
  })
}

/** The servers that share the database (STORE-N9), for those who run the installation. */
const NodeSchema = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    since: time(),
    lastSeenAt: time(),
    connections: z.int().openapi({ description: 'Charge points that are connected to it.' }),
    state: z.enum(['live', 'draining', 'silent', 'fenced']),
  })
  .openapi('Node')

export function addNodes(api: Api): void {
  resource(api, { tag: TAG, path: '/2/nodes' }).get('', 'listNodes', 'List the nodes of this installation', {
    description:
      'One entry for each name. `silent`: not heard of for 15 seconds, so another one will take its place; `fenced`: it has ended. Only for API credentials of the first account.',
    ok: [listOf('NodeList', NodeSchema), 'The nodes'],
    async handle({ principal }) {
      const nodes = orRefused(await listNodes(api, principal.accountId))
      return { data: nodes.map((node) => shown(NodeSchema, node)), meta: {} }
    },
  })
}

/** RFC 9728: tells a client that was answered 401 which authorisation server gives tokens for this API (OIDC-U6). */
const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** RFC 9728 §3.1: the well-known part goes between host and path of the resource's address. */
export function protectedResourceUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`
}

export function addProtectedResource({ endpoints, settings: { baseUrl } }: Api): void {
  const metadata = {
    resource: baseUrl,
    authorization_servers: [`${baseUrl}/1/oauth/service`],
    scopes_supported: API_SCOPE_NAMES,
    bearer_methods_supported: ['header'],
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
  const document = fixedDocument(() => JSON.stringify(metadata), headers)
  resource({ endpoints }, { tag: TAG, path: new URL(protectedResourceUrl(baseUrl)).pathname }).get(
    '',
    'protectedResource',
    'Get the protected resource metadata (RFC 9728)',
    {
      ok: [z.looseObject({ resource: z.string() }), 'Metadata'],
      handle: ({ context }) => document(context.req),
    },
  )
}
