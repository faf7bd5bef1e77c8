/**
 * `npm run bench -- parsers`: the milliseconds behind OIDC-U9, parser by parser, for the text that takes each the
 * longest.
 */
import { type Cost, costOf } from './parsers/cost.ts'
import { parsers } from './parsers/parsers.ts'
import { jsonBodies, patterns } from './parsers/patterns.ts'

export interface ParserCost extends Cost {
  readonly parser: string
  readonly pattern: string
}

/** Dearest first. */
export async function measureParsers(): Promise<readonly ParserCost[]> {
  const costs: ParserCost[] = []
  for (const [parser, parse] of Object.entries(parsers)) {
    let dearest: ParserCost | undefined
    for (const [pattern, text] of Object.entries({ ...patterns, ...jsonBodies })) {
      const cost = await costOf(parse, text)
      if (!dearest || cost.whole > dearest.whole) dearest = { parser, pattern, half: cost.half, whole: cost.whole }
    }
    if (dearest) costs.push(dearest)
  }
  return costs.sort((a, b) => b.whole - a.whole)
}

export function parserTable(costs: readonly ParserCost[]): string {
  return costs
    .map(({ parser, pattern, half, whole }) => `${ms(whole)} ms (half: ${ms(half)})  ${parser}: ${pattern}`)
    .join('\n')
}

const ms = (value: number): string => value.toFixed(2).padStart(8)
