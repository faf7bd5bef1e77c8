/** Keeps what went over the wire between a partner and us (OCPI-A8): cut, without tokens, a moment later. */
import type { UseCaseContext } from '../../application/context.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { PartnerExchange } from '../../domain/partners/records.ts'

export interface ExchangeLog {
  note(exchange: Omit<PartnerExchange, 'exchangeId'>): void
  /** Resolves when all that was noted is stored. */
  flush(): Promise<void>
}

export const MAX_KEPT_BODY = 16 * 1024
const MAX_URL = 2000
/** Beyond so many that wait for the disk, new ones are passed over: a flood must not fill the memory. */
const MAX_WAITING = 1000

export function createExchangeLog({
  writes,
  random,
  log,
}: Pick<UseCaseContext, 'writes' | 'random' | 'log'>): ExchangeLog {
  let waiting: PartnerExchange[] = []
  let writing: Promise<void> | undefined
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting
      waiting = []
      await writes.putRecords('partner_exchanges', some).catch((error: Error) => {
        log.error({ error: error.message, exchanges: some.length }, 'exchanges with partners could not be stored')
      })
    }
  }
  return {
    note(exchange) {
      if (waiting.length >= MAX_WAITING) return
      waiting.push({
        ...exchange,
        exchangeId: newUuid(exchange.at, random),
        url: exchange.url.slice(0, MAX_URL),
        request: keptBody(exchange.request),
        response: keptBody(exchange.response),
      })
      writing ??= write().finally(() => {
        writing = undefined
      })
    },
    flush: async () => writing,
  }
}

/** The member `token` of credentials; a token object of a customer is no text. Cut first: then none is cut in two. */
const TOKEN = /("token"\s*:\s*")(?:[^"\\]|\\.)*("|$)/g

export function keptBody(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const cut = text.length > MAX_KEPT_BODY ? text.slice(0, MAX_KEPT_BODY) : text
  return cut.replaceAll(TOKEN, '$1…$2')
}
