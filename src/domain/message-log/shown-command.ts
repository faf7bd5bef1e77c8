/** A log row as the API shows it (API-B4). Payloads are embedded as the text that crossed the wire, never parsed. */

import { isoTime } from '../iso-time.ts'
import type { Command } from '../ports/storage-records.ts'
import { schemaErrorTexts } from './csv.ts'
import { logIdTime, logIdToUuid, uuidToV1Id } from './log-id.ts'
import type { Utf8Text } from './utf8-text.ts'

/** v2: UUID and status. @returns JSON text */
export function commandJson(row: Command, salt: bigint): string {
  return compose(row, { id: logIdToUuid(row.id, salt), ...attributes(row), status: row.status })
}

/** v1 (SEARCH-V3): 24 hex digits, no status. @returns JSON text */
export function commandJsonV1(row: Command, salt: bigint): string {
  return compose(row, { id: uuidToV1Id(logIdToUuid(row.id, salt)), ...attributes(row) })
}

function attributes(row: Command): object {
  return {
    evseControllerId: row.chargePointId,
    method: row.method,
    direction: row.direction,
    messageId: row.messageId,
    protocol: row.protocol,
    connectorId: row.connectorId,
    evseId: row.evseId,
    transactionId: row.transactionId,
  }
}

function compose(row: Command, head: object): string {
  const tail = {
    error: row.error,
    createdAt: isoTime(logIdTime(row.id)),
    answeredAt: isoTime(row.answeredAt),
    schemaErrors: row.schemaErrors === undefined ? undefined : schemaErrorTexts(row.schemaErrors),
  }
  const response = row.response === undefined ? '' : `,"response":${embedded(row.response)}`
  return `${JSON.stringify(head).slice(0, -1)},"request":${embedded(row.request)}${response},${JSON.stringify(tail).slice(1)}`
}

/** Payloads are valid JSON by construction; anything else is shown as text, so that the page is not broken. */
function embedded(text: string): string {
  return /^\s*[{["\-0-9tfn]/.test(text) ? text : JSON.stringify(text)
}

/** Line breaks between JSON tokens go; inside a JSON string there are none. `salt` as for `logIdToUuid`. */
export function addNdjsonLine(text: Utf8Text, row: Command, salt: bigint): void {
  text.add(`${commandJson(row, salt).replaceAll(/[\r\n]+/g, ' ')}\n`)
}
