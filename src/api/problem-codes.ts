/** The codes of problems and their titles; `/docs` prints this table, so that each problem's `type` leads somewhere. */
import { STATUS_CODES } from 'node:http'
import TITLES from './problem-titles.json' with { type: 'json' }

export const PROBLEM_TITLES: Readonly<Record<string, string>> = TITLES

export function problemTitle(code: string, status: number): string {
  return PROBLEM_TITLES[code] ?? STATUS_CODES[status] ?? 'Problem'
}
