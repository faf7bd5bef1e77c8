/** OCPP-RP14: the row of an unaccepted charge point's call takes a few kilobytes, whatever it sent. */

import type { Command } from '../../domain/ports/storage.ts'
import type { OcppVersion } from '../../ocpp/version.ts'

/** A boot has a tenth of it. */
const REQUEST_BYTES = 4096
/** No official id is longer. */
const TRANSACTION_ID_CHARACTERS = 64
/** Replaces invented actions: the log remembers each method name forever. */
const UNKNOWN_METHOD = 'UnknownAction'

export function unacceptedRow(row: Command, version: OcppVersion): Command {
  const { transactionId, ...rest } = row
  const method = version.fromChargePoint[row.method] || version.toChargePoint[row.method] ? row.method : UNKNOWN_METHOD
  return {
    ...rest,
    method,
    request: cut(row.request),
    ...(transactionId !== undefined && transactionId.length <= TRANSACTION_ID_CHARACTERS && { transactionId }),
  }
}

function cut(json: string): string {
  if (Buffer.byteLength(json) <= REQUEST_BYTES) return json
  let length = REQUEST_BYTES
  for (;;) {
    const text = JSON.stringify(json.slice(0, length))
    if (Buffer.byteLength(text) <= REQUEST_BYTES) return text
    length = Math.floor(length * 0.9)
  }
}
