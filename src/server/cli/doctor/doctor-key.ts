import { existsSync, readFileSync, statSync } from 'node:fs'
import type { Settings } from '../../../config/config.ts'
import { databasePath, shownDatabase } from '../../../config/database-path.ts'
import { otherKey, secretKeyCheck } from '../../../config/key-check.ts'
import { secretKeyFile } from '../../../config/secret-key.ts'
import { base64Key } from '../../../config/setting-kinds.ts'
import { firstStartFile } from '../output/show-once.ts'
import { type Check, findings } from './doctor-check.ts'
import { readQuietly } from './doctor-database.ts'

const OTHERS = 0o077
const { ok, warning, failed } = findings('secret key')

export async function checkKey(settings: Settings): Promise<Check> {
  const found = settings.secretKey ? ok('Set by PILOTWIRE_SECRET_KEY.') : checkKeyFile(settings)
  const path = shownDatabase(settings.databaseUrl)
  const key = found.status === 'failed' ? undefined : (settings.secretKey ?? keyIn(secretKeyFile(path)))
  const known = await readQuietly(settings.databaseUrl, (reads) => reads.secretKeyCheck())
  if (key === undefined || known === undefined || known === secretKeyCheck(key)) return found
  return { ...found, status: 'failed', detail: `It is another key: ${otherKey(path)}.` }
}

/** SERVER-C4: secrets in plain text, of which everybody who needs them has a copy by now. */
export function checkFirstStart(settings: Settings): Check | undefined {
  const file = firstStartFile(settings)
  if (!existsSync(file)) return undefined
  return findings('first start').warning(
    `${file} holds the administrator's password and an API credential: keep what you need, then delete it.`,
  )
}

function keyIn(file: string): Buffer | undefined {
  return existsSync(file) ? base64Key.read(readFileSync(file, 'utf8').trim()) : undefined
}

function checkKeyFile(settings: Settings): Check {
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
      ? failed(`${file} is gone although the database exists: restore it from its backup.`)
      : ok(`Will be generated into ${file} on the first start.`)
  }
  if ((stat.mode & OTHERS) !== 0) {
    const mode = (stat.mode & 0o777).toString(8)
    return warning(`${file} has mode ${mode}, so others can read it: chmod 600 ${file}`)
  }
  try {
    if (base64Key.read(readFileSync(file, 'utf8').trim())) return ok(`${file}, mode 600.`)
    return failed(`${file} is damaged: expected ${base64Key.expected}; restore its backup.`)
  } catch (error) {
    return unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): Check {
  const reason = error instanceof Error ? error.message : error
  return failed(`${file} cannot be read (${reason}): run this as the user of the server, or give this one the right.`)
}
