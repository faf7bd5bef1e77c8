/**
 * Tries a partner's platform as a client that has one of its tokens, changes nothing there, and says what does not
 * conform (OCPI-B1).
 */
import { parsedJson } from '../../domain/parsed-json.ts'
import { OCPI_VERSIONS } from '../../domain/partners/records.ts'
import { parseOcpiTime } from '../wire/times.ts'

type Members = Readonly<Record<string, unknown>>
interface Asking {
  readonly method?: 'POST' | 'PUT'
  readonly authorization?: string
  /** The HTTP status; default: 200. */
  readonly expected?: number
}
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly envelope: Members
}

const LISTS: readonly unknown[] = ['locations', 'tariffs', 'sessions', 'cdrs', 'tokens']
const LIMIT = 2
/** Sessions demand it. */
const EARLIEST = '2020-01-01T00:00:00Z'
const ANSWER_TIMEOUT_MS = 30_000
const MAX_ANSWER = 10 * 1024 * 1024

/**
 * @param asked each request, for people
 * @returns faults in sentences
 */
export async function checkPlatform(
  versionsUrl: string,
  token: string,
  newId: () => string,
  asked: (request: string) => void,
  send: typeof fetch = fetch,
): Promise<readonly string[]> {
  const faults = new Set<string>()
  const judge = (where: string, fault: string | false | undefined): void => {
    if (fault) faults.add(`${where}: ${fault}`)
  }

  /** Judges what holds for every answer. Redirects are not followed: the token would go along. */
  const ask = async (url: string, { method, authorization = basic(token), expected = 200 }: Asking = {}) => {
    const where = `${method ?? 'GET'} ${url}`
    const id = newId()
    const ids = { 'x-request-id': id, 'x-correlation-id': id }
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    const sent = { method: method ?? 'GET', redirect: 'manual', signal, headers: { ...ids, authorization } } as const
    const response = await send(url, sent).catch(({ cause, message }: Error) => String(cause ?? message))
    asked(`${where} -> ${typeof response === 'string' ? response : response.status}`)
    if (typeof response === 'string') {
      judge(where, response)
      return undefined
    }
    const { status, headers } = response
    const text = await textOf(response)
    const value = parsedJson(text ?? '')
    const answer: Answer = { status, headers, envelope: isMembers(value) ? value : {} }
    const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
    judge(where, !isLocal && !url.startsWith('https:') && 'the address is not https')
    judge(where, status !== expected && `HTTP ${status} in place of ${expected}`)
    if (status >= 300 && status < 400) return answer
    judge(where, text === undefined && 'the answer has more than 10 MB: keep to pages')
    judge(where, text !== undefined && !isMembers(value) && 'the answer is no JSON object')
    if (!isMembers(value)) return answer
    const type = headers.get('content-type') ?? 'missing'
    judge(where, !/^application\/json\b/i.test(type) && `Content-Type is ${type}`)
    const isEchoed = Object.keys(ids).every((name) => headers.get(name) === id)
    judge(where, !isEchoed && status !== 401 && 'X-Request-ID and X-Correlation-ID do not come back as sent')
    const { status_code: code, status_message: message, timestamp, data } = value
    judge(where, !Number.isInteger(code) && 'status_code is no whole number')
    judge(where, code !== 1000 && !message && 'an error without a status_message')
    judge(where, expected === 200 && code === 1000 && data === undefined && 'data is missing')
    const times = [timestamp ?? 'no timestamp', ...membersOf(data).map(({ last_updated: at }) => at ?? timestamp)]
    const wrong = times.find((at) => typeof at !== 'string' || parseOcpiTime(at) === undefined)
    judge(where, wrong !== undefined && `${JSON.stringify(wrong)} is no time in UTC`)
    return answer
  }

  const checkList = async (url: string): Promise<void> => {
    const list = await ask(url)
    if (list?.envelope.status_code !== 1000) return
    const shown = membersOf(list.envelope.data)
    const link = /<([^<>]*)>\s*;\s*rel\s*=\s*"?next"?/i.exec(list.headers.get('link') ?? '')?.[1]
    const isOwn = isAddress(link) && new URL(link).origin === new URL(url).origin
    const next = isOwn ? await ask(link) : undefined
    for (const { headers } of next ? [list, next] : [list]) {
      const missing = ['x-total-count', 'x-limit'].filter((name) => !/^\d{1,12}$/.test(headers.get(name) ?? ''))
      judge(url, missing.length > 0 && `${missing.join(', ')} missing or no number`)
    }
    judge(url, shown.length > LIMIT && `${shown.length} objects with limit=${LIMIT}`)
    const isMore = Number(list.headers.get('x-total-count')) > shown.length
    judge(url, link === undefined && isMore && 'there are more, and no Link with rel="next"')
    judge(url, link !== undefined && !isOwn && `the Link ${link} is no whole address of the same host`)
    const texts = shown.map((one) => JSON.stringify(one))
    const isRepeated = membersOf(next?.envelope.data).some((one) => texts.includes(JSON.stringify(one)))
    judge(url, isRepeated && 'an object comes again on the next page')
  }

  const checkEndpoints = async (endpoints: readonly Members[]): Promise<void> => {
    for (const { identifier, role, url: given } of endpoints) {
      const isWhole = typeof identifier === 'string' && (role === 'SENDER' || role === 'RECEIVER') && isAddress(given)
      judge('endpoints', !isWhole && `${JSON.stringify({ identifier, role, url: given })} is not whole`)
      if (!isAddress(given)) continue
      const url = given.replace(/\/$/, '')
      if (identifier === 'credentials') {
        const credentials = (await ask(url))?.envelope.data
        for (const fault of isMembers(credentials) ? credentialsFaults(credentials) : []) judge(url, fault)
      }
      if (role !== 'SENDER' || !LISTS.includes(identifier)) continue
      await checkList(`${url}?date_from=${EARLIEST}&limit=${LIMIT}`)
      if (identifier === 'locations') await ask(`${url}/none`, { expected: 404 })
      if (identifier === 'tokens') await ask(`${url}/none/authorize`, { method: 'POST', expected: 404 })
    }
  }

  const versions = await ask(versionsUrl)
  if (!versions) return [...faults]
  if (versions.status === 401) {
    const plain = await ask(versionsUrl, { authorization: `Token ${token}` })
    judge(versionsUrl, plain?.status === 200 && 'the token is taken without base64 only')
  }
  for (const authorization of ['', basic('none')]) await ask(versionsUrl, { authorization, expected: 401 })
  await ask(versionsUrl, { method: 'PUT', expected: 405 })
  const offered = membersOf(versions.envelope.data)
  const address = OCPI_VERSIONS.flatMap((one) => offered.filter(({ version }) => version === one)).at(-1)?.url
  judge(versionsUrl, versions.status === 200 && !isAddress(address) && `there is none of ${OCPI_VERSIONS.join(', ')}`)
  const details = isAddress(address) ? await ask(address) : undefined
  if (isMembers(details?.envelope.data)) {
    const endpoints = membersOf(details.envelope.data.endpoints)
    await checkEndpoints(endpoints)
    const has = endpoints.some(({ identifier }) => identifier === 'credentials')
    judge('endpoints', !has && 'credentials are missing')
  }
  return [...faults]
}

/** Undefined: more than 10 MB. */
async function textOf({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function basic(token: string): string {
  return `Token ${Buffer.from(token).toString('base64')}`
}

function isAddress(url: unknown): url is string {
  return typeof url === 'string' && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function membersOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isMembers) : []
}

function credentialsFaults({ token, url, roles }: Members): readonly (string | false)[] {
  const isWhole = ({ role, country_code: country, party_id: party, business_details: details }: Members): boolean =>
    /^[a-z]{2} [a-z0-9]{3}$/i.test(`${String(country)} ${String(party)}`) && Boolean(role) && isMembers(details)
  return [
    !/^[!-~]{1,64}$/.test(String(token)) && 'token is no printable ASCII of 64 characters at most',
    !isAddress(url) && 'url is none',
    membersOf(roles).length === 0 && 'roles are missing',
    ...membersOf(roles).map((role) => !isWhole(role) && `the role ${JSON.stringify(role)} is not whole`),
  ]
}
