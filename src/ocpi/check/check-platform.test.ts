import { expect, it } from 'vitest'
import { checkPlatform } from './check-platform.ts'

type Json = Readonly<Record<string, unknown>>
/** Of an answer. */
interface Change {
  readonly error?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Members, or a whole text. */
  readonly envelope?: Json | string
}

const BASE = 'https://partner.example'
const AT = '2026-11-29T12:00:00Z'
const ENDPOINTS = ['credentials', 'tokens'].map((identifier) => ({
  identifier,
  role: 'SENDER',
  url: `${BASE}/${identifier}`,
}))
const ROLE = { role: 'EMSP', country_code: 'NL', party_id: 'TST', business_details: { name: 'Test' } }
const CREDENTIALS = { token: 'abc', url: `${BASE}/versions`, roles: [ROLE] }
const TOKEN = `Token ${Buffer.from('T').toString('base64')}`
const NEXT = `${BASE}/tokens?offset=2`
const PAGED = { 'x-total-count': '3', 'x-limit': '2', link: `<${NEXT}>; rel="next"` }
const tokens = (...uids: string[]): readonly Json[] => uids.map((uid) => ({ uid, last_updated: AT }))

/** A platform that does everything right. */
const GOOD: Readonly<Record<string, { readonly data: unknown; readonly headers?: Readonly<Record<string, string>> }>> =
  {
    '/versions': { data: [{ version: '2.2.1', url: `${BASE}/2.2.1` }] },
    '/2.2.1': { data: { version: '2.2.1', endpoints: ENDPOINTS } },
    '/credentials': { data: CREDENTIALS },
    '/tokens?date_from=2020-01-01T00:00:00Z&limit=2': { data: tokens('A', 'B'), headers: PAGED },
    '/tokens?offset=2': { data: tokens('C'), headers: PAGED },
  }
const [LIST = ''] = Object.keys(GOOD).filter((path) => path.startsWith('/tokens?date'))

/** @param changes by path; of those that are refused by `refused`, `PUT` and `unknown` */
async function faultsAfter(changes: Readonly<Record<string, Change>> = {}): Promise<readonly string[]> {
  const send = async (url: string, { method, headers: sent }: RequestInit): Promise<Response> => {
    const path = url.replace(/^https?:..partner.example/, '')
    const { authorization, ...ids } = sent as Readonly<Record<string, string>>
    const name = method === 'PUT' ? 'PUT' : authorization !== TOKEN ? 'refused' : method === 'POST' ? 'unknown' : path
    const {
      error,
      status = { PUT: 405, refused: 401, unknown: 404 }[name] ?? 200,
      headers,
      envelope,
    } = changes[name] ?? {}
    if (error !== undefined) throw new Error('fetch failed', { cause: error })
    const code = name === path ? { status_code: 1000, ...GOOD[path] } : { status_code: 2001, status_message: 'x' }
    const text = typeof envelope === 'string' ? envelope : JSON.stringify({ ...code, timestamp: AT, ...envelope })
    const all = { 'content-type': 'application/json', ...ids, ...GOOD[path]?.headers, ...headers }
    return new Response(text, { status, headers: all })
  }
  const newId = () => 'R'
  return checkPlatform(`${BASE}/versions`, 'T', newId, () => undefined, send as typeof fetch)
}
const detailed = (...endpoints: object[]) => ({ '/2.2.1': { envelope: { data: { endpoints } } } })
const [first, second] = ENDPOINTS as [object, object]

const credentialed = (change: Json) => ({ '/credentials': { envelope: { data: { ...CREDENTIALS, ...change } } } })
const NEXT_PATH = '/tokens?offset=2'

