/** Removes unnamed files, uploads left by a crash (FIRMWARE-F3), and the oldest logs above the quota (FIRMWARE-D5). */
import { imageFile } from '../../domain/firmware/images.ts'
import { type CountedLog, type LogQuota, type LogRequest, logFile } from '../../domain/logs/records.ts'
import { type Periodic, periodically } from '../../domain/periodic.ts'
import type { Clock, Core, Log } from '../../domain/ports/core.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { type Files, isUnfinished } from '../../files/store.ts'

/** A file stands there before its record does. No upload takes longer than its address is valid. */
const YOUNG_MS = 30 * 3600_000
const PAUSE_MS = 3600_000
const FIRST_MS = 60_000

export function startFileSweep(parts: {
  readonly files: Files
  readonly reads: Pick<Reads, 'listRecords'>
  readonly core: Pick<Core, 'decideBlock'>
  readonly quota: Pick<LogQuota, 'count'>
  readonly clock: Clock
  readonly log: Log
}): Periodic {
  const { files, reads, core, quota, clock, log } = parts

  const logOf = async (name: string): Promise<LogRequest | undefined> => {
    const tokenHash = name.slice(LOG_PREFIX.length)
    return (await reads.listRecords('log_requests', { where: { tokenHash }, limit: 1 }))[0]
  }

  const allImages = async (): Promise<ReadonlySet<string>> => {
    const images = new Set<string>()
    for await (const page of recordPages(reads, 'firmware_images')) {
      for (const { id } of page) images.add(imageFile(id))
    }
    return images
  }

  const removeOldest = async (logs: readonly CountedLog[]): Promise<void> => {
    for (const { accountId, chargePointId, requestId } of quota.count(logs)) {
      if (sweeps.isStopped()) return
      await core.decideBlock({ accountId, chargePointId, input: { kind: 'logRemoved', requestId } })
      log.info({ chargePoint: chargePointId, log: requestId }, 'a log was removed: PILOTWIRE_LOG_QUOTA')
    }
  }

  const sweep = async (): Promise<void> => {
    const found = await files.list()
    const images = found.length > 0 ? await allImages() : new Set()
    const logs: CountedLog[] = []
    for (const { name, changedAt } of found) {
      if (sweeps.isStopped()) return
      if (images.has(name)) continue
      const isOld = clock.now() - changedAt > YOUNG_MS
      const isLog = name.startsWith(LOG_PREFIX) && !isUnfinished(name)
      const request = isLog ? await logOf(name) : undefined
      if (request?.file) logs.push({ ...request, ...request.file })
      // The record of a log is older than its file: without one the log was removed.
      else if (isOld || (isLog && !request)) await files.remove(name)
    }
    await removeOldest(logs)
  }

  const failed = (error: Error): void =>
    log.error({ error: error.message }, 'files without a record could not be removed')
  const sweeps = periodically({ clock, work: sweep, everyMs: PAUSE_MS, firstMs: FIRST_MS, failed })
  return sweeps
}

const LOG_PREFIX = logFile('')
