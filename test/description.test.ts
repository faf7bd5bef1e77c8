/**
 * What the whole server offers, held against what it says about itself: no address without its description, and none
 * only on paper.
 */
import { expect, it } from 'vitest'
import { houseOfFile } from './house.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>

const ISSUER = '/1/oauth/service'
/** Any text will do for most of them; the id of a command must look like one. */
const SOME_ID = '0197f3c2-5a10-7abc-8def-0123456789ab'
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Descriptions themselves, and what people open in a browser. */
const FOR_PEOPLE = [/^\/$/, /^\/favicon\.ico$/, /^\/docs$/, /^\/openapi\.json$/, /^\/dashboard(\/|$)/]

const house = await houseOfFile()
const { body } = await house.request('GET', '/openapi.json')
const [paths, webhooks] = [body.paths, body.webhooks] as [Paths, Paths]
const discovery = (await house.request('GET', `${ISSUER}/.well-known/openid-configuration`)).body

const methodsOf = (path: string): string[] =>
  Object.keys(paths[path] ?? {})
    .filter((name) => METHODS.includes(name))
    .map((name) => name.toUpperCase())

/** As in OpenAPI, without what the server adds to every address. */
const routes = (): { path: string; method: string }[] =>
  house.routes
    .filter(({ path }) => !path.includes('*') && !FOR_PEOPLE.some((pattern) => pattern.test(path)))
    .map(({ path, method }) => ({ path: path.replaceAll(/:(\w+)(\{[^/]*\})?/g, '{$1}'), method }))

it('API-E3: /openapi.json or the discovery document names every address that is answered', () => {
  const discovered = new Set(
    Object.values(discovery).flatMap((value) =>
      typeof value === 'string' && value.includes(`${ISSUER}/`) ? [value.slice(value.indexOf(ISSUER))] : [],
    ),
  )
  const missing = routes().filter(({ path, method }) => {
    if (method !== 'ALL') return !methodsOf(path).includes(method)
    return methodsOf(path).length === 0 && !discovered.has(path)
  })
  expect(missing.map(({ path }) => path)).toEqual([
    // RFC 8414 and OpenID Connect say where a client looks for these two; a registration names the third itself.
    `${ISSUER}/.well-known/openid-configuration`,
    `/.well-known/oauth-authorization-server${ISSUER}`,
    `${ISSUER}/register/{clientId}`,
  ])
})

it('API-E1, API-E3: every path that is described offers the described methods and no others', async () => {
  const offered = await Promise.all(
    Object.keys(paths).map(async (path) => {
      const { status, headers } = await house.request('OPTIONS', path.replaceAll(/\{\w+\}/g, SOME_ID))
      const allowed = (headers.get('allow') ?? headers.get('access-control-allow-methods') ?? '').split(', ')
      return { path, status, methods: allowed.filter((name) => name !== 'HEAD' && name !== 'OPTIONS').sort() }
    }),
  )
  expect(offered).toEqual(Object.keys(paths).map((path) => ({ path, status: 204, methods: methodsOf(path).sort() })))
})

it('API-E3: no pattern has the flag of a JavaScript expression, which a client would read as text', async () => {
  const { text } = await house.request('GET', '/openapi.json')
  const patterns: string[] = []
  JSON.parse(text, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') patterns.push(value)
    return value
  })
  expect(patterns.length).toBeGreaterThan(10)
  expect(patterns.filter((pattern) => !pattern.startsWith('^') || !pattern.endsWith('$'))).toEqual([])
})

it('CONSOLE-C12: every call has a command to copy, whose body is accepted by its schema, and a form that waits for a script', async () => {
  const page = await (await fetch(`${house.url}/docs`)).text()
  const calls = Object.keys(paths).flatMap(methodsOf)
  expect(page.match(/<pre tabindex="0">curl/g)).toHaveLength(calls.length)
  expect(page.match(/<details class="try" hidden=""/g)).toHaveLength(calls.length)
  for (const type of Object.keys(webhooks)) expect(page).toContain(`<code>${type}</code></a>`)
  for (const id of ['credentials', 'session-states', 'events']) expect(page).toContain(`id="${id}"`)
  expect(page).toContain('<svg class="states"')
  expect(page).not.toContain(house.credential)
})
