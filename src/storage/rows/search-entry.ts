/**
 * A log row's entry in the search (schema/commands.ts). Transaction ids are texts; plain integers are stored in the
 * search as integers: ranges compare them without reading a text digit by digit, and lists without comparing
 * texts at all. Fifteen digits are exact in JavaScript as well.
 */

const PLAIN_DIGITS = 15

/** For `INSERT INTO commands_search SELECT ${SEARCH_ENTRY} FROM commands …`. */
export const SEARCH_ENTRY = `charge_point, id, method, connector_id,
  CASE WHEN length(transaction_id) <= ${PLAIN_DIGITS} AND CAST(CAST(transaction_id AS INTEGER) AS TEXT) = transaction_id
    THEN CAST(transaction_id AS INTEGER) ELSE transaction_id END,
  status, schema_errors IS NOT NULL`

export function searchedTransaction(transactionId: string): string | number {
  const isPlain = transactionId.length <= PLAIN_DIGITS && /^(?:0|-?[1-9][0-9]*)$/.test(transactionId)
  return isPlain ? Number(transactionId) : transactionId
}
