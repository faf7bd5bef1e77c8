import { describe, expect, it } from 'vitest'
import { CHECKS, judgePlatform } from './checks.ts'
import type { Members, Probed, Purpose } from './exchange.ts'

const BASE = 'https://partner.example/ocpi'
const AT = '2026-11-29T12:00:00Z'
const ENDPOINTS = [
  ['credentials', 'SENDER'],
  ['tokens', 'SENDER'],
  ['locations', 'RECEIVER'],
  ['sessions', 'RECEIVER'],
  ['cdrs', 'RECEIVER'],
].map(([identifier, role]) => ({ identifier, role, url: `${BASE}/2.2.1/${identifier}` }))
const CREDENTIALS = {
  token: 'abc',
  url: `${BASE}/versions`,
  roles: [{ role: 'EMSP', country_code: 'NL', party_id: 'TST', business_details: { name: 'Test' } }],
}

function exchange(purpose: Purpose, url: string, status: number, data?: unknown, more: Partial<Probed> = {}): Probed {
  const { headers, envelope, ...rest } = more
  const code = status === 200 ? 1000 : 2001
  return {
    purpose,
    method: 'GET',
    url: `${BASE}${url}`,
    id: 'R1',
    status,
    durationMs: 20,
    headers: { 'content-type': 'application/json', 'x-request-id': 'R1', 'x-correlation-id': 'R1', ...headers },
    envelope: {
      status_code: code,
      status_message: 'x',
      timestamp: AT,
      ...(data !== undefined && { data }),
      ...envelope,
    },
    ...rest,
  }
}

const tokensOf = (...uids: string[]): readonly Members[] => uids.map((uid) => ({ uid, last_updated: AT }))
const PAGED = { 'x-total-count': '3', 'x-limit': '2' }
const NEXT = `${BASE}/2.2.1/tokens?offset=2`
/** A platform that does everything right. */
const GOOD: Readonly<Record<Exclude<Purpose, 'plainToken'>, Probed>> = {
  versions: exchange('versions', '/versions', 200, [{ version: '2.2.1', url: `${BASE}/2.2.1` }]),
  withoutToken: exchange('withoutToken', '/versions', 401),
  wrongToken: exchange('wrongToken', '/versions', 401),
  wrongMethod: exchange('wrongMethod', '/versions', 405),
  details: exchange('details', '/2.2.1', 200, { version: '2.2.1', endpoints: ENDPOINTS }),
  credentials: exchange('credentials', '/2.2.1/credentials', 200, CREDENTIALS),
  list: exchange('list', '/2.2.1/tokens?limit=2', 200, tokensOf('A', 'B'), {
    limit: 2,
    headers: { ...PAGED, link: `<${NEXT}>; rel="next"` },
  }),
  nextPage: exchange('nextPage', '/2.2.1/tokens?offset=2', 200, tokensOf('C'), { headers: PAGED }),
  unknownObject: exchange('unknownObject', '/2.2.1/tokens/none/authorize', 404),
}

type Change = (exchange: Probed) => Partial<Probed>
const faultsAfter = (changes: Partial<Record<Purpose, Change>>, ...added: Probed[]): readonly string[] => {
  const exchanges = Object.values(GOOD).map((one) => ({ ...one, ...changes[one.purpose]?.(one) }))
  return judgePlatform([...exchanges, ...added])
    .filter(({ result }) => result === 'fault')
    .map(({ id }) => id)
}
const said =
  (envelope: Members): Change =>
  (one) => ({ envelope: { ...one.envelope, ...envelope } })
const headed =
  (headers: Readonly<Record<string, string>>): Change =>
  (one) => ({ headers: { ...one.headers, ...headers } })
const detailed = (endpoints: readonly object[]): Partial<Record<Purpose, Change>> => ({
  details: said({ data: { version: '2.2.1', endpoints } }),
})
const [first, ...others] = ENDPOINTS

