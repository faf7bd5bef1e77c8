/** Every address of the API against the table beside this file, on the whole server. */
import { afterAll, describe, expect, it } from 'vitest'
import { type OperationId, RIGHTS } from '../../src/api/access/rights.ts'
import { ACTING } from '../../src/domain/accounts/roles.ts'
import type { Scope } from '../../src/domain/accounts/scopes.ts'
import { openHouse } from '../house.ts'
import { responseChecker } from '../support/api/response-checker.ts'
import { testAuthority } from '../support/domain/x509/testing.ts'
import { type Address, addressOf } from './address.ts'
import { ADDRESSES } from './addresses.ts'
import { openPlace, type Place } from './place.ts'

interface Operation {
  readonly operationId?: OperationId
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Fault {
  readonly pointer: string
}

const place = await openPlace()
place.ids.set('root', (await testAuthority()).certificate)
place.ids.set('file', 'none.pem')
const document = (await place.house.request('GET', '/openapi.json')).body
const description = document as unknown as Description
const check = responseChecker(document)
afterAll(() => place.close())

const scopesOf = ({ needs }: Address): readonly Scope[] | undefined => {
  if (typeof needs !== 'string') return needs
  return needs === 'credential' || needs === 'grant' || needs === 'anyone' ? undefined : [needs]
}

const bodyOf = ({ body }: Address, at = place): object | undefined => (typeof body === 'function' ? body(at) : body)

async function send(
  address: Address,
  bearer: string | undefined,
  { at = place, ...sent }: { readonly body?: unknown; readonly query?: string; readonly at?: Place } = {},
  url = at.house.url,
): Promise<Response> {
  const { body = bodyOf(address, at), query = address.query ?? '' } = sent
  const [method, path] = addressOf(address, at.ids)
  const form = address.form?.(at)
  const response = await fetch(`${url}${path}${query}`, {
    method,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...address.headers,
    },
    ...(body !== undefined ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : form && { body: form }),
  })
  await check(method, path, response)
  return response
}

/** A problem, with this status. */
async function problem(response: Response, status: number): Promise<{ code: string; errors?: readonly Fault[] }> {
  const body = (await response.json()) as { code: string; errors?: readonly Fault[] }
  expect([response.status, response.headers.get('content-type')], JSON.stringify(body)).toEqual([
    status,
    'application/problem+json',
  ])
  const members = { type: /^http/, title: /./, status, detail: /./, instance: /^urn:request:/, code: /^[a-z_0-9]+$/ }
  expectMembers(body, members)
  return body
}

const pointers = (body: { errors?: readonly Fault[] }) => (body.errors ?? []).map(({ pointer }) => pointer)

/** Patterns stand for texts that are not known before. */
function expectMembers(found: unknown, desired: unknown, at = ''): void {
  if (desired instanceof RegExp) {
    expect(found, `${at} is missing`).not.toBeUndefined()
    if (typeof found !== 'object') expect(String(found), at).toMatch(desired)
  } else if (Array.isArray(desired)) {
    expect(Array.isArray(found), at).toBe(true)
    const members = found as readonly unknown[]
    if (desired.length === 0) expect(members, at).toEqual([])
    for (const [place, one] of desired.entries()) expectMembers(members[place], one, `${at}/${place}`)
  } else if (typeof desired === 'object' && desired !== null) {
    for (const [name, one] of Object.entries(desired)) {
      expectMembers((found as Readonly<Record<string, unknown>> | undefined)?.[name], one, `${at}/${name}`)
    }
  } else expect(found, at).toEqual(desired)
}

function expectNoNull(value: unknown, at = ''): void {
  expect(value, at).not.toBeNull()
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) expectNoNull(one, `${at}/${name}`)
}

it('API-E3: the table has every address that the description has, and no other', () => {
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(ADDRESSES.map(({ at }) => at).sort()).toEqual(described.sort())
})

/** A test where its address has something of the kind; not one that is skipped. */
const itWhere = (has: unknown): ((title: string, test: () => Promise<void>) => void) => (has ? it : () => undefined)

