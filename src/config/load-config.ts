/** Environment -> Config; the key file is read, or made on the first start. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import { databasePath } from './database-path.ts'
import { type Environment, type ReadText, readSettings } from './read-settings.ts'
import { readOrCreateSecretKey } from './secret-key.ts'
import { ConfigurationError } from './setting.ts'

/** From the disk, as UTF-8. */
export const readTextFile: ReadText = (path) => readFileSync(path, 'utf8')

/** @throws ConfigurationError with every fault at once */
export function loadConfig(
  environment: Environment,
  random: (bytes: number) => Buffer = randomBytes,
  readText: ReadText = readTextFile,
): { readonly config: Config; readonly warnings: readonly string[] } {
  const { settings, faults, warnings } = readSettings(environment, readText)
  if (!settings) throw new ConfigurationError(faults, warnings)
  const secretKey = settings.secretKey ?? readOrCreateSecretKey(databasePath(settings.databaseUrl), random)
  return { config: { ...settings, secretKey }, warnings }
}