/** What breaks a demand, and the demands that it breaks. */
const CASES: readonly (readonly [what: string, broken: readonly string[], found: readonly string[]])[] = [
  ['no answer', ['answers'], faultsAfter({ list: () => ({ status: undefined, error: 'ECONNRESET' }) })],
  [
    'an address without TLS',
    ['https'],
    faultsAfter(detailed([{ ...first, url: 'http://partner.example/c' }, ...others])),
  ],
  [
    'a redirect',
    ['redirects'],
    faultsAfter({ unknownObject: () => ({ status: 307 }), list: () => ({ status: 307 }) }).filter(
      (id) => id !== 'unknown',
    ),
  ],
  ['a token that is refused', ['base64'], faultsAfter({ versions: () => ({ status: 401 }) })],
  ['versions for everybody', ['without-token'], faultsAfter({ withoutToken: () => ({ status: 200 }) })],
  ['403 for a wrong token', ['wrong-token'], faultsAfter({ wrongToken: () => ({ status: 403 }) })],
  ['200 for PUT', ['wrong-method'], faultsAfter({ wrongMethod: () => ({ status: 200 }) })],
  ['HTTP 500', ['status'], faultsAfter({ details: () => ({ status: 500 }) })],
  ['a page in HTML', ['json'], faultsAfter({ list: () => ({ envelope: undefined }) })],
  ['JSON as text', ['json'], faultsAfter({ list: headed({ 'content-type': 'text/plain' }) })],
  [
    'a status code that is a text',
    ['envelope', 'messages'],
    faultsAfter({ wrongToken: said({ status_code: '2001', status_message: '' }) }),
  ],
  ['no timestamp', ['envelope'], faultsAfter({ wrongToken: said({ timestamp: undefined }) })],
  ['1000 without data', ['envelope'], faultsAfter({ nextPage: said({ data: undefined }) })],
  ['an error without a message', ['messages'], faultsAfter({ wrongToken: said({ status_message: undefined }) })],
  ['an offset in the time', ['times'], faultsAfter({ wrongToken: said({ timestamp: '2026-11-29T12:00:00+00:00' }) })],
  [
    'an offset in an object',
    ['times'],
    faultsAfter({ nextPage: said({ data: [{ last_updated: '2026-11-29T12:00:00+01:00' }] }) }),
  ],
  ['another request id', ['ids'], faultsAfter({ list: headed({ 'x-request-id': 'R2' }) })],
  ['2.1.1 only', ['versions'], faultsAfter({ versions: said({ data: [{ version: '2.1.1', url: `${BASE}/2.1.1` }] }) })],
  ['an endpoint without a role', ['details'], faultsAfter(detailed([{ ...first, role: undefined }, ...others]))],
  ['no credentials', ['credentials-endpoint'], faultsAfter(detailed(others))],
  ['no CDRs', ['modules'], faultsAfter(detailed(ENDPOINTS.slice(0, -1)))],
  ['a slash', ['slashes'], faultsAfter(detailed([{ ...first, url: `${BASE}/2.2.1/credentials/` }, ...others]))],
  [
    'credentials without roles',
    ['credentials'],
    faultsAfter({ credentials: said({ data: { ...CREDENTIALS, roles: [] } }) }),
  ],
  [
    'a party of four letters',
    ['credentials'],
    faultsAfter({
      credentials: said({ data: { ...CREDENTIALS, roles: [{ ...CREDENTIALS.roles[0], party_id: 'LONG' }] } }),
    }),
  ],
  ['a count that is none', ['paging'], faultsAfter({ nextPage: headed({ 'x-total-count': 'many' }) })],
  ['more than the limit', ['limit'], faultsAfter({ list: said({ data: tokensOf('A', 'B', 'D') }) })],
  ['no link', ['links'], faultsAfter({ list: headed({ link: '' }) })],
  ['the same page again', ['links'], faultsAfter({ nextPage: said({ data: tokensOf('B') }) })],
  ['a relative link', ['links'], faultsAfter({ list: headed({ link: '<?offset=2>; rel="next"' }) })],
  ['200 for what is not there', ['unknown'], faultsAfter({ unknownObject: () => ({ status: 200 }) })],
  ['more than 10 MB', ['size'], faultsAfter({ list: () => ({ isCutOff: true, envelope: undefined }) })],
  ['five seconds', ['speed'], faultsAfter({ list: () => ({ durationMs: 5_000 }) })],
]

describe('OCPI-B1: ocpi check', () => {
  it('a platform that does everything right has no fault, and everything is judged', () => {
    expect(judgePlatform(Object.values(GOOD)).filter(({ result }) => result !== 'ok')).toEqual([])
  })

  it.each(CASES)('%s breaks %j', (_, broken, found) => {
    expect(found).toEqual(broken)
  })

  it('every demand has a case that breaks it', () => {
    expect(CHECKS.map(({ id }) => id).filter((id) => !CASES.some(([, broken]) => broken.includes(id)))).toEqual([])
  })

  it('a token that is taken without base64 alone says so; nothing is judged that was not asked', () => {
    const refused = { ...GOOD.versions, status: 401, envelope: { status_code: 2001 } }
    const plain = { ...GOOD.versions, purpose: 'plainToken' as const }
    const judged = judgePlatform([refused, plain])
    expect(judged.find(({ id }) => id === 'base64')?.faults).toEqual(['the token is taken as it is only'])
    expect(judged.find(({ id }) => id === 'paging')).toMatchObject({ result: 'unjudged', faults: [] })
    expect(
      judgePlatform([{ ...refused, status: undefined, error: 'ECONNREFUSED' }])
        .filter(({ result }) => result !== 'unjudged')
        .map(({ id }) => id),
    ).toEqual(['answers', 'https'])
  })

  it('an address on this machine needs no TLS', () => {
    const local = Object.values(GOOD).map((one) => ({ ...one, url: 'http://127.0.0.1:80/ocpi', envelope: undefined }))
    expect(judgePlatform(local).find(({ id }) => id === 'https')?.result).toBe('unjudged')
  })
})
