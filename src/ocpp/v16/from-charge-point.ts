import type { Authorisation, AuthorisationStatus, IdTokenRef } from '../../domain/ports/id-tokens.ts'
import { integer, object, type Payload, sentTime, tokenText, transactionIdText } from '../translate/payload.ts'
import type { Columns } from '../version.ts'

/** OCPP-DR9: a station moved here does not boot for that, and discards transaction messages after a few tries. */
export const BILLING = { billing: true, beforeBoot: true } as const

/** OCPP-LG3: the log's columns of any 1.6 message, by the names its schemas use. */
export function columns(request: Payload, raw?: string): Columns {
  const connectorId = integer(request.connectorId)
  const profile = object(request.chargingProfile ?? request.csChargingProfiles)
  const transactionId = transactionIdText(request.transactionId ?? profile.transactionId, raw)
  return { connectorId, transactionId }
}

/** 1.6 has five statuses and a parent tag of 20 characters; the rest is mapped (TOKEN-Z2, TOKEN-Z3). */
const STATUS: Readonly<Record<AuthorisationStatus, string>> = {
  Accepted: 'Accepted',
  Blocked: 'Blocked',
  Expired: 'Expired',
  Invalid: 'Invalid',
  Unknown: 'Invalid',
  ConcurrentTx: 'ConcurrentTx',
  NoCredit: 'Blocked',
}

const PARENT_ID_TAG_LIMIT = 20

export function idTagInfo(authorisation: Authorisation | undefined): Payload {
  const { status = 'Invalid', expiresAt, groupId } = authorisation ?? {}
  const expiryDate = sentTime(expiresAt)
  // A truncated group would equal others with the same beginning, so a longer one is left out.
  const parentIdTag = groupId !== undefined && groupId.length <= PARENT_ID_TAG_LIMIT ? groupId : undefined
  return {
    status: STATUS[status],
    expiryDate,
    parentIdTag,
  }
}

/** An unusable idTag becomes an empty id, which matches no token. */
export function idToken(idTag: unknown): IdTokenRef {
  return { id: tokenText(idTag), type: 'ISO14443' }
}
