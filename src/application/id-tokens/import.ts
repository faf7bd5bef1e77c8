/** Cards from a CSV file: all of them or none, and a file that was taken before changes nothing (ADMIN-G2). */
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import { ID_TOKEN_COLUMNS, type IdTokenColumn, readIdToken } from './attributes.ts'

export interface LineFault {
  readonly line: number
  readonly message: string
}

export interface ReadCards {
  readonly tokens: readonly IdToken[]
  readonly columns: readonly IdTokenColumn[]
}

export function readCardFile(
  text: string,
  owner: { readonly accountId: string; readonly createdAt: number },
): ReadCards | { readonly faults: readonly LineFault[] } {
  const { rows, open } = csvRows(text)
  const [header, ...cards] = rows
  if (open !== undefined) return { faults: [{ line: open, message: 'a quote is never closed' }] }
  if (!header) return { faults: [{ line: 1, message: `is missing: ${HEADER_HINT}` }] }
  const columns = header.fields.map((name) => name.trim())
  const wrong = headerFaults(header, columns)
  if (wrong.length > 0) return { faults: wrong }
  const seen = new Map<string, { readonly line: number; readonly card: string }>()
  const tokens: IdToken[] = []
  const faults: LineFault[] = []
  for (const row of cards) {
    const read = readRow(row, columns, owner)
    if ('faults' in read) {
      faults.push(...read.faults)
      continue
    }
    // The store compares ids ignoring case, and so does the file.
    const key = read.id.toLowerCase()
    const before = seen.get(key)
    const card = JSON.stringify([read.type, read.status, read.expiresAt, read.groupId])
    if (!before) {
      seen.set(key, { line: row.line, card })
      tokens.push(read)
    } else if (before.card !== card) {
      faults.push({ line: row.line, message: `the id ${read.id} stands in line ${before.line} with other attributes` })
    }
  }
  if (faults.length > 0) return { faults }
  return { tokens, columns: columns.filter((name) => isColumn(name)) }
}

const HEADER_HINT = `the first line names the columns, id and any of ${ID_TOKEN_COLUMNS.slice(1).join(', ')}`

function headerFaults({ line }: CsvRow, columns: readonly string[]): readonly LineFault[] {
  const unknown = columns.filter((name) => !isColumn(name))
  const twice = columns.filter((name, at) => columns.indexOf(name) !== at)
  return [
    ...unknown.map((name) => ({ line, message: `there is no column ${JSON.stringify(name)}: ${HEADER_HINT}` })),
    ...twice.filter(isColumn).map((name) => ({ line, message: `the column ${name} stands twice` })),
    ...(columns.includes('id') ? [] : [{ line, message: `the column id is missing: ${HEADER_HINT}` }]),
  ]
}

function isColumn(name: string): name is IdTokenColumn {
  return (ID_TOKEN_COLUMNS as readonly string[]).includes(name)
}

function readRow(
  { line, fields }: CsvRow,
  columns: readonly string[],
  owner: { readonly accountId: string; readonly createdAt: number },
): IdToken | { readonly faults: readonly LineFault[] } {
  if (fields.length > columns.length) {
    return { faults: [{ line, message: `has ${fields.length} fields, the first line ${columns.length}` }] }
  }
  const read = readIdToken(Object.fromEntries(columns.map((name, at) => [name, fields[at] ?? ''])), owner)
  if (!('faults' in read)) return read
  return { faults: read.faults.map(({ pointer, message }) => ({ line, message: `${pointer.slice(1)} ${message}` })) }
}

/** RFC 4180 in one pass; also spreadsheets' semicolons for commas, and a byte order mark in front. */
interface CsvRow {
  /** Of the text, from 1: where the row begins. */
  readonly line: number
  readonly fields: readonly string[]
}

/** Empty lines are no rows. A quote that is never closed ends with the text; `open` is the line that it is in. */
export function csvRows(
  text: string,
  separator: ',' | ';' = separatorOf(text, text.startsWith('\uFEFF') ? 1 : 0),
): { readonly rows: readonly CsvRow[]; readonly open?: number | undefined } {
  const rows: CsvRow[] = []
  const start = text.startsWith('\uFEFF') ? 1 : 0
  let fields: string[] = []
  let from = start
  let line = 1
  let rowLine = 1
  let at = start
  let quotedSince: number | undefined
  const field = (end: number): string => {
    const raw = text.slice(from, end)
    return raw.startsWith('"')
      ? raw.slice(1, raw.endsWith('"') && raw.length > 1 ? -1 : undefined).replaceAll('""', '"')
      : raw
  }
  const endRow = (end: number): void => {
    fields.push(field(end))
    if (fields.length > 1 || fields[0]?.trim() !== '') rows.push({ line: rowLine, fields })
    fields = []
  }
  for (; at < text.length; at++) {
    const character = text[at]
    if (character === '"' && (quotedSince !== undefined || at === from)) {
      quotedSince = quotedSince === undefined ? line : undefined
      if (quotedSince === undefined && text[at + 1] === '"') {
        quotedSince = line
        at++
      }
    } else if (character === separator && quotedSince === undefined) {
      fields.push(field(at))
      from = at + 1
    } else if (character === '\n') {
      line++
      if (quotedSince !== undefined) continue
      endRow(text[at - 1] === '\r' && at > from ? at - 1 : at)
      from = at + 1
      rowLine = line
    }
  }
  if (from < text.length || fields.length > 0) endRow(text.length)
  return { rows, open: quotedSince }
}

/** Of a text whose first line is the header. */
export function separatorOf(text: string, start: number): ',' | ';' {
  const end = text.indexOf('\n', start)
  const header = text.slice(start, end < 0 ? undefined : end)
  return header.includes(';') && !header.includes(',') ? ';' : ','
}
