/** What an unaccepted charge point may send because we asked (OCPP-DR9): a triggered message, report pages (B02). */
import type { OutgoingCall, Payload } from '../../ocpp/payload.ts'

const REPORTS = new Set(['GetBaseReport', 'GetReport'])
/** A trigger without a place is followed by one of these for each place. */
const BY_PLACE = new Set(['StatusNotification', 'MeterValues', 'TransactionEvent'])

/** Bounds orders whose reports never came. */
const MAX_REPORTS = 16
/** Far more than any report has. */
const MAX_PAGES = 10_000

export class AskedFor {
  readonly #left = new Map<string, number>()
  /** By requestId. Pages may arrive out of order: a report is complete with all pages up to the last (B02). */
  readonly #reports = new Map<unknown, { readonly seen: Set<unknown>; pages: number }>()

  /** Before the command leaves: the answer may be fast. */
  add({ method, request }: OutgoingCall): void {
    if (REPORTS.has(method)) {
      this.#reports.set(request.requestId, { seen: new Set(), pages: Number.POSITIVE_INFINITY })
      const [oldest] = this.#reports.keys()
      if (this.#reports.size > MAX_REPORTS) this.#reports.delete(oldest)
    }
    const { requestedMessage } = request
    if (!isTrigger(method) || typeof requestedMessage !== 'string') return
    const named = request.connectorId !== undefined || request.evse !== undefined
    const times = BY_PLACE.has(requestedMessage) && !named ? Number.POSITIVE_INFINITY : 1
    for (const action of followers(requestedMessage)) this.#left.set(action, (this.#left.get(action) ?? 0) + times)
  }

  includes(action: string): boolean {
    return this.#left.has(action) || (action === 'NotifyReport' && this.#reports.size > 0)
  }

  arrived(action: string, payload: Payload): void {
    if (action === 'NotifyReport') this.#pageArrived(payload)
    const left = this.#left.get(action)
    if (left === undefined) return
    if (left <= 1) this.#left.delete(action)
    else this.#left.set(action, left - 1)
  }

  #pageArrived({ requestId, seqNo, tbc }: Payload): void {
    const report = this.#reports.get(requestId)
    if (!report) return
    if (Number.isSafeInteger(seqNo)) report.seen.add(seqNo)
    if (tbc !== true) report.pages = typeof seqNo === 'number' ? seqNo + 1 : 0
    if (report.seen.size >= Math.min(report.pages, MAX_PAGES)) this.#reports.delete(requestId)
  }
}

export function asksForMessages({ method }: Pick<OutgoingCall, 'method'>): boolean {
  return REPORTS.has(method) || isTrigger(method)
}

function isTrigger(method: string): boolean {
  return method === 'TriggerMessage' || method === 'ExtendedTriggerMessage'
}

/** A trigger's answers: the message of that name, except where the name is a topic. */
function followers(requestedMessage: string): readonly string[] {
  if (requestedMessage.startsWith('Sign')) return ['SignCertificate']
  if (requestedMessage === 'FirmwareStatusNotification') return [requestedMessage, `Signed${requestedMessage}`]
  return [requestedMessage]
}
