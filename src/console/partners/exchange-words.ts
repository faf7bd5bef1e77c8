/** What was asked, in words, and what came of it (OCPI-A8). */
import type { PartnerExchange } from '../../domain/partners/records.ts'
import type { Frame } from '../../web/entries.tsx'
import type { partnerTexts } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'

type Words = ReturnType<typeof partnerTexts>

const DETAILS = /\/\d+\.\d+(\.\d+)?\/?$/

export function whatOf(words: Words, { direction, method, url }: PartnerExchange): string {
  const [path = ''] = url.split('?')
  const modules = Object.keys(words.modules) as (keyof Words['modules'])[]
  const named = DETAILS.test(path) ? 'details' : modules.find((name) => path.split('/').includes(name))
  const acts = direction === 'in' ? words.theyDo : words.weDo
  const act = method === 'GET' ? acts.read : method === 'DELETE' ? acts.end : acts.send
  return `${act} ${named === undefined ? path : words.modules[named]}`
}

function isAccepted({ status, statusCode = 0 }: PartnerExchange): boolean {
  return status >= 200 && status < 300 && statusCode >= 1000 && statusCode < 2000
}

export function outcomeChip(words: Words, exchange: PartnerExchange): readonly [tone: string, text: string] {
  const { status, statusCode } = exchange
  if (isAccepted(exchange)) return ['ok', words.accepted]
  if (status === 0) return ['bad', words.noAnswer]
  if (status === 401) return ['bad', words.tokenRefused]
  return ['bad', status < 300 && statusCode !== undefined ? `OCPI ${statusCode}` : `HTTP ${status}`]
}

/** Of the side that refused it. */
export function reasonOf(frame: Frame, exchange: PartnerExchange): string | undefined {
  const { status, response = '' } = exchange
  if (isAccepted(exchange)) return undefined
  const said = /"status_message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(response)?.[1]?.replaceAll('\\"', '"')
  const reason = status === 0 ? response : said
  return reason === undefined ? undefined : translated(frame, reason)
}
