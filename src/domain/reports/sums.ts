/** What a report says: the sums of the figures that each session shows (REPORT-A3). Pure. */
import type { Session } from '../ports/sessions.ts'
import { roundCost } from '../sessions/figures/cost.ts'
import { durationOf } from '../sessions/figures/details.ts'
import { isTerminal } from '../sessions/states/transition.ts'

export interface ReportSum {
  readonly group: string
  sessions: number
  /** Of these not over yet: their figures are those of now. */
  running: number
  wattHours: number
  seconds: number
  /** Micro-units by currency. */
  readonly cost: Map<string, number>
}

export class ReportSums {
  readonly #groups = new Map<string, ReportSum>()
  readonly total: ReportSum = emptySum('')

  /** @param group as it is spelled first; cards are the same in any case. Empty: it has none */
  add(session: Session, group: string, now: number): void {
    const key = group.toLowerCase()
    const known = this.#groups.get(key) ?? emptySum(group)
    this.#groups.set(key, known)
    for (const sum of [known, this.total]) count(sum, session, now)
  }

  /** By name; what has none stands last. */
  groups(): readonly ReportSum[] {
    const rank = ({ group }: ReportSum): string => (group === '' ? '\u{10FFFF}' : group.toLowerCase())
    return [...this.#groups.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}

function emptySum(group: string): ReportSum {
  return { group, sessions: 0, running: 0, wattHours: 0, seconds: 0, cost: new Map() }
}

function count(sum: ReportSum, session: Session, now: number): void {
  sum.sessions++
  if (!isTerminal(session.state)) sum.running++
  sum.wattHours += Math.floor((session.energyMilliWh + 500) / 1000)
  sum.seconds += durationOf(session, now) ?? 0
  if (!session.cost) return
  const { micros, currency } = session.cost
  const shown = Math.round(roundCost(micros, currency) * 1_000_000)
  sum.cost.set(currency, (sum.cost.get(currency) ?? 0) + shown)
}
