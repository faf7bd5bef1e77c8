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

/** `fault` of each exchange of these purposes that was answered. */
function each(
  purposes: readonly Purpose[] | undefined,
  fault: (exchange: Probed) => string | undefined,
): Check['judge'] {
  return (exchanges) => {
    const judged = exchanges.filter(
      ({ purpose, status }) => status !== undefined && (purposes === undefined || purposes.includes(purpose)),
    )
    if (judged.length === 0) return undefined
    return judged.flatMap((exchange) => {
      const said = fault(exchange)
      return said === undefined ? [] : [`${exchange.method} ${exchange.url}: ${said}`]
    })
  }
}

const answeredWith = (purpose: Purpose, status: number, advice: string): Check['judge'] =>
  each([purpose], (one) => (one.status === status ? undefined : `HTTP ${one.status} instead of ${status}; ${advice}`))

/** Those that came as they should. */
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
  {
    id: 'answers',
    level: 'must',
    title: 'every request is answered',
    judge: (exchanges) => exchanges.flatMap(({ url, error }) => (error === undefined ? [] : [`${url}: ${error}`])),
  },
  {
    id: 'https',
    level: 'must',
    title: 'all addresses are https',
    judge: (exchanges) => {
      const named = endpointsOf(exchanges)?.map(({ url }) => String(url)) ?? []
      const urls = [...exchanges.map(({ url }) => url), ...named].filter((url) => URL.canParse(url) && !isLocal(url))
      return urls.length === 0 ? undefined : urls.filter((url) => !url.startsWith('https:'))
    },
  },
  {
    id: 'redirects',
    level: 'must',
    title: 'no address is answered with a redirect',
    judge: each(undefined, ({ status = 0, headers }) =>
      status >= 300 && status < 400
        ? `HTTP ${status} to ${headers.location ?? 'nowhere'}; name the final address`
        : undefined,
    ),
  },
  {
    id: 'base64',
    level: 'must',
    title: 'the token is taken in base64',
    judge: (exchanges) => {
      const { status } = exchanges.find(({ purpose }) => purpose === 'versions') ?? {}
      const plain = exchanges.find(({ purpose }) => purpose === 'plainToken')
      if (status !== 401) return status === undefined ? undefined : []
      return [
        plain?.status === 200 ? 'the token is taken as it is only' : 'HTTP 401; is it the token that was given for us?',
      ]
    },
  },
  {
    id: 'without-token',
    level: 'must',
    title: 'a request without a token is refused with 401',
    judge: answeredWith('withoutToken', 401, 'demand the Authorization header at the versions too'),
  },
  {
    id: 'wrong-token',
    level: 'must',
    title: 'an unknown token is refused with 401',
    judge: answeredWith('wrongToken', 401, 'a token that is not known is no matter of OCPI’s status codes'),
  },
  {
    id: 'wrong-method',
    level: 'should',
    title: 'a wrong method is refused with 405',
    judge: answeredWith('wrongMethod', 405, 'PUT is nothing that an address of versions has'),
  },
  {
    id: 'status',
    level: 'must',
    title: 'what can be read is answered with 200',
    judge: each(['versions', 'details', 'list', 'nextPage'], ({ status = 0 }) =>
      status === 200 || status === 401 || (status >= 300 && status < 400) ? undefined : `HTTP ${status}`,
    ),
  },
  {
    id: 'json',
    level: 'must',
    title: 'an answer is a JSON object, and says so',
    judge: each(READING, ({ status = 0, envelope, headers, isCutOff }) => {
      if (status >= 300 || isCutOff) return undefined
      if (!envelope) return 'no JSON object'
      const type = headers['content-type'] ?? 'missing'
      return /^application\/json\b/i.test(type) ? undefined : `Content-Type is ${type}`
    }),
  },
  {
    id: 'envelope',
    level: 'must',
    title: 'an answer has status_code and timestamp, with 1000 also data',
    judge: each(undefined, ({ envelope, purpose }) => {
      if (!envelope) return undefined
      const { status_code: code, timestamp, data } = envelope
      if (!Number.isInteger(code)) return 'status_code is no whole number'
      if (typeof timestamp !== 'string') return 'timestamp is missing'
      return code === 1000 && READING.includes(purpose) && data === undefined ? 'data is missing' : undefined
    }),
  },
  {
    id: 'messages',
    level: 'should',
    title: 'an error has a status_message that says what to do',
    judge: each(undefined, ({ envelope }) => {
      if (!envelope || envelope.status_code === 1000) return undefined
      return envelope.status_message ? undefined : `${String(envelope.status_code)} without a message`
    }),
  },
  {
    id: 'times',
    level: 'must',
    title: 'times are UTC, with Z or nothing behind them',
    judge: each(undefined, ({ envelope }) => {
      const times = [envelope?.timestamp, ...membersOf(envelope?.data).map(({ last_updated: at }) => at)]
      const wrong = times.find(
        (one) => one !== undefined && (typeof one !== 'string' || parseOcpiTime(one) === undefined),
      )
      return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is no time of OCPI`
    }),
  },
  {
    id: 'ids',
    level: 'must',
    title: 'X-Request-ID and X-Correlation-ID come back',
    judge: each(undefined, ({ status = 0, headers, id }) => {
      const missing = ['x-request-id', 'x-correlation-id'].filter((name) => headers[name] !== id)
      return missing.length === 0 || status === 401 || status >= 500 ? undefined : `${missing.join(', ')} not as sent`
    }),
  },
  {
    id: 'versions',
    level: 'must',
    title: `the versions have ${OCPI_VERSIONS.join(' or ')}`,
    judge: each(['versions'], ({ envelope }) => {
      if (envelope?.status_code !== 1000 || chosenVersion(envelope, OCPI_VERSIONS)) return undefined
      return `they have ${
        membersOf(envelope.data)
          .map(({ version }) => String(version))
          .join(', ') || 'none'
      }`
    }),
  },
  {
    id: 'details',
    level: 'must',
    title: 'each endpoint has identifier, role and address',
    judge: (exchanges) =>
      endpointsOf(exchanges)?.flatMap(({ identifier, role, url }) => {
        const isWhole = typeof identifier === 'string' && (role === 'SENDER' || role === 'RECEIVER')
        return isWhole && URL.canParse(String(url)) ? [] : [JSON.stringify({ identifier, role, url })]
      }),
  },
  {
    id: 'credentials-endpoint',
    level: 'must',
    title: 'there is an endpoint for credentials',
    judge: (exchanges) =>
      endpointsOf(exchanges) &&
      (endpointsOf(exchanges)?.some(({ identifier }) => identifier === 'credentials') ? [] : ['it is missing']),
  },
  {
    id: 'modules',
    level: 'should',
    title: 'there are the endpoints of the platform’s roles',
    judge: (exchanges) => {
      const roles = membersOf(dataOf(exchanges, 'credentials')?.roles).map(({ role }) => String(role))
      const named = endpointsOf(exchanges)?.map(({ identifier, role }) => `${String(identifier)} ${String(role)}`)
      const needed = roles.flatMap((role) => MODULES_OF[role] ?? [])
      return named && needed.length > 0
        ? needed.filter((one) => !named.includes(one)).map((one) => `${one} is missing`)
        : undefined
    },
  },
  {
    id: 'slashes',
    level: 'should',
    title: 'no address ends with a slash',
    judge: (exchanges) =>
      endpointsOf(exchanges)?.flatMap(({ url }) => (String(url).endsWith('/') ? [`${String(url)}`] : [])),
  },
  {
    id: 'credentials',
    level: 'must',
    title: 'credentials have token, url and roles with their parties',
    judge: (exchanges) => {
      const credentials = dataOf(exchanges, 'credentials')
      if (!credentials) return undefined
      const { token, url, roles } = credentials
      const wrong = membersOf(roles).filter(
        ({ role, country_code: country, party_id: party, business_details: who }) => {
          return !(
            /^[a-z]{2}$/i.test(String(country)) &&
            /^[a-z0-9]{3}$/i.test(String(party)) &&
            role &&
            isMembers(who)
          )
        },
      )
      return [
        ...(/^[!-~]{1,64}$/.test(String(token)) ? [] : ['token is no printable ASCII of 64 characters at most']),
        ...(URL.canParse(String(url)) ? [] : ['url is none']),
        ...(membersOf(roles).length === 0 ? ['roles are missing'] : []),
        ...wrong.map((role) => `the role ${JSON.stringify(role)} is not whole`),
      ]
    },
  },
  {
    id: 'paging',
    level: 'must',
    title: 'lists have X-Total-Count and X-Limit',
    judge: each(['list', 'nextPage'], (one) => {
      const missing = ['x-total-count', 'x-limit'].filter((name) => !isCount(one.headers[name]))
      return !isRead(one) || missing.length === 0 ? undefined : `${missing.join(', ')} missing or no number`
    }),
  },
  {
    id: 'limit',
    level: 'must',
    title: 'a page has no more than its limit',
    judge: each(['list'], ({ limit = 0, envelope }) => {
      const count = membersOf(envelope?.data).length
      return count > limit ? `${count} objects with limit=${limit}` : undefined
    }),
  },
  {
    id: 'links',
    level: 'must',
    title: 'a page that is not the last links to the next one, which has other objects',
    judge: (exchanges) => {
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
    },
  },
  {
    id: 'unknown',
    level: 'should',
    title: 'what is not known is refused with 404',
    judge: answeredWith('unknownObject', 404, 'with 2003 or 2004 in the envelope'),
  },
  {
    id: 'size',
    level: 'must',
    title: 'an answer has 10 MB at most',
    judge: each(undefined, ({ isCutOff }) => (isCutOff ? 'it has more: keep to pages' : undefined)),
  },
  {
    id: 'speed',
    level: 'should',
    title: 'an answer comes within four seconds',
    judge: each(undefined, ({ durationMs }) =>
      durationMs > SLOW_MS ? `${(durationMs / 1000).toFixed(1)} s; an authorization would be too late` : undefined,
    ),
  },
]
