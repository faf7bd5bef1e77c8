/** The log as CSV (C2, C3): RFC 4180, safe to open in a spreadsheet, numbers unharmed. Columns are append-only. */
import type { Command } from '../storage/store.ts'
import { logIdTime, logIdToUuid } from './log-id.ts'
import { isoTime } from './row.ts'

type Column = (row: Command, salt: bigint) => string | number | undefined

const COLUMNS: Readonly<Record<string, Column>> = {
  id: (row, salt) => logIdToUuid(row.id, salt),
  createdAt: (row) => isoTime(logIdTime(row.id)),
  evseControllerId: (row) => guarded(row.chargePointId),
  direction: (row) => row.direction,
  protocol: (row) => guarded(row.protocol),
  method: (row) => guarded(row.method),
  messageId: (row) => guarded(row.messageId),
  evseId: (row) => row.evseId,
  connectorId: (row) => row.connectorId,
  transactionId: (row) => guarded(row.transactionId),
  status: (row) => row.status,
  answeredAt: (row) => (row.answeredAt === undefined ? undefined : isoTime(row.answeredAt)),
  errorCode: (row) => guarded(row.error?.code),
  errorDescription: (row) => guarded(row.error?.description),
  errorDetails: (row) => guarded(JSON.stringify(row.error?.details)),
  request: (row) => guarded(minified(row.request)),
  response: (row) => guarded(row.response === undefined ? undefined : minified(row.response)),
}

export function csvHeader(): string {
  return `${Object.keys(COLUMNS).join(',')}\r\n`
}

const READ = Object.values(COLUMNS)

export function csvRow(row: Command, salt: bigint): string {
  let line = ''
  for (const column of READ) line += `,${field(column(row, salt))}`
  return `${line.slice(1)}\r\n`
}

/** `commands-<id>-<from>.csv`; whatever could confuse a header or a file system becomes `_` (C1). */
export function csvFileName(chargePointId: string, from: string): string {
  return `commands-${chargePointId}-${from}.csv`.replaceAll(/[^A-Za-z0-9._-]/g, '_')
}

function field(value: string | number | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = clean(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const FORMULA_STARTS: ReadonlySet<string> = new Set('=+-@\t\r＝＋－＠')

/**
 * Charge points choose these texts, and a spreadsheet would run one that starts like a formula. Plain numbers are left
 * alone: guarding every minus would corrupt negative values.
 */
function guarded(text: string | undefined): string | undefined {
  if (text === undefined || !FORMULA_STARTS.has(text.charAt(0))) return text
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? text : `'${text}`
}

/** Spreadsheets cut at NUL, and half a surrogate pair is no UTF-8. */
function clean(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.replaceAll(/\0|[\uD800-\uDFFF]/gu, '\uFFFD')
}

/** White space between the tokens goes; the tokens stay as they are, so that big integers survive. */
function minified(json: string): string {
  // Most stations send none, and looking is ten times cheaper than rewriting.
  if (!/\s/.test(json)) return json
  return json.replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, string: string | undefined) => string ?? '')
}
