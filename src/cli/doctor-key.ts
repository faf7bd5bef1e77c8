import { readFileSync, statSync } from 'node:fs'
import { base64Key } from '../config/kinds.ts'
import { secretKeyFile } from '../config/secret-key.ts'
import type { Settings } from '../config.ts'
import { databasePath } from '../storage/sqlite/database-path.ts'
import type { Check } from './doctor-check.ts'

const OTHERS = 0o077

export function checkKeyFile(settings: Settings): Check {
  const check = 'secret key'
  if (settings.secretKey) return { check, status: 'ok', detail: 'Set by PILOTWIRE_SECRET_KEY.' }
  const database = databasePath(settings.databaseUrl)
  const file = secretKeyFile(database)
  let stat: ReturnType<typeof statSync>
  try {
    stat = statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    return unreadable(file, error)
  }
  if (!stat) {
    return statSync(database, { throwIfNoEntry: false })?.isFile()
      ? { check, status: 'failed', detail: `${file} is gone although the database exists: restore it from its backup.` }
      : { check, status: 'ok', detail: `Will be generated into ${file} on the first start.` }
  }
  if ((stat.mode & OTHERS) !== 0) {
    const mode = (stat.mode & 0o777).toString(8)
    return { check, status: 'warning', detail: `${file} has mode ${mode}, so others can read it: chmod 600 ${file}` }
  }
  try {
    if (base64Key.read(readFileSync(file, 'utf8').trim())) return { check, status: 'ok', detail: `${file}, mode 600.` }
    return {
      check,
      status: 'failed',
      detail: `${file} is damaged: expected ${base64Key.expected}; restore its backup.`,
    }
  } catch (error) {
    return unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): Check {
  const reason = error instanceof Error ? error.message : error
  const detail = `${file} cannot be read (${reason}): run this as the user of the server, or give this one the right.`
  return { check: 'secret key', status: 'failed', detail }
}
