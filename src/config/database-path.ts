import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * File behind `PILOTWIRE_DATABASE_URL`: `file:data/pilotwire.db` (relative to the working directory),
 * `file:/var/lib/pilotwire.db` or `file:///var/lib/pilotwire.db`. Returns an absolute path.
 * Throws a sentence that says what to write for anything SQLite cannot serve from one file.
 */
export function databasePath(url: string): string {
  if (!url.startsWith('file:')) {
    throw new Error(
      `${shown(url)} is not a database this server can open: use file:<path>, e.g. file:data/pilotwire.db.`,
    )
  }
  const rest = url.slice('file:'.length)
  if (rest.startsWith('//')) return fileUrlPath(url)
  if (rest === '' || rest.endsWith('/') || rest.includes('?') || rest === ':memory:') {
    throw new Error(`${shown(url)} names no file: use file:<path>, e.g. file:data/pilotwire.db.`)
  }
  return resolve(rest)
}

function fileUrlPath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    throw new Error(
      `${shown(url)} is not a local file: with file:// the path is absolute, e.g. file:///var/lib/pilotwire.db.`,
    )
  }
}

/** A PostgreSQL address may hold a password: only its scheme is repeated in messages. */
function shown(url: string): string {
  return url.includes('@') ? `${url.slice(0, url.indexOf(':'))}:…` : url
}
