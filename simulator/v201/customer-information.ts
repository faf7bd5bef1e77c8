/** What a station knows of a customer, told in pages and forgotten on demand (N09, N10). */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/payload.ts'
import type { Command, CommandTarget } from '../commands/target.ts'
import type { Token } from '../model/facts.ts'
import { sendPages } from './pages.ts'

/** Shorter than the 512 that a page may have, so that a report really comes in several. */
const CHARACTERS_PER_PAGE = 120
const NAMES = ['idToken', 'customerIdentifier', 'customerCertificate'] as const

export function customerInformation(target: CommandTarget): Command {
  const clearedAt = new Map<string, number>()
  const chargesOf = ({ id }: Token): readonly string[] => {
    const key = id.toLowerCase()
    return target.finished
      .filter(({ transaction }) => transaction.idToken.id.toLowerCase() === key)
      .filter(({ stoppedAt }) => stoppedAt > (clearedAt.get(key) ?? 0))
      .map(
        ({ transaction, energyWh, stoppedAt }) =>
          `Charge ${transaction.transactionId ?? ''}: EVSE ${transaction.connectorId}, ${energyWh} Wh, ended ${isoTime(stoppedAt)}`,
      )
  }
  return (request) => {
    const { requestId, report, clear } = request
    if (NAMES.filter((name) => request[name] !== undefined).length !== 1) return { status: 'Invalid' }
    if (report !== true && clear !== true) return { status: 'Rejected' }
    const token = tokenOf(request)
    if (report === true) {
      const lines = token ? [...target.cards.tell(token), ...chargesOf(token)] : []
      const text = lines.length > 0 ? lines.join('\n') : 'Nothing is known of this customer.'
      const pages = text.match(new RegExp(`[^]{1,${CHARACTERS_PER_PAGE}}`, 'g')) ?? []
      const generatedAt = isoTime(target.clock.now())
      sendPages(target, pages, 1, ([data = ''], seqNo, tbc) => ({
        method: 'NotifyCustomerInformation',
        request: { requestId: Number(requestId), data, seqNo, tbc, generatedAt },
      }))
    }
    if (clear === true && token) {
      target.cards.forgetCard(token)
      clearedAt.set(token.id.toLowerCase(), target.clock.now())
    }
    return { status: 'Accepted' }
  }
}

/** By other names nobody is known here. */
function tokenOf({ idToken }: Payload): Token | undefined {
  if (idToken === undefined) return undefined
  const { idToken: id, type } = idToken as { readonly idToken: string; readonly type: string }
  return { id, type }
}
