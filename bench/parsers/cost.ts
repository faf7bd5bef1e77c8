/** What a parser costs for texts of one pattern, and how that grows with the text (OIDC-U9). */

/** API-B5: no body is longer. */
export const LENGTH = 64 * 1024

export interface Cost {
  /** Milliseconds of CPU time for half the text, and for the whole of it: the cheapest of some runs. */
  readonly half: number
  readonly whole: number
}

export async function costOf(parse: (text: string) => unknown, pattern: (length: number) => string): Promise<Cost> {
  return { half: await cheapest(parse, pattern(LENGTH / 2)), whole: await cheapest(parse, pattern(LENGTH)) }
}

const RUNS = 5
/** Further runs are made only while they could say something else. */
const CHEAP_MS = 2
const HOPELESS_MS = 500

/** CPU time and not time: a machine that does other things besides makes everything slow. */
async function cheapest(parse: (text: string) => unknown, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    try {
      await parse(text)
    } catch {
      // A refusal is an answer.
    }
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
    if (best < CHEAP_MS || best > HOPELESS_MS) break
  }
  return best
}
