/** Reports that go out in pages: `seqNo` counts them, `tbc` says whether more follow. */
import type { Payload } from '../../src/ocpp/version.ts'
import type { CommandTarget } from '../commands/target.ts'
import { timestamp } from '../model/dialect.ts'
import { REPORT_CHUNK } from './device-model/standard.ts'

export interface Pages {
  readonly method: 'NotifyReport' | 'NotifyMonitoringReport'
  /** The member that holds the entries. */
  readonly member: 'reportData' | 'monitor'
  readonly requestId: number
  readonly entries: readonly Payload[]
}

const ENDLESS_PAUSE_SECONDS = 1

export function sendPages(target: CommandTarget, { method, member, requestId, entries }: Pages): void {
  const generatedAt = timestamp(target.clock.now())
  const isEndless = target.behaviour.endlessReports === true
  const page = (seqNo: number, data: readonly Payload[], tbc: boolean) =>
    target.notify({ method, request: { requestId, generatedAt, seqNo, tbc, [member]: data } })
  target.afterAnswer(async () => {
    let seqNo = 0
    for (let from = 0; from < entries.length; from += REPORT_CHUNK) {
      const more = from + REPORT_CHUNK < entries.length
      await page(seqNo++, entries.slice(from, from + REPORT_CHUNK), more || isEndless)
    }
    if (isEndless) goOn()
    function goOn(): void {
      const from = (seqNo * REPORT_CHUNK) % Math.max(1, entries.length)
      target.time.after(ENDLESS_PAUSE_SECONDS * 1000, async () => {
        await page(seqNo++, entries.slice(from, from + REPORT_CHUNK), true)
        goOn()
      })
    }
  })
}
