/** An authorization in 2.0.1's spelling; its statuses are the domain's own. */
import type { Authorisation, IdTokenRef } from '../../domain/ports/id-tokens.ts'
import type { Payload } from '../payload.ts'
import { isObject, object, oneOf, sentTime, text, tokenText } from '../translate/payload.ts'

const GROUP_ID_LIMIT = 36

export function idTokenInfo(authorisation: Authorisation | undefined): Payload {
  const { status = 'Unknown', expiresAt, groupId, price } = authorisation ?? {}
  const cacheExpiryDateTime = sentTime(expiresAt)
  const group = groupId !== undefined && groupId.length <= GROUP_ID_LIMIT ? groupId : undefined
  return {
    status,
    cacheExpiryDateTime,
    ...(group !== undefined && { groupIdToken: { idToken: group, type: 'Central' } }),
    ...(price && { personalMessage: { format: 'UTF8', language: price.language, content: price.text } }),
  }
}

export const TOKEN_TYPES: readonly string[] =
  'Central eMAID ISO14443 ISO15693 KeyCode Local MacAddress NoAuthorization'.split(' ')
/** In the schema of OCPP 2.1 a type is any text, which no repair spells; these are in its appendix. */
const NEWER_TYPES = ['DirectPayment', 'EVCCID', 'VIN']
const typeOf = oneOf([...TOKEN_TYPES, ...NEWER_TYPES])

/** Undefined: no token was sent. NoAuthorization has an empty id by definition (C02.FR.02). */
export function idToken(value: unknown): IdTokenRef | undefined {
  if (!isObject(value)) return undefined
  const said = text(value.type) ?? 'ISO14443'
  return { id: tokenText(value.idToken), type: typeOf(said) ?? said }
}

/** For messages about a token: an unusable one matches none. */
export function requiredIdToken(value: unknown): IdTokenRef {
  return idToken(object(value)) ?? { id: '', type: 'ISO14443' }
}
