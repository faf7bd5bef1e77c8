import type { PartnerExchange } from '../../domain/partners/records.ts'
import type { partnerTexts } from '../kit/parts.tsx'

type Words = ReturnType<typeof partnerTexts>

interface ExchangeWords {
  readonly what: string
  readonly outcome: string
  readonly isAccepted: boolean
  /** Of the side that refused it. */
  readonly reason?: string | undefined
}

const MODULE =
  /\/(versions|credentials|tokens|locations|tariffs|sessions|cdrs|commands|chargingprofiles|hubclientinfo)\b/
const DETAILS = /\/\d+\.\d+(\.\d+)?\/?$/

/** What was asked, in words, and what came of it (OCPI-A8). */
export function exchangeWords(words: Words, exchange: PartnerExchange): ExchangeWords {
  const { direction, method, status, statusCode = 0 } = exchange
  const what = moduleWords(words, exchange)
  const acts = direction === 'in' ? words.theyDo : words.weDo
  const act = method === 'GET' ? acts.read : method === 'DELETE' ? acts.end : acts.send
  const isAccepted = status >= 200 && status < 300 && statusCode >= 1000 && statusCode < 2000
  const reason = isAccepted ? undefined : reasonOf(exchange)
  return { what: `${act} ${what}`, isAccepted, reason, outcome: isAccepted ? words.accepted : refusal(words, exchange) }
}

function moduleWords({ modules }: Words, { url }: PartnerExchange): string {
  const [path = ''] = url.split('?')
  if (DETAILS.test(path)) return modules.details
  const found = MODULE.exec(path)?.[1]
  return found !== undefined && found in modules ? modules[found as keyof typeof modules] : path
}

function refusal(words: Words, { status, statusCode }: PartnerExchange): string {
  if (status === 0) return words.noAnswer
  if (status === 401) return words.tokenRefused
  return status >= 200 && status < 300 && statusCode !== undefined ? `OCPI ${statusCode}` : `HTTP ${status}`
}

function reasonOf({ status, response = '' }: PartnerExchange): string | undefined {
  if (status === 0) return response
  return /"status_message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(response)?.[1]?.replaceAll('\\"', '"')
}
