import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The absolute path of `file:data/pilotwire.db` or `file:///var/lib/pilotwire.db`. @throws what to write instead */
export function databasePath(url: string): string {
  if (!url.startsWith('file:')) {
    throw new Error(
      `${shown(url)} is not a database this server can open: use file:<path>, e.g. file:data/pilotwire.db, or postgres://user:password@host:5432/database.`,
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

/** PostgreSQL's address; storage/postgres/connection/address.ts takes it apart. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(url)
}

/** Where firmware images and logs of charge points are kept: beside the file, or in the folder that it would be in. */
export function filesFolder(url: string): string {
  return isPostgres(url) ? resolve('data/pilotwire.files') : `${databasePath(url)}.files`
}

/** Where the disk is that this machine may run out of. */
export function localFolder(url: string): string {
  return isPostgres(url) ? resolve('.') : dirname(databasePath(url))
}

/** The database for people: a path, or an address without its password. */
export function shownDatabase(url: string): string {
  return isPostgres(url)
    ? url.replace(/^([^:]+:\/\/[^:@/]*)(?::[^@]*)?@/, '$1@').replace(/\?.*$/, '')
    : databasePath(url)
}

/** A PostgreSQL address may hold a password: only its scheme is repeated in messages. */
function shown(url: string): string {
  return url.includes('@') ? `${url.slice(0, url.indexOf(':'))}:…` : url
}