describe.each(ADDRESSES.map((address) => [address.at, address] as const))('%s', (_, address) => {
  const scopes = scopesOf(address)
  const { at, needs, answers } = address
  const [method, path] = [at.split(' ')[0] ?? '', at.split(' ')[1] ?? '']
  const isNamed = path.includes('{') && needs !== 'anyone' && address.isOwn !== true
  const operation = description.paths[path]?.[method.toLowerCase()]
  const { act, owner } = RIGHTS[operation?.operationId ?? 'health']
  /** What it changes is made by the good request itself. */
  const makes = method === 'PUT' || path.endsWith('/charging-profiles')
  const isOrdered = act === 'change' && (owner === 'orderer' || owner === 'maker')

  const refusesApplication = async (): Promise<void> => {
    const refused = await send(address, await place.token(place.everyScopeBut([])))
    await problem(refused, owner === 'maker' ? 404 : 403)
  }

  it('API-B6, INTENT-A10: names in the description who may ask', () => {
    const { security = [] } = description.paths[path]?.[method.toLowerCase()] ?? {}
    const oauth = security.flatMap((one) => (one.oauth === undefined ? [] : [one.oauth]))
    expect(security.some((one) => one.apiCredential !== undefined)).toBe(needs !== 'anyone')
    expect(oauth.length === 0 ? undefined : oauth.flat()).toEqual(needs === 'grant' ? [] : scopes)
  })

  itWhere(needs !== 'anyone')('API-B6: refuses who has no credential with 401, and a wrong one too', async () => {
    await address.first?.(place)
    for (const bearer of [undefined, 'pwk_wrong', 'pwa_wrong']) {
      const refused = await send(address, bearer)
      await problem(refused, 401)
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer realm=/)
    }
  })

  itWhere(scopes)(
    'API-B6, INTENT-A10: refuses every other scope with 403, of a credential and of a token',
    async () => {
      const others = place.everyScopeBut(scopes ?? [])
      for (const bearer of [await place.restricted(others), await place.token(others)]) {
        const refused = await send(address, bearer)
        expect((await problem(refused, 403)).code).toBe('insufficient_scope')
        expect(refused.headers.get('www-authenticate')).toContain(`scope="${(scopes ?? []).join(' ')}"`)
      }
    },
  )

  itWhere(needs === 'credential')('API-B6: refuses an application, whatever its scopes', async () => {
    const refused = await send(address, await place.token(place.everyScopeBut([])))
    await problem(refused, 403)
  })

  // FIRMWARE-I5: an image of the account has no charge point.
  itWhere(scopes && path.includes('{') && !path.startsWith('/2/firmware/'))(
    'OIDC-C6, OIDC-C15: refuses an application without the charge point',
    async () => {
      const refused = await send(address, await place.token(place.everyScopeBut([]), 'stranger'))
      await problem(
        refused,
        isOrdered && makes && path.endsWith('{name}') && !path.includes('evseController') ? 403 : 404,
      )
    },
  )

  itWhere(scopes?.some((scope) => ACTING.includes(scope)))(
    'ADMIN-A3, OIDC-C15: refuses the application of a viewer, who consented to every scope',
    async () => {
      await problem(await send(address, await place.token(place.everyScopeBut([]), 'viewer')), 403)
    },
  )

  itWhere(isOrdered && !makes)(
    'OIDC-C14, OIDC-C15: what the account ordered is not the application’s',
    refusesApplication,
  )

  itWhere(isNamed)('API-A5, API-B6: another account’s is not there', async () => {
    expect((await problem(await send(address, place.unaccepted), 404)).code).toBe('not_found')
  })

  itWhere(address.body)('API-E1, SEARCH-Q13: refuses a bad body with 400 and says where', async () => {
    const { credential } = place.house
    for (const text of ['{', '[]', '"text"', '7']) await problem(await send(address, credential, { body: text }), 400)
    const surprising = { ...bodyOf(address), surprise: 1 }
    expect(pointers(await problem(await send(address, credential, { body: surprising }), 400))).toContain('/surprise')
    for (const [body, pointer] of address.wrong ?? []) {
      const reported = await problem(await send(address, credential, { body }), 400)
      expect(pointers(reported), JSON.stringify(body)).toContain(pointer)
    }
  })

  itWhere(address.wrongQuery)('API-E1: refuses a wrong parameter with 400 and names it', async () => {
    for (const [name, pointer] of Object.entries(address.wrongQuery ?? {})) {
      const reported = await problem(await send(address, place.house.credential, { query: `?${name}=-%20-` }), 400)
      expect(pointers(reported), name).toContain(pointer)
    }
  })

  it(`API-B1, API-E3: answers ${answers} to whoever may ask`, async () => {
    if (needs === 'anyone') await address.first?.(place)
    const internal = path === '/certificates/{file}' ? await openHouse() : undefined
    if (internal) {
      const { body } = await internal.request('GET', '/2/certificate-authorities')
      place.ids.set('file', `${(body.data as readonly { name: string }[])[0]?.name}.pem`)
    }
    const bearer = needs === 'anyone' ? undefined : scopes ? await place.restricted(scopes) : place.house.credential
    if (method === 'GET' && scopes && !address.isOwn && !address.isMakers) {
      expect((await send(address, await place.token(scopes))).status).toBe(answers)
    }
    const response = await send(address, bearer, {}, internal?.url)
    const text = await response.text()
    expect(response.status, text).toBe(answers)
    expect(response.headers.get('x-request-id')).toMatch(/./)
    for (const [name, pattern] of Object.entries(address.reported ?? {})) {
      expect(response.headers.get(name), name).toMatch(pattern)
    }
    const type = response.headers.get('content-type')?.split(';')[0]
    if (text !== '')
      expect(type).toBe(address.type ?? (answers < 400 ? 'application/json' : 'application/problem+json'))
    if (type === 'application/json') {
      const body = JSON.parse(text) as Readonly<Record<string, unknown>>
      expectNoNull(body)
      expectMembers(body, address.has ?? {})
      const id = body.id ?? (body.data as readonly { id?: unknown }[] | undefined)?.[0]?.id
      if (address.keeps !== undefined) place.ids.set(address.keeps, String(id))
    }
    await internal?.close()
  })

  itWhere(isOrdered && makes)('OIDC-C14, OIDC-C15: what the account put is not the application’s', refusesApplication)
})

const own = await openPlace()
own.ids.set('root', place.ids.get('root') ?? '')
const token = await own.token(own.everyScopeBut([]))
own.actAs(token)
afterAll(() => own.close())

it.each(
  ADDRESSES.filter((one) => scopesOf(one) || one.at.includes('/files/')).map(
    (address) => [address.at, address] as const,
  ),
)('OIDC-C14, OIDC-C15: its own: %s, of its own', async (_, address) => {
  await address.first?.(own)
  const response = await send(address, token, { at: own })
  const text = await response.text()
  expect(response.status, text).toBe(address.answersApplication ?? address.answers)
  const body = text.startsWith('{') ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {}
  const id = body.id ?? (body.data as readonly { id?: unknown }[] | undefined)?.[0]?.id
  if (address.keeps !== undefined) own.ids.set(address.keeps, String(id))
})
