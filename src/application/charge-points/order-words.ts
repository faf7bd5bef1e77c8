/** An order in a few words, as the audit log names it: command, kind and connector (ADMIN-C7). */
import { oneLine } from '../../domain/typed-text.ts'

const MAX_WORD_LENGTH = 50
const KINDS = ['type', 'operationalStatus', 'requestedMessage', 'key', 'vendorId'] as const

const RESETS: Readonly<Record<string, string>> = { Hard: 'hard', Immediate: 'hard', Soft: 'soft', OnIdle: 'soft' }

/** @example orderWords('Reset', { type: 'Hard' }) === 'Reset (hard)' */
export function orderWords(method: string, request: Readonly<Record<string, unknown>>): string {
  const evse = request.evse as { readonly id?: unknown; readonly connectorId?: unknown } | null | undefined
  const kinds = KINDS.map((name) => request[name]).filter((kind) => typeof kind === 'string')
  const place = placeWords(request.evseId ?? evse?.id, request.connectorId ?? evse?.connectorId)
  return inDetail(
    method,
    ...kinds.map((kind) => (method === 'Reset' && RESETS[kind]) || oneLine(kind, MAX_WORD_LENGTH)),
    place,
  )
}

export function inDetail(order: string, ...details: readonly string[]): string {
  const said = details.filter((detail) => detail !== '').join(', ')
  return said === '' ? order : `${order} (${said})`
}

export function placeWords(evseId: unknown, connectorId: unknown): string {
  const words = [
    ['EVSE', evseId],
    ['connector', connectorId],
  ] as const
  return words
    .filter(([, number]) => Number.isSafeInteger(number))
    .map(([what, number]) => `${what} ${number}`)
    .join(' ')
}
