import { existsSync } from 'node:fs'
import { databasePath, isPostgres } from '../../config/database-path.ts'
import { readSettings, readTextFile } from '../../config/read-settings.ts'
import { secretKeyFile } from '../../config/secret-key.ts'
import { ConfigurationError } from '../../config/setting.ts'
import { settingRows } from '../../config/settings.ts'
import type { CliContext } from './cli-context.ts'
import { commandGroup, type Listed } from './declare.ts'
import type { Printable } from './output/print.ts'

export const register = commandGroup('config', 'the settings in force', [
  {
    usage: 'print',
    does: 'print every setting with its value and where it comes from; secrets stay hidden',
    examples: ['pilotwire config print', 'PILOTWIRE_PORT=9000 pilotwire config print --json'],
    run: print,
  },
])

async function print(context: CliContext): Promise<Listed> {
  const { settings, faults, warnings, origins } = readSettings(context.environment, readTextFile)
  if (!settings) throw new ConfigurationError(faults, warnings)
  for (const warning of warnings) context.note(`warning: ${warning}`)
  const rows = settingRows.map(([member, setting]): Printable => {
    const value = settings[member]
    const shown = value !== undefined && { value: setting.secret ? '(hidden)' : setting.show(value) }
    if (member === 'secretKey' && value === undefined) return keyRow(setting.name, settings.databaseUrl)
    return { name: setting.name, ...shown, origin: origins[member] ?? 'default' }
  })
  return { rows, columns: ['name', 'value', 'origin'] }
}

function keyRow(name: string, databaseUrl: string): Printable {
  if (isPostgres(databaseUrl)) return { name, origin: 'missing: all nodes of a PostgreSQL database need the same one' }
  const file = secretKeyFile(databasePath(databaseUrl))
  if (existsSync(file)) return { name, value: '(hidden)', origin: `${file}, generated at the first start` }
  const isNew = !existsSync(databasePath(databaseUrl))
  return { name, origin: isNew ? `the first start will generate it into ${file}` : `missing: it was kept in ${file}` }
}
