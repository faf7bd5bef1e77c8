/** Keeps what went over the wire between a partner and us (OCPI-A8): cut, without tokens, a moment later. */
import type { UseCaseContext } from '../../application/context.ts'
import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Partner, PartnerExchange } from '../../domain/partners/records.ts'

type Noted = Omit<PartnerExchange, 'accountId' | 'partnerId' | 'exchangeId' | 'request'> & { readonly body: unknown }

export const MAX_KEPT_BODY = 16 * 1024
const MAX_URL = 2000
/** Beyond so many that wait for the disk, new ones are passed over: a flood must not fill the memory. */
const MAX_WAITING = 1000

type LogContext = Pick<UseCaseContext, 'writes' | 'random' | 'log'>

export type ExchangeLog = ReturnType<typeof createExchangeLog>

export function createExchangeLog({ writes, random, log }: LogContext) {
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
    note({ accountId, partnerId }: Partner, { body, ...exchange }: Noted): void {
      if (waiting.length >= MAX_WAITING) return
      waiting.push({
        accountId,
        partnerId,
        ...exchange,
        exchangeId: newUuid(exchange.at, random),
        url: withoutOurs(exchange.url.slice(0, MAX_URL)),
        request: body === undefined ? undefined : keptBody(JSON.stringify(body)),
        response: keptBody(exchange.response),
      })
      writing ??= write().finally(() => {
        writing = undefined
      })
    },
    /** Resolves when all that was noted is stored. */
    flush: async (): Promise<void> => writing,
  }
}

/** The member `token` of credentials; a token object of a customer is no text. Cut first: then none is cut in two. */
const TOKEN = /("token"\s*:\s*")(?:[^"\\]|\\.)*("|$)/g
const OURS = new RegExp(`${SECRET_PREFIXES.partnerToken}[\\w-]+`, 'g')

function keptBody(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const cut = text.length > MAX_KEPT_BODY ? text.slice(0, MAX_KEPT_BODY) : text
  return withoutOurs(cut.replaceAll(TOKEN, '$1…$2'))
}

/** Some repeat a token that they refuse. */
function withoutOurs(text: string): string {
  return text.replaceAll(OURS, '…')
}
