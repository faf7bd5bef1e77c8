/** Files that no record names any more, and uploads that a killed process left behind, are removed (FIRMWARE-F3). */
import { imageFile } from '../blocks/firmware/images/image-file.ts'
import { type Files, isUnfinished } from '../files/store.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Reads } from '../ports/storage.ts'

/** A file stands there before its record does. No upload takes longer than its address is valid. */
const YOUNG_MS = 30 * 3600_000
const PAUSE_MS = 3600_000

export function startFileSweep(parts: {
  readonly files: Files
  readonly reads: Pick<Reads, 'listRecords'>
  readonly clock: Clock
  readonly log: Log
}): { stop(): void } {
  const { files, reads, clock, log } = parts
  let isStopped = false

  const isNamed = async (name: string, images: ReadonlySet<string>): Promise<boolean> => {
    if (isUnfinished(name)) return false
    if (images.has(name)) return true
    const tokenHash = name.replace(/^log-/, '')
    const [log] = await reads.listRecords('log_requests', { where: { tokenHash }, limit: 1 })
    return log?.file !== undefined
  }

  const sweep = async (): Promise<void> => {
    const found = await files.list()
    const old = found.filter(({ changedAt }) => clock.now() - changedAt > YOUNG_MS)
    if (old.length === 0) return
    const images = new Set<string>()
    for (let after: { readonly accountId: string; readonly id: string } | undefined; ; ) {
      const page = await reads.listRecords('firmware_images', { limit: PAGE, ...(after && { after }) })
      for (const { id } of page) images.add(imageFile(id))
      after = page.at(-1)
      if (page.length < PAGE) break
    }
    for (const { name } of old) {
      if (isStopped) return
      if (!(await isNamed(name, images))) await files.remove(name)
    }
  }

  let cancel = (): void => undefined
  const later = (ms: number): void => {
    if (isStopped) return
    cancel = clock.after(ms, () => {
      sweep()
        .catch((error: Error) => log.error({ error: error.message }, 'files without a record could not be removed'))
        .finally(() => later(PAUSE_MS))
    })
  }
  later(60_000)
  return {
    stop() {
      isStopped = true
      cancel()
    },
  }
}

const PAGE = 500