/** What is wrong, and what is said. */
const CASES: readonly (readonly [what: string, fault: string | RegExp, Readonly<Record<string, Change>>])[] = [
  ['no answer', 'ECONNRESET', { [LIST]: { error: 'ECONNRESET' } }],
  ['an address without TLS', 'not https', detailed({ ...first, url: 'http://partner.example/credentials' }, second)],
  ['a redirect', 'HTTP 307 in place of 200', { [LIST]: { status: 307 } }],
  ['403 for a wrong token', 'HTTP 403 in place of 401', { refused: { status: 403 } }],
  ['200 for PUT', 'HTTP 200 in place of 405', { PUT: { status: 200 } }],
  ['200 for what is not there', 'HTTP 200 in place of 404', { unknown: { status: 200 } }],
  ['HTTP 500', 'HTTP 500 in place of 200', { '/2.2.1': { status: 500 } }],
  ['a page in HTML', 'no JSON object', { [LIST]: { envelope: '<html>' } }],
  ['JSON as text', 'Content-Type is text/plain', { [LIST]: { headers: { 'content-type': 'text/plain' } } }],
  ['a status code that is a text', 'status_code is no', { refused: { envelope: { status_code: '2001' } } }],
  ['no timestamp', 'is no time', { refused: { envelope: { timestamp: undefined } } }],
  ['1000 without data', 'data is missing', { [NEXT_PATH]: { envelope: { data: undefined } } }],
  ['an error without a message', 'without a status_message', { refused: { envelope: { status_message: undefined } } }],
  ['an offset in the time', 'is no time', { refused: { envelope: { timestamp: '2026-11-29T12:00:00+00:00' } } }],
  [
    'an offset in an object',
    'is no time',
    { [NEXT_PATH]: { envelope: { data: [{ last_updated: '2026-11-29T12:00:00+01:00' }] } } },
  ],
  ['another request id', 'X-Request-ID', { [LIST]: { headers: { 'x-request-id': 'R2' } } }],
  [
    '2.1.1 only',
    'none of 2.2.1, 2.3.0',
    { '/versions': { envelope: { data: [{ version: '2.1.1', url: `${BASE}/2.1.1` }] } } },
  ],
  ['an endpoint without a role', 'is not whole', detailed(first, { ...second, role: undefined })],
  ['no credentials', 'credentials are missing', detailed(second)],
  ['credentials without roles', 'roles are missing', credentialed({ roles: [] })],
  ['a party of four letters', 'is not whole', credentialed({ roles: [{ ...ROLE, party_id: 'LONG' }] })],
  ['a count that is none', 'missing or no number', { [NEXT_PATH]: { headers: { 'x-total-count': 'many' } } }],
  ['more than the limit', '3 objects with limit=2', { [LIST]: { envelope: { data: tokens('A', 'B', 'D') } } }],
  ['no link', 'no Link', { [LIST]: { headers: { link: '' } } }],
  ['the same page again', 'comes again', { [NEXT_PATH]: { envelope: { data: tokens('B') } } }],
  ['a relative link', 'no whole address', { [LIST]: { headers: { link: '<?offset=2>; rel="next"' } } }],
  [
    'a link to another host',
    'no whole address of the same host',
    { [LIST]: { headers: { link: '<https://elsewhere.example/tokens?offset=2>; rel="next"' } } },
  ],
  ['more than 10 MB', 'more than 10 MB', { [LIST]: { envelope: 'x'.repeat(11_000_000) } }],
]

it('OCPI-B1: a platform that does everything right has no fault', async () => {
  expect(await faultsAfter()).toEqual([])
})

it.each(CASES)('OCPI-B1: %s is found', async (_, fault, changes) => {
  const faults = await faultsAfter(changes)
  expect(faults[0]).toMatch(fault)
  expect(new Set(faults.map((one) => one.split(': ')[1])).size).toBe(1)
})

it('OCPI-B1: a token that is taken without base64 alone says so', async () => {
  const refused = { status: 401, envelope: { status_code: 2001, status_message: 'x' } }
  const faults = await faultsAfter({ '/versions': refused, refused: { status: 200 } })
  expect(faults).toContain(`${BASE}/versions: the token is taken without base64 only`)
})
