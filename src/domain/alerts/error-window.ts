/** How many messages of the last five minutes were answered with an error: differences of counters that only rise. */
import type { CoreStatistics } from '../ports/core.ts'

const WINDOW_MS = 5 * 60_000

type Counted = Pick<CoreStatistics, 'messages' | 'callErrors'>

interface ErrorWindow {
  /** @param at monotonic milliseconds */
  add(at: number, counted: Counted): { readonly messages: number; readonly errors: number }
}

export function errorWindow(): ErrorWindow {
  let samples: readonly (Counted & { readonly at: number })[] = []
  return {
    add(at, { messages, callErrors }) {
      // The newest one from before the window is where it begins.
      const begin = Math.max(
        0,
        samples.findLastIndex((sample) => sample.at <= at - WINDOW_MS),
      )
      samples = [...samples.slice(begin), { at, messages, callErrors }]
      const [first] = samples
      return { messages: messages - (first?.messages ?? 0), errors: callErrors - (first?.callErrors ?? 0) }
    },
  }
}
