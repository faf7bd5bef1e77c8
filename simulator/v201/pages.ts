/** Reports that go out in pages: `seqNo` counts them, `tbc` says whether more follow. */
import type { CommandTarget } from '../commands/target.ts'
import type { Call } from '../model/facts.ts'

const ENDLESS_PAUSE_SECONDS = 1

type PageOf<T> = (entries: readonly T[], seqNo: number, tbc: boolean) => Call

export function sendPages<T>(target: CommandTarget, entries: readonly T[], perPage: number, page: PageOf<T>): void {
  const isEndless = target.behaviour.endlessReports === true
  target.afterAnswer(async () => {
    let seqNo = 0
    for (let from = 0; from < entries.length; from += perPage) {
      const more = from + perPage < entries.length
      await target.notify(page(entries.slice(from, from + perPage), seqNo++, more || isEndless))
    }
    if (isEndless) goOn()
    function goOn(): void {
      const from = (seqNo * perPage) % Math.max(1, entries.length)
      target.time.after(ENDLESS_PAUSE_SECONDS * 1000, async () => {
        await target.notify(page(entries.slice(from, from + perPage), seqNo++, true))
        goOn()
      })
    }
  })
}
