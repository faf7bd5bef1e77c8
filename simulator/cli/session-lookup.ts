/**
 * From a finished charge to the session the API shows. OCPP tells a station only the transaction id, so the session is
 * found by charge point; without an API credential the person gets the lines to find it.
 */

import { isoTime } from '../../src/domain/iso-time.ts'

/** `ws://host:8080/ocpp` belongs to the API at `http://host:8080`. */
export function apiAddress(ocppUrl: string): string {
  const url = new URL(ocppUrl)
  const path = url.pathname.replace(/\/ocpp\/?$/, '').replace(/\/$/, '')
  return `${url.protocol === 'wss:' ? 'https:' : 'http:'}//${url.host}${path}`
}

/** The search goes by the server's clock, the charge by ours: a minute covers an ordinary difference. */
const CLOCK_DIFFERENCE_MS = 60_000

const AUTHORIZATION = '-H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL"'
const JSON_BODY = "-H 'Content-Type: application/json'"

/** A command that lets a refused card charge; undefined where the card is not the reason. */
export function cardLine(apiUrl: string, idToken: string, status: string | undefined): string | undefined {
  if (status === 'ConcurrentTx') return undefined
  // Both versions name a card that is known but may not charge; unknown is Invalid in 1.6 and Unknown in 2.0.1.
  const isUnknown = status === undefined || status === 'Invalid' || status === 'Unknown'
  if (isUnknown) return `curl ${AUTHORIZATION} ${JSON_BODY} -d ${quoted({ id: idToken })} '${apiUrl}/2/id-tokens'`
  const change = quoted({ status: 'Accepted', expiresAt: null })
  const address = `${apiUrl}/2/id-tokens/${encodeURIComponent(idToken).replaceAll("'", '%27')}`
  return `curl -X PATCH ${AUTHORIZATION} ${JSON_BODY} -d ${change} '${address}'`
}

function quoted(body: object): string {
  return `'${JSON.stringify(body).replaceAll("'", "'\\''")}'`
}

/** What helps with a connection that failed where the server is Pilotwire; another server has other commands. */
export function hintFor(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  if (code === 'ECONNREFUSED') return '`pilotwire serve` starts a server (in a checkout: `npm start`)'
  if (code === 401) return '`pilotwire charge-point set-password` sets a new password'
  if (code === 404) return '`pilotwire charge-point add` adds the charge point; the address ends in /ocpp'
  return undefined
}

export interface ShownCharge {
  readonly evseControllerId: string
  readonly transactionId?: string
  readonly startedAt: number
}

export function curlLines(apiUrl: string, charge: ShownCharge): readonly string[] {
  const id = encodeURIComponent(charge.evseControllerId)
  const body = quoted({
    from: isoTime(charge.startedAt - CLOCK_DIFFERENCE_MS),
    transactionId: charge.transactionId,
  })
  return [
    `curl ${AUTHORIZATION} '${apiUrl}/2/sessions?evseControllerId=${id}&limit=1'`,
    `curl ${AUTHORIZATION} ${JSON_BODY} -d ${body} '${apiUrl}/2/evse-controllers/${id}/commands/search'`,
  ]
}
