/** Sizes of a database's files and disk, and the time of its last backup; uses names only, never opens the file. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isoTime } from '../../../domain/iso-time.ts'
import type { StorageFigures } from '../../../domain/ports/storage-figures.ts'

/** A marker beside the database for the server, which makes no backups itself. */
function markerOf(path: string): string {
  return `${path}.last-backup`
}

/** A time and its line end. A longer file is not ours: neither read nor written. */
const MARKER_BYTES = 25

function isForeign(marker: string): boolean {
  return existsSync(marker) && statSync(marker).size > MARKER_BYTES
}

export async function databaseFigures(path: string): Promise<StorageFigures> {
  const [databaseBytes, logBytes, disk] = await Promise.all([
    sizeOf(path),
    sizeOf(`${path}-wal`),
    statfs(dirname(path)),
  ])
  const lastBackupAt = backupTime(path)
  return {
    databaseBytes,
    logBytes,
    diskBytes: disk.blocks * disk.bsize,
    diskFreeBytes: disk.bavail * disk.bsize,
    lastBackupAt,
  }
}

/** Read access is enough for a backup; without write access beside it the age stays. */
export function noteBackup(path: string, at: number): void {
  if (isForeign(markerOf(path))) return
  try {
    writeFileSync(markerOf(path), `${isoTime(at)}\n`, { mode: 0o600 })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
  }
}

function backupTime(path: string): number | undefined {
  if (!existsSync(markerOf(path)) || isForeign(markerOf(path))) return undefined
  const at = Date.parse(readFileSync(markerOf(path), 'utf8').trim())
  return Number.isNaN(at) ? undefined : at
}

/** There is no log before the first commit. */
async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0
}
