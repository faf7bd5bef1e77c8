/**
 * What a charge point that is not accepted yet may send all the same, because we asked for it (DR9): the message of a
 * trigger, and the pages of a report (B02).
 */
import type { OutgoingCall, Payload } from '../ocpp/version.ts'

const REPORTS = new Set(['GetBaseReport', 'GetReport'])
/** A trigger that names no place is followed by one of these for each of them. */
const BY_PLACE = new Set(['StatusNotification', 'MeterValues', 'TransactionEvent'])

export class AskedFor {
  /** How often each message may still come. */
  readonly #left = new Map<string, number>()

  /** Before the command leaves: the charge point may be quick. */
  add({ method, request }: OutgoingCall): void {
    if (REPORTS.has(method)) this.#left.set('NotifyReport', Number.POSITIVE_INFINITY)
    const { requestedMessage } = request
    if (!isTrigger(method) || typeof requestedMessage !== 'string') return
    const named = request.connectorId !== undefined || request.evse !== undefined
    const times = BY_PLACE.has(requestedMessage) && !named ? Number.POSITIVE_INFINITY : 1
    for (const action of followers(requestedMessage)) this.#left.set(action, (this.#left.get(action) ?? 0) + times)
  }

  includes(action: string): boolean {
    return this.#left.has(action)
  }

  /** One of them came and was answered. */
  arrived(action: string, { tbc }: Payload): void {
    const left = this.#left.get(action)
    if (left === undefined) return
    const over = action === 'NotifyReport' ? tbc !== true : left <= 1
    if (over) this.#left.delete(action)
    else this.#left.set(action, left - 1)
  }
}

function isTrigger(method: string): boolean {
  return method === 'TriggerMessage' || method === 'ExtendedTriggerMessage'
}

/** The messages that answer a trigger: its name, unless it names what the message is about. */
function followers(requestedMessage: string): readonly string[] {
  if (requestedMessage.startsWith('Sign')) return ['SignCertificate']
  if (requestedMessage === 'FirmwareStatusNotification') return [requestedMessage, `Signed${requestedMessage}`]
  return [requestedMessage]
}
