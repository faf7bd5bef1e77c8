/** When a charge point was online, read out of its history (CONSOLE-F8). Pure. */
import type { HistoryEntry } from '../../domain/timeline/records.ts'

export type Spans = readonly (readonly [from: number, to: number])[]

/** @param entries oldest first @param isOnline now: what it was before the first entry follows from that entry */
export function onlineSpans(
  entries: readonly Pick<HistoryEntry, 'kind' | 'at'>[],
  { from, to, isOnline }: { readonly from: number; readonly to: number; readonly isOnline: boolean },
): Spans {
  const turns = entries.filter(
    ({ kind, at }) => (kind === 'connected' || kind === 'disconnected') && at >= from && at <= to,
  )
  const spans: (readonly [number, number])[] = []
  let since = (turns[0] ? turns[0].kind === 'disconnected' : isOnline) ? from : undefined
  for (const { kind, at } of turns) {
    if (kind === 'connected') since ??= at
    else if (since !== undefined) {
      if (at > since) spans.push([since, at])
      since = undefined
    }
  }
  if (since !== undefined && to > since) spans.push([since, to])
  return spans
}

/** In per cent of the time; undefined where there is none. */
export function shareOf(spans: Spans, from: number, to: number): number | undefined {
  return to > from ? (spans.reduce((sum, [begin, end]) => sum + end - begin, 0) / (to - from)) * 100 : undefined
}
