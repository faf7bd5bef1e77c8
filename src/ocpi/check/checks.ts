/**
 * What a partner's platform is held to (OCPI-B1): one row for each demand, with a pure judgment over all exchanges. A
 * demand of `must` is one of OCPI or of its use by us; what is only unwise is `should`.
 */
import { OCPI_VERSIONS } from '../../domain/partners/records.ts'
import { parseOcpiTime } from '../wire/times.ts'
import { chosenVersion, isMembers, type Members, membersOf, nextOf, type Probed, type Purpose } from './exchange.ts'

export interface Check {
  readonly id: string
  readonly level: 'must' | 'should'
  readonly title: string
  /** @returns faults in sentences; undefined where nothing was there to judge */
  readonly judge: (exchanges: readonly Probed[]) => readonly string[] | undefined
}

export interface Judged extends Omit<Check, 'judge'> {
  readonly result: 'ok' | 'fault' | 'unjudged'
  readonly faults: readonly string[]
}

export function judgePlatform(exchanges: readonly Probed[]): readonly Judged[] {
  return CHECKS.map(({ judge, ...check }) => {
    const faults = judge(exchanges)
    if (!faults) return { ...check, result: 'unjudged', faults: [] }
    return { ...check, result: faults.length === 0 ? 'ok' : 'fault', faults: [...new Set(faults)] }
  })
}

/** Requests that should have been answered with data. */
const READING: readonly Purpose[] = ['versions', 'details', 'credentials', 'list', 'nextPage']
const SLOW_MS = 4_000
const MODULES_OF: Readonly<Record<string, readonly string[]>> = {
  EMSP: ['tokens SENDER', 'locations RECEIVER', 'sessions RECEIVER', 'cdrs RECEIVER'],
  CPO: ['locations SENDER', 'tariffs SENDER', 'sessions SENDER', 'cdrs SENDER', 'tokens RECEIVER', 'commands RECEIVER'],
}

type Level = Check['level']
const ALL: readonly Purpose[] | undefined = undefined
const check = (id: string, level: Level, title: string, judge: Check['judge']): Check => ({ id, level, title, judge })

/** Of each exchange of these purposes that was answered. */
function each(
  id: string,
  level: Level,
  title: string,
  purposes: readonly Purpose[] | undefined,
  fault: (exchange: Probed) => string | undefined,
): Check {
  return check(id, level, title, (exchanges) => {
    const judged = exchanges.filter(({ purpose, status }) => status && (purposes ?? [purpose]).includes(purpose))
    if (judged.length === 0) return undefined
    return judged.flatMap((exchange) => {
      const said = fault(exchange)
      return said === undefined ? [] : [`${exchange.method} ${exchange.url}: ${said}`]
    })
  })
}

const expects = (id: string, level: Level, title: string, purpose: Purpose, expected: number): Check =>
  each(id, level, title, [purpose], ({ status }) => (status === expected ? undefined : `HTTP ${status}`))

