/** The log as CSV (SEARCH-C2, SEARCH-C3): RFC 4180, safe in spreadsheets, numbers unharmed. Columns are append-only. */
import { isoTime } from '../iso-time.ts'
import type { Command } from '../ports/storage-records.ts'
import { logIdTime, logIdToUuid, uuidToV1Id } from './log-id.ts'
import { asciiTable, type Utf8Text } from './utf8-text.ts'

const COLUMNS: Readonly<Record<string, (line: Utf8Text, row: Command, salt: bigint) => void>> = {
  id: (line, row, salt) => line.addAscii(logIdToUuid(row.id, salt)),
  createdAt: (line, row) => line.addAscii(isoTime(logIdTime(row.id))),
  evseControllerId: (line, row) => addText(line, row.chargePointId),
  direction: (line, row) => line.addAscii(row.direction),
  protocol: (line, row) => addText(line, row.protocol),
  method: (line, row) => addText(line, row.method),
  messageId: (line, row) => addText(line, row.messageId),
  evseId: (line, row) => addNumber(line, row.evseId),
  connectorId: (line, row) => addNumber(line, row.connectorId),
  transactionId: (line, row) => addText(line, row.transactionId),
  status: (line, row) => line.addAscii(row.status),
  answeredAt: (line, row) => {
    if (row.answeredAt !== undefined) line.addAscii(isoTime(row.answeredAt))
  },
  errorCode: (line, row) => addText(line, row.error?.code),
  errorDescription: (line, row) => addText(line, row.error?.description),
  errorDetails: (line, row) => addJson(line, row.error && JSON.stringify(row.error.details)),
  request: (line, row) => addJson(line, row.request),
  response: (line, row) => addJson(line, row.response),
  schemaErrors: (line, row) => {
    if (row.schemaErrors !== undefined) addJson(line, JSON.stringify(schemaErrorTexts(row.schemaErrors)))
  },
}

export function csvHeader(): string {
  return `${Object.keys(COLUMNS).join(',')}\r\n`
}

const ADD_FIELDS = Object.values(COLUMNS)

export function addCsvLine(line: Utf8Text, row: Command, salt: bigint): void {
  let separator = ''
  for (const addField of ADD_FIELDS) {
    line.addAscii(separator)
    separator = ','
    addField(line, row, salt)
  }
  line.addAscii('\r\n')
}

/** `commands-<id>-<from>.csv`; whatever could confuse a header or a file system becomes `_` (SEARCH-C1). */
export function csvFileName(chargePointId: string, from: string): string {
  return `commands-${chargePointId}-${from}.csv`.replaceAll(/[^A-Za-z0-9._-]/g, '_')
}

/** One field of another table: free text is guarded like those above. */
export function csvField(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const field = clean(guarded(value))
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

function addNumber(line: Utf8Text, value: number | undefined): void {
  if (value !== undefined) line.addAscii(String(value))
}

/**
 * SEARCH-C8: spreadsheets evaluate what follows white space or invisible characters; full-width and small signs count.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B])/u
/** Nearly all texts begin with one of these and need no closer look. */
const LETTER_OR_DIGIT = asciiTable('0', 'z', ':;<=>?@[\\]^_`')
/** What needs no quotes: nearly all texts consist of nothing else. */
const UNQUOTED = asciiTable(' ', '~', '",')
const UNQUOTED_JSON = asciiTable('!', '~', '",')

function addText(line: Utf8Text, text: string | undefined): void {
  if (text === undefined) return
  const field = guarded(text)
  if (line.addIfOnly(UNQUOTED, field)) return
  const quoted = clean(field)
  line.add(/[",\r\n]/.test(quoted) ? `"${quoted.replaceAll('"', '""')}"` : quoted)
}

function addJson(line: Utf8Text, json: string | undefined): void {
  if (json === undefined) return
  // Objects and lists, as every payload is one, begin no formula.
  const field = json.startsWith('{') || json.startsWith('[') ? json : guarded(json.trim())
  if (line.addIfOnly(UNQUOTED_JSON, field)) return
  line.addAscii('"')
  line.addRewritten(clean(field), minifyAndDoubleQuotes)
  line.addAscii('"')
}

/** A spreadsheet would run a text that starts like a formula. Plain numbers stay, or negatives would be corrupted. */
function guarded(text: string): string {
  if (LETTER_OR_DIGIT[text.charCodeAt(0)] || !FORMULA.test(text)) return text
  return /^ *[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? text : `'${text}`
}

/** Without the quote that `guarded` puts before it. */
export function unguarded(field: string): string {
  return field.startsWith("'") && FORMULA.test(field.replace(/^'+/, '')) ? field.slice(1) : field
}

/** Spreadsheets cut at NUL, and half a surrogate pair is no UTF-8. */
function clean(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.replaceAll(/\0|[\uD800-\uDFFF]/gu, '\uFFFD')
}

/** JSON as a field of a CSV line (SEARCH-C2, SEARCH-C3): minified, and its quotes doubled, byte by byte. */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** Drops white space between tokens, which stay as they are: big integers survive. A `Rewrite` of text in UTF-8. */
function minifyAndDoubleQuotes(from: Uint8Array, count: number, to: Uint8Array, at: number): number {
  let end = at
  for (let position = 0; position < count; position++) {
    const byte = from[position] ?? 0
    // Charge points rarely send white space; without it only quotes need doubling.
    if (byte <= SPACE) return minifyAll(from, count, to, at)
    to[end++] = byte
    if (byte === QUOTE) to[end++] = QUOTE
  }
  return end
}

function minifyAll(from: Uint8Array, count: number, to: Uint8Array, at: number): number {
  let end = at
  let inString = false
  let escaped = false
  for (let position = 0; position < count; position++) {
    const byte = from[position] ?? 0
    if (byte === QUOTE) {
      if (!escaped) inString = !inString
      escaped = false
      to[end++] = QUOTE
    } else if (inString) escaped = byte === BACKSLASH && !escaped
    else if (byte <= SPACE) continue
    to[end++] = byte
  }
  return end
}

/** OCPP-VA1, SEARCH-C8: said of the text itself (`The message was not JSON.`), first and without a separator. */
const OF_TEXT = /^(?:The message was not [\w-]+\. ?)+/
/** How many more there were than the line holds. */
const REST = / \((and \d+ more)\)$/

export function schemaErrorTexts(line: string): readonly string[] {
  const ofText = OF_TEXT.exec(line)?.[0] ?? ''
  const faults = line.slice(ofText.length)
  const rest = REST.exec(faults)?.[1]
  const texts = [...ofText.split(/(?<=\.) ?/), ...faults.replace(REST, '').split('; '), rest ?? '']
  return texts.filter((text) => text !== '')
}

// A log row as the API shows it (API-B4). Payloads are embedded as the text that crossed the wire, never parsed.

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
