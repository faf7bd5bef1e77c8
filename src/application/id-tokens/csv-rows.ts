/** RFC 4180 in one pass; also spreadsheets' semicolons for commas, and a byte order mark in front. */

export interface CsvRow {
  /** Of the text, from 1: where the row begins. */
  readonly line: number
  readonly fields: readonly string[]
}

/** Empty lines are no rows. A quote that is never closed ends with the text; `open` is the line that it is in. */
export function csvRows(text: string): { readonly rows: readonly CsvRow[]; readonly open?: number | undefined } {
  const rows: CsvRow[] = []
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const separator = separatorOf(text, start)
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

function separatorOf(text: string, start: number): ',' | ';' {
  const end = text.indexOf('\n', start)
  const header = text.slice(start, end < 0 ? undefined : end)
  return header.includes(';') && !header.includes(',') ? ';' : ','
}