const dataOf = (exchanges: readonly Probed[], purpose: Purpose): Members | undefined => {
  const data = exchanges.find((one) => one.purpose === purpose)?.envelope?.data
  return isMembers(data) ? data : undefined
}
const endpointsOf = (exchanges: readonly Probed[]): readonly Members[] | undefined => {
  const details = dataOf(exchanges, 'details')
  return details && membersOf(details.endpoints)
}
const isRead = ({ envelope, purpose }: Probed): boolean => READING.includes(purpose) && envelope?.status_code === 1000
const isCount = (text: string | undefined): boolean => /^\d{1,12}$/.test(text ?? '')
const isLocal = (url: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

export const CHECKS: readonly Check[] = [
  check('answers', 'must', 'every request is answered', (exchanges) =>
    exchanges.flatMap(({ url, error }) => (error === undefined ? [] : [`${url}: ${error}`])),
  ),
  check('https', 'must', 'all addresses are https', (exchanges) => {
    const named = endpointsOf(exchanges)?.map(({ url }) => String(url)) ?? []
    const urls = [...exchanges.map(({ url }) => url), ...named].filter((url) => URL.canParse(url) && !isLocal(url))
    return urls.length === 0 ? undefined : urls.filter((url) => !url.startsWith('https:'))
  }),
  each('redirects', 'must', 'no address is answered with a redirect', ALL, ({ status = 0, headers }) =>
    status >= 300 && status < 400
      ? `HTTP ${status} to ${headers.location ?? 'nowhere'}; name the final address`
      : undefined,
  ),
  check('base64', 'must', 'the token is taken in base64', (exchanges) => {
    const { status } = exchanges.find(({ purpose }) => purpose === 'versions') ?? {}
    const plain = exchanges.find(({ purpose }) => purpose === 'plainToken')
    if (status !== 401) return status === undefined ? undefined : []
    return [
      plain?.status === 200 ? 'the token is taken as it is only' : 'HTTP 401; is it the token that was given for us?',
    ]
  }),
  expects('without-token', 'must', 'a request without a token is refused with 401', 'withoutToken', 401),
  expects('wrong-token', 'must', 'an unknown token is refused with 401', 'wrongToken', 401),
  expects('wrong-method', 'should', 'a wrong method is refused with 405', 'wrongMethod', 405),
  each(
    'status',
    'must',
    'what can be read is answered with 200',
    ['versions', 'details', 'list', 'nextPage'],
    ({ status = 0 }) =>
      status === 200 || status === 401 || (status >= 300 && status < 400) ? undefined : `HTTP ${status}`,
  ),
  each(
    'json',
    'must',
    'an answer is a JSON object, and says so',
    READING,
    ({ status = 0, envelope, headers, isCutOff }) => {
      if (status >= 300 || isCutOff) return undefined
      if (!envelope) return 'no JSON object'
      const type = headers['content-type'] ?? 'missing'
      return /^application\/json\b/i.test(type) ? undefined : `Content-Type is ${type}`
    },
  ),
  each(
    'envelope',
    'must',
    'an answer has status_code and timestamp, with 1000 also data',
    ALL,
    ({ envelope, purpose }) => {
      if (!envelope) return undefined
      const { status_code: code, timestamp, data } = envelope
      if (!Number.isInteger(code)) return 'status_code is no whole number'
      if (typeof timestamp !== 'string') return 'timestamp is missing'
      return code === 1000 && READING.includes(purpose) && data === undefined ? 'data is missing' : undefined
    },
  ),
  each('messages', 'should', 'an error has a status_message that says what to do', ALL, ({ envelope }) => {
    if (!envelope || envelope.status_code === 1000) return undefined
    return envelope.status_message ? undefined : `${String(envelope.status_code)} without a message`
  }),
  each('times', 'must', 'times are UTC, with Z or nothing behind them', ALL, ({ envelope }) => {
    const times = [envelope?.timestamp, ...membersOf(envelope?.data).map(({ last_updated: at }) => at)]
    const wrong = times.find(
      (one) => one !== undefined && (typeof one !== 'string' || parseOcpiTime(one) === undefined),
    )
    return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is no time of OCPI`
  }),
  each('ids', 'must', 'X-Request-ID and X-Correlation-ID come back', ALL, ({ status = 0, headers, id }) => {
    const missing = ['x-request-id', 'x-correlation-id'].filter((name) => headers[name] !== id)
    return missing.length === 0 || status === 401 || status >= 500 ? undefined : `${missing.join(', ')} not as sent`
  }),
  each('versions', 'must', `the versions have ${OCPI_VERSIONS.join(' or ')}`, ['versions'], ({ envelope }) => {
    if (envelope?.status_code !== 1000 || chosenVersion(envelope, OCPI_VERSIONS)) return undefined
    return `they have ${
      membersOf(envelope.data)
        .map(({ version }) => String(version))
        .join(', ') || 'none'
    }`
  }),
  check('details', 'must', 'each endpoint has identifier, role and address', (exchanges) =>
    endpointsOf(exchanges)?.flatMap(({ identifier, role, url }) => {
      const isWhole = typeof identifier === 'string' && (role === 'SENDER' || role === 'RECEIVER')
      return isWhole && URL.canParse(String(url)) ? [] : [JSON.stringify({ identifier, role, url })]
    }),
  ),
  check(
    'credentials-endpoint',
    'must',
    'there is an endpoint for credentials',
    (exchanges) =>
      endpointsOf(exchanges) &&
      (endpointsOf(exchanges)?.some(({ identifier }) => identifier === 'credentials') ? [] : ['it is missing']),
  ),
  check('modules', 'should', 'there are the endpoints of the platform’s roles', (exchanges) => {
    const roles = membersOf(dataOf(exchanges, 'credentials')?.roles).map(({ role }) => String(role))
    const named = endpointsOf(exchanges)?.map(({ identifier, role }) => `${String(identifier)} ${String(role)}`)
    const needed = roles.flatMap((role) => MODULES_OF[role] ?? [])
    return named && needed.length > 0
      ? needed.filter((one) => !named.includes(one)).map((one) => `${one} is missing`)
      : undefined
  }),
  check('slashes', 'should', 'no address ends with a slash', (exchanges) =>
    endpointsOf(exchanges)?.flatMap(({ url }) => (String(url).endsWith('/') ? [`${String(url)}`] : [])),
  ),
  check('credentials', 'must', 'credentials have token, url and roles with their parties', (exchanges) => {
    const credentials = dataOf(exchanges, 'credentials')
    if (!credentials) return undefined
    const { token, url, roles } = credentials
    const wrong = membersOf(roles).filter(({ role, country_code: country, party_id: party, business_details: who }) => {
      return !(/^[a-z]{2}$/i.test(String(country)) && /^[a-z0-9]{3}$/i.test(String(party)) && role && isMembers(who))
    })
    return [
      ...(/^[!-~]{1,64}$/.test(String(token)) ? [] : ['token is no printable ASCII of 64 characters at most']),
      ...(URL.canParse(String(url)) ? [] : ['url is none']),
      ...(membersOf(roles).length === 0 ? ['roles are missing'] : []),
      ...wrong.map((role) => `the role ${JSON.stringify(role)} is not whole`),
    ]
  }),
  each('paging', 'must', 'lists have X-Total-Count and X-Limit', ['list', 'nextPage'], (one) => {
    const missing = ['x-total-count', 'x-limit'].filter((name) => !isCount(one.headers[name]))
    return !isRead(one) || missing.length === 0 ? undefined : `${missing.join(', ')} missing or no number`
  }),
  each('limit', 'must', 'a page has no more than its limit', ['list'], ({ limit = 0, envelope }) => {
    const count = membersOf(envelope?.data).length
    return count > limit ? `${count} objects with limit=${limit}` : undefined
  }),
  check('links', 'must', 'a page that is not the last links to the next one, which has other objects', (exchanges) => {
    const lists = exchanges.filter((one) => one.purpose === 'list' && isRead(one))
    if (lists.length === 0) return undefined
    return lists.flatMap((list) => {
      const shown = membersOf(list.envelope?.data)
      const next = nextOf(list)
      const isLast = Number(list.headers['x-total-count'] ?? 0) <= shown.length
      if (next === undefined) return isLast ? [] : [`${list.url}: there are more, and no Link with rel="next"`]
      if (!URL.canParse(next)) return [`${list.url}: the Link ${next} is no whole address`]
      const page = exchanges.find(({ purpose, url }) => purpose === 'nextPage' && url === next)
      const texts = shown.map((one) => JSON.stringify(one))
      const isRepeated = membersOf(page?.envelope?.data).some((one) => texts.includes(JSON.stringify(one)))
      return isRepeated ? [`${next}: an object of the page before comes again`] : []
    })
  }),
  expects('unknown', 'should', 'what is not known is refused with 404', 'unknownObject', 404),
  each('size', 'must', 'an answer has 10 MB at most', ALL, ({ isCutOff }) =>
    isCutOff ? 'it has more: keep to pages' : undefined,
  ),
  each('speed', 'should', 'an answer comes within four seconds', ALL, ({ durationMs }) =>
    durationMs > SLOW_MS ? `${(durationMs / 1000).toFixed(1)} s; an authorization would be too late` : undefined,
  ),
]
