/** Tries a partner's platform as a client that has one of its tokens, and changes nothing there (OCPI-B1). */
import { OCPI_VERSIONS } from '../../domain/partners/records.ts'
import { chosenVersion, envelopeOf, isMembers, membersOf, nextOf, type Probed, type ProbeRequest } from './exchange.ts'

export interface ProbeContext {
  readonly versionsUrl: string
  readonly token: string
  readonly userAgent: string
  /** Ms, only for differences. */
  readonly now: () => number
  readonly newId: () => string
  /** Each answer as it comes. */
  readonly probed?: (exchange: Probed) => void
}

const LISTS = ['locations', 'tariffs', 'sessions', 'cdrs', 'tokens']
const LIMIT = 2
/** Sessions demand it. */
const EARLIEST = '2020-01-01T00:00:00Z'
const ANSWER_TIMEOUT_MS = 30_000
const MAX_ANSWER = 10 * 1024 * 1024

export async function probePlatform(context: ProbeContext): Promise<readonly Probed[]> {
  const { versionsUrl, token, newId } = context
  const all: Probed[] = []
  const encoded = `Token ${Buffer.from(token).toString('base64')}`
  const ask = async (request: Omit<ProbeRequest, 'id' | 'method'> & Partial<ProbeRequest>): Promise<Probed> => {
    const exchange = await send({ method: 'GET', authorization: encoded, id: newId(), ...request }, context)
    all.push(exchange)
    context.probed?.(exchange)
    return exchange
  }
  const versions = await ask({ purpose: 'versions', url: versionsUrl })
  if (versions.error !== undefined) return all
  await ask({ purpose: 'withoutToken', url: versionsUrl, authorization: undefined })
  const wrong = Buffer.from(`${newId()}-none`).toString('base64')
  await ask({ purpose: 'wrongToken', url: versionsUrl, authorization: `Token ${wrong}` })
  if (versions.status === 401) await ask({ purpose: 'plainToken', url: versionsUrl, authorization: `Token ${token}` })
  await ask({ purpose: 'wrongMethod', method: 'PUT', url: versionsUrl })
  const chosen = chosenVersion(versions.envelope, OCPI_VERSIONS)
  if (!chosen || !isAddress(chosen.url)) return all
  const details = await ask({ purpose: 'details', url: chosen.url })
  const data = details.envelope?.data
  const endpoints = membersOf(isMembers(data) ? data.endpoints : undefined).flatMap(({ identifier, role, url }) =>
    typeof url === 'string' && isAddress(url) ? [{ identifier, role, url: url.replace(/\/$/, '') }] : [],
  )
  const credentials = endpoints.find(({ identifier }) => identifier === 'credentials')
  if (credentials) await ask({ purpose: 'credentials', url: credentials.url })
  for (const { identifier, role, url } of endpoints) {
    if (role !== 'SENDER' || !LISTS.includes(String(identifier))) continue
    const list = await ask({ purpose: 'list', url: `${url}?date_from=${EARLIEST}&limit=${LIMIT}`, limit: LIMIT })
    const next = nextOf(list)
    if (next !== undefined && isAddress(next)) await ask({ purpose: 'nextPage', url: next })
    if (identifier === 'tokens') {
      await ask({ purpose: 'unknownObject', method: 'POST', url: `${url}/${newId()}/authorize` })
    } else if (identifier === 'locations') await ask({ purpose: 'unknownObject', url: `${url}/${newId()}` })
  }
  return all
}

function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** Redirects are not followed: the token would go along. */
async function send(request: ProbeRequest, { userAgent, now }: ProbeContext): Promise<Probed> {
  const { method, url, authorization, id } = request
  const begun = now()
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      headers: {
        'user-agent': userAgent,
        'x-request-id': id,
        'x-correlation-id': id,
        ...(authorization !== undefined && { authorization }),
      },
    })
    const { text, isCutOff } = await textOf(response)
    const headers = Object.fromEntries(response.headers)
    const durationMs = now() - begun
    const envelope = envelopeOf(text)
    return { ...request, status: response.status, headers, envelope, durationMs, ...(isCutOff && { isCutOff }) }
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const code = (cause as { code?: unknown }).code
    const why = typeof code === 'string' ? code : String(cause)
    return { ...request, error: why, headers: {}, durationMs: now() - begun }
  }
}

async function textOf({ body }: Response): Promise<{ readonly text: string; readonly isCutOff: boolean }> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER) return { text: '', isCutOff: true }
  }
  return { text: Buffer.concat(chunks).toString(), isCutOff: false }
}
