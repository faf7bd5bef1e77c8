import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { apiOfTest, session, startApi, type TestResponse } from '../../../test/support/api/testing.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import type { Reads } from '../../domain/ports/storage.ts'

const SEARCH = '/2/evse-controllers/CP1/commands/search'
const FROM = '2026-08-01T00:00:00Z'
const api = await apiOfTest()
await api.addSession(session('s1'))

interface Described {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly webhooks: Readonly<
    Record<
      string,
      { readonly post: { readonly parameters: readonly { readonly name: string }[]; readonly requestBody: object } }
    >
  >
}

const codeOf = async (answer: Pick<TestResponse, 'status' | 'json'>) => [answer.status, (await answer.json()).code]

it('API-A3: /healthz and /readyz', async () => {
  expect(await api.get('/healthz')).toEqual({ status: 'ok' })
  expect(await api.get('/readyz')).toEqual({ status: 'ready' })
})

it('API-A3: not ready while the database or the core does not answer', async () => {
  const broken = Promise.reject(new Error('gone'))
  broken.catch(() => undefined)
  const server = await startApi({ reads: (reads): Reads => ({ ...reads, ping: () => broken }) })
  expect(await codeOf(await server.call('GET', '/readyz'))).toEqual([503, 'not_ready'])
  await server.close()
  const { statistics } = api.recording
  api.recording.statistics = () => broken as never
  expect(await codeOf(await api.call('GET', '/readyz'))).toEqual([503, 'not_ready'])
  expect((await api.call('GET', '/healthz')).status).toBe(200)
  // It answers, and stores nothing.
  for (const node of [{}, { node: { notReady: undefined } }]) {
    api.recording.statistics = async () => ({ ...(await statistics()), storeRefuses: 'storage_full', ...node })
    expect(await codeOf(await api.call('GET', '/readyz'))).toEqual([503, 'not_ready'])
  }
  api.recording.statistics = statistics
})

it('API-A3: each probe of a server that is not ready wrote a warning: one for each change of the reason', async () => {
  const { statistics } = api.recording
  const from = api.logged.length
  const probe = async (notReady?: string) => {
    api.recording.statistics = async () => ({ ...(await statistics()), node: { notReady } })
    return (await api.call('GET', '/readyz')).status
  }
  const away = (seconds: number) => `The database has not answered for ${seconds} seconds.`
  const stopped = 'This node is being stopped.'
  for (const why of [away(11), away(12), away(112), stopped, stopped]) expect(await probe(why)).toBe(503)
  expect([await probe(), await probe()]).toEqual([200, 200])
  expect(await probe(stopped)).toBe(503)
  await probe()
  api.recording.statistics = statistics
  expect(api.logged.slice(from).map(({ message, fields }) => [message, ...Object.values(fields)])).toEqual([
    ['not ready', away(11)],
    ['not ready', stopped],
    ['ready again'],
    ['not ready', stopped],
    ['ready again'],
  ])
})

it('API-A3: /metrics counts messages, requests and searches, with patterns and not paths', async () => {
  await api.call('POST', SEARCH, { from: FROM, count: true })
  await api.call('GET', '/sessions/s1')
  const answer = await fetch(`${api.url}/metrics`)
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expectTexts(text, 'pilotwire_ocpp_messages_total 17', 'pilotwire_ocpp_connections 3')
  expect(text).toContain('# TYPE pilotwire_journal_waiting gauge\npilotwire_journal_waiting 250')
  expect(text).toContain('# TYPE pilotwire_failed_folds_total counter\npilotwire_failed_folds_total 2')
  expect(text).toMatch(
    /pilotwire_http_request_duration_seconds_count\{method="GET",route="\/sessions\/:sessionId",status="200"\} \d/,
  )
  expect(text).toMatch(/pilotwire_search_duration_seconds_count\{kind="page",version="v2"\} \d/)
  expect(text).toMatch(/pilotwire_search_duration_seconds_count\{kind="count",version="v2"\} \d/)
  expect(text).not.toContain('s1')
  expect(await (await fetch(`${api.url}/metrics`)).text()).toContain('pilotwire_ocpp_messages_total 17')
})

it('API-A3: the rows that retention deleted are a metric', async () => {
  const server = await startApi({ parts: { retentionDeleted: () => 42 } })
  const text = await (await fetch(`${server.url}/metrics`)).text()
  expect(text).toContain('pilotwire_retention_deleted_rows_total 42')
  await server.close()
})

it('API-E3: OpenAPI 3.1 with the webhook session.updated', async () => {
  const document = await api.get<Described>('/openapi.json')
  expect(document.openapi).toBe('3.1.0')
  const webhook = document.webhooks['session.updated']?.post
  expect(webhook?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/SessionEvent' } } },
  })
  expect(webhook?.parameters.map((parameter) => parameter.name)).toContain('Webhook-Signature')
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const ids = operations.map((operation) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(JSON.stringify(document)).not.toMatch(/"\$ref":"(?!#\/)/)
})

it('HOOK-S5, API-E3: a client made from the description can send an Idempotency-Key, and must where one is required', async () => {
  const { paths } = await api.get<{ paths: Record<string, { post?: { parameters?: object[] } }> }>('/openapi.json')
  const key = (path: string): object | undefined =>
    paths[path]?.post?.parameters?.find((parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key')
  expect(key('/2/sessions/{sessionId}/settlements')).toMatchObject({ in: 'header', required: true })
  expect(key('/2/webhooks')).toMatchObject({ in: 'header', required: false })
  expect(key('/2/tariffs')).toBeUndefined()
})

it('a command that is given no ttl waits 24 hours, and the description says so', async () => {
  const { components } = await api.get<{
    components: { schemas: Record<string, { properties?: Record<string, { description?: string }> }> }
  }>('/openapi.json')
  expect(components.schemas.SendCommand?.properties?.ttl?.description).toMatch(/86400 \(24 hours\) unless given/)
})

it('API-A2, CONSOLE-C12: /docs is one page that loads nothing, and runs what its policy names alone', async () => {
  const answer = await fetch(`${api.url}/docs`)
  const page = await answer.text()
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect(page).toMatch(/^<!doctype html><html lang="en">/)
  const scripts = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
  expect(scripts.map(([tag]) => tag.slice(0, 22))).toEqual(['<script type="module">'])
  const hash = createHash('sha256')
    .update(scripts[0]?.[1] ?? '')
    .digest('base64')
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
  const styleHash = createHash('sha256').update(style).digest('base64')
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${styleHash}'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toMatch(/<link|<img|src=|@import|url\(/)
  expectTexts(page, 'id="searchCommands"', '/2/evse-controllers/{evseController}/commands/search')
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${target}"`)
})

it('API-A2: /docs has /metrics only where this address serves it', async () => {
  expect(await (await fetch(`${api.url}/docs`)).text()).toMatch(/href="#metrics".*id="metrics"/s)
  const server = await startApi({ parts: { metricsElsewhere: true } })
  expect(await (await fetch(`${server.url}/docs`)).text()).not.toContain('/metrics')
  await server.close()
})

it('OIDC-U6: the protected resource’s metadata is where WWW-Authenticate says', async () => {
  const refused = await fetch(`${api.url}/2/sessions`)
  const [, url = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const metadata: object = await api.get(new URL(url).pathname)
  expect(metadata).toMatchObject({
    resource: 'http://localhost:8080',
    authorization_servers: ['http://localhost:8080/1/oauth/service'],
    bearer_methods_supported: ['header'],
  })
})
