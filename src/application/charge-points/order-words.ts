/**
 * An order in a few words, as the audit log names it: which command, of what kind, and of which connector (ADMIN-C7).
 */
import { oneLine } from '../../domain/typed-text.ts'

const LONGEST_WORD = 50
/** Fields that say what kind of a command it is. */
const KINDS = ['type', 'operationalStatus', 'requestedMessage', 'key', 'vendorId'] as const

export function orderWords(method: string, request: Readonly<Record<string, unknown>>): string {
  const evse = request.evse as { readonly id?: unknown; readonly connectorId?: unknown } | null | undefined
  const kinds = KINDS.map((name) => request[name]).filter((kind) => typeof kind === 'string')
  return [
    method,
    ...kinds.map((kind) => oneLine(kind, LONGEST_WORD)),
    placeWords(request.evseId ?? evse?.id, request.connectorId ?? evse?.connectorId),
  ]
    .filter((word) => word !== '')
    .join(' ')
}

/** Nothing for what is no number, and for the charge point as a whole. */
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
