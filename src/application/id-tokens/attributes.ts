/** What a card may be, read from text as forms, files and command lines have it (ADMIN-G1). */
import type { Fault } from '../../domain/message-log/fault.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import { ID_TOKEN, textFault } from '../../domain/typed-text.ts'

/** OCPP 2.0.1 IdTokenEnumType. */
export const ID_TOKEN_TYPES = [
  'Central',
  'eMAID',
  'ISO14443',
  'ISO15693',
  'KeyCode',
  'Local',
  'MacAddress',
  'NoAuthorization',
] as const
/** Those of cards: OCPP 2.1 has more, and orders that all versions carry do not. */
export const CARD_TYPES = [...ID_TOKEN_TYPES, 'EVCCID', 'VIN'] as const

export const ID_TOKEN_STATUSES: readonly [IdToken['status'], ...IdToken['status'][]] = [
  'Accepted',
  'Blocked',
  'Expired',
  'Invalid',
  'NoCredit',
]

export const ID_TOKEN_COLUMNS = ['id', 'type', 'status', 'expiresAt', 'groupId'] as const
export type IdTokenColumn = (typeof ID_TOKEN_COLUMNS)[number]

export const ID_TOKEN_DEFAULTS = { type: 'ISO14443', status: 'Accepted' } as const

type TextFault = Omit<Fault, 'pointer'>
export type IdTokenTexts = Partial<Readonly<Record<IdTokenColumn, string>>>

/** Faults point at the member, as those of the API do. Empty counts as absent. */
export function readIdToken(
  texts: IdTokenTexts,
  owner: { readonly accountId: string; readonly createdAt: number },
): IdToken | { readonly faults: readonly Fault[] } {
  const { id = '', type = '', status = '', expiresAt = '', groupId = '' } = trimmed(texts)
  const until = expiresAt === '' ? undefined : parseInstant(expiresAt)?.ceilMs
  const faults: (Fault | undefined)[] = [
    at('/id', id === '' ? { code: 'required', message: 'is missing' } : idTokenFault(id)),
    notAmong('/type', type, CARD_TYPES),
    notAmong('/status', status, ID_TOKEN_STATUSES),
    expiresAt !== '' && until === undefined
      ? fault('/expiresAt', 'invalid_time', 'must be an RFC 3339 time such as 2027-01-01T00:00:00Z')
      : undefined,
    at('/groupId', groupId === '' ? undefined : textFault(groupId, ID_TOKEN)),
  ]
  const found = faults.filter((one) => one !== undefined)
  if (found.length > 0) return { faults: found }
  return {
    ...owner,
    id,
    type: type || ID_TOKEN_DEFAULTS.type,
    status: (ID_TOKEN_STATUSES.find((one) => one === status) ?? ID_TOKEN_DEFAULTS.status) satisfies IdToken['status'],
    expiresAt: until,
    ...(groupId !== '' && { groupId }),
  }
}

function trimmed(texts: IdTokenTexts): IdTokenTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()]))
}

export function idTokenFault(id: string): TextFault | undefined {
  if (/^\.{1,2}$/.test(id)) return { code: 'invalid_value', message: 'cannot be a path segment' }
  return textFault(id, ID_TOKEN)
}

function at(pointer: string, found: TextFault | undefined): Fault | undefined {
  return found && { pointer, ...found }
}

function notAmong(pointer: string, text: string, offered: readonly string[]): Fault | undefined {
  if (text === '' || offered.includes(text)) return undefined
  return fault(pointer, 'invalid_value', `must be one of ${offered.join(', ')}`)
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer, code, message }
}
