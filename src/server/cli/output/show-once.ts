/** SERVER-C4: what is printed is often kept, so first-start secrets go to a terminal or to a file of the owner. */
import { fstatSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../../config/config.ts'
import { databasePath } from '../../../config/database-path.ts'
import { isLoopbackHost } from '../../../config/setting-kinds.ts'
import type { CliContext } from '../cli-context.ts'

export type SecretTarget = 'print' | 'file'

export function placeOfSecrets(
  config: Pick<Config, 'mode' | 'host'>,
  context: Pick<CliContext, 'environment' | 'outputTerminal'>,
): SecretTarget {
  if (context.outputTerminal) return 'print'
  const triedOut = config.mode === 'development' && isLoopbackHost(config.host)
  return triedOut && !isJournal(context.environment.JOURNAL_STREAM) ? 'print' : 'file'
}

export function firstStartFile({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  // With a database elsewhere: where the server was started.
  return databaseUrl.startsWith('file:') ? `${databasePath(databaseUrl)}.first-start` : resolve('pilotwire.first-start')
}

/** For its owner alone; one of an earlier database is replaced. */
export function keepForOwner(file: string, lines: readonly string[]): void {
  rmSync(file, { force: true })
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
}

/** systemd names the journal's socket by device and inode (systemd.exec(5)), because the variable is inherited. */
function isJournal(stream: string | undefined): boolean {
  if (stream === undefined) return false
  const { dev, ino } = fstatSync(1, { bigint: true })
  return stream === `${dev}:${ino}`
}
