/** For tests: a database file of their own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function temporaryDatabase(): { readonly path: string; readonly remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'pilotwire-'))
  return {
    path: join(directory, 'data', 'pilotwire.db'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
