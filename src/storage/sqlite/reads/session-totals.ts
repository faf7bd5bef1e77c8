/** Totals of sessions (CONSOLE-C4), a part of them at a time, so that others' queries come between (SEARCH-Q12). */
import type { Database } from 'better-sqlite3'
import type { SessionFilter, SessionTotals } from '../../../ports/storage.ts'
import { MINOR_UNITS } from '../../../sessions/figures/cost.ts'
import type { Steps } from '../../../threads/turns.ts'
import { BELOW, NEWEST_FIRST, sessionWhere } from './session-list.ts'
import { statementCache } from './statements.ts'

export type TotalSteps = {
  sumSessions(filter: SessionFilter, now: number, most?: number): Steps<SessionTotals>
}

/** A few milliseconds from the index that holds all figures, some more where the rows must be looked up. */
const ROWS_A_STEP = 4000

const ENDED = `state IN ('completed', 'failed')`
const RUNNING = `state NOT IN ('completed', 'failed')`

/** Every figure as it is shown: watt-hours half up, money half-even to the minor unit, whole seconds. */
const FIGURES = `SELECT created_at, id, currency, (energy_milli_wh + 500) / 1000 AS wattHours,
  CASE WHEN currency IS NULL THEN 0 ELSE ${roundedCost('cost_micros', minorUnit('currency'))} END AS micros,
  CASE WHEN started_at IS NULL THEN 0
    ELSE max(0, coalesce(stopped_at, CASE WHEN ${ENDED} THEN started_at ELSE @now END) - started_at) / 1000 END AS seconds`

interface Part {
  readonly sessions: number
  readonly wattHours: number | null
  readonly seconds: number | null
  readonly micros: number | null
  readonly currency: string | null
  readonly last: string | null
  /** The last row's position. */
  readonly belowAt: number | null
  readonly belowId: string | null
}

const SUMS = `count(*) AS sessions, sum(wattHours) AS wattHours, sum(seconds) AS seconds, sum(micros) AS micros`

export function totalSteps(db: Database): TotalSteps {
  const prepared = statementCache(db)
  return {
    *sumSessions(filter, now, most = Number.POSITIVE_INFINITY) {
      const sum = new Sum()
      if (filter.chargePointIds?.length === 0) return sum.totals(true)
      const add = (rows: string, values: object): Part => {
        const whole = prepared(`SELECT ${SUMS}, min(currency) AS currency, max(currency) AS last,
          min(created_at) AS belowAt FROM (${rows})`).get(values) as Part
        // Nearly all accounts have one currency, and grouping costs a sort.
        const parts = prepared(`SELECT ${SUMS}, currency FROM (${rows}) GROUP BY currency`)
        if (whole.currency === whole.last) sum.add(whole)
        else for (const part of parts.all(values) as Part[]) sum.add(part)
        return whole
      }
      const running = sessionWhere(filter, runningIndex(filter), [RUNNING])
      if (!isEnded(filter)) add(`${FIGURES} ${running.sql}`, { ...running.values, now })
      yield
      if (isRunning(filter)) return sum.totals(true)
      const ended = sessionWhere(filter, endedIndex(filter), [ENDED])
      const last = prepared(
        `SELECT created_at AS belowAt, id AS belowId ${ended.sql} AND ${BELOW} ${NEWEST_FIRST} LIMIT 1 OFFSET @skip`,
      )
      let position = { belowAt: Number.MAX_SAFE_INTEGER, belowId: '' }
      for (let counted = 0; ; counted += ROWS_A_STEP) {
        if (counted >= most) return sum.totals(last.get({ ...ended.values, ...position, skip: 0 }) === undefined)
        const values = { ...ended.values, ...position, now, limit: Math.min(ROWS_A_STEP, most - counted) }
        const { sessions } = add(`${FIGURES} ${ended.sql} AND ${BELOW} ${NEWEST_FIRST} LIMIT @limit`, values)
        if (sessions < ROWS_A_STEP && counted + sessions < most) return sum.totals(true)
        const { limit, now: _, ...where } = values
        position = last.get({ ...where, skip: limit - 1 }) as typeof position
        yield
      }
    },
  }
}

class Sum {
  #sessions = 0
  #wattHours = 0
  #seconds = 0
  readonly #cost = new Map<string, number>()

  add({ sessions, wattHours, seconds, micros, currency }: Part): void {
    this.#sessions += sessions
    this.#wattHours += wattHours ?? 0
    this.#seconds += seconds ?? 0
    if (currency !== null) this.#cost.set(currency, (this.#cost.get(currency) ?? 0) + (micros ?? 0))
  }

  totals(isWhole: boolean): SessionTotals {
    const cost = Array.from(this.#cost, ([currency, micros]) => ({ currency, micros }))
    return {
      sessions: this.#sessions,
      energyWh: this.#wattHours,
      durationSeconds: this.#seconds,
      cost: cost.sort((a, b) => (a.currency < b.currency ? -1 : 1)),
      isWhole,
    }
  }
}

function isEnded({ state }: SessionFilter): boolean {
  return state === 'completed' || state === 'failed'
}

function isRunning(filter: SessionFilter): boolean {
  return filter.state !== undefined && !isEnded(filter)
}

/** Few sessions run at once. */
function runningIndex({ chargePointIds, idToken, externalReference }: SessionFilter): string | undefined {
  const isNarrow = externalReference !== undefined || idToken !== undefined || chargePointIds?.length === 1
  return isNarrow ? undefined : 'sessions_open'
}

/** Where nothing narrower is asked for, the index that holds all that is summed. */
function endedIndex({ idToken, externalReference, chargePointIds }: SessionFilter): string | undefined {
  const isNarrow = externalReference !== undefined || idToken !== undefined || chargePointIds?.length === 1
  return isNarrow ? undefined : 'sessions_ended'
}

/** Micro-units of the minor unit of a currency, as an expression. */
function minorUnit(currency: string): string {
  const cases = MINOR_UNITS.map(([codes, micros]) => {
    const names = codes.map((code) => `'${code}'`).join(', ')
    return `WHEN ${currency} IN (${names}) THEN ${micros}`
  })
  return `CASE ${cases.join(' ')} ELSE 10000 END`
}

/** As `roundCost` does; costs are never negative. */
function roundedCost(micros: string, unit: string): string {
  const [whole, twice] = [`(${micros} / (${unit}))`, `(${micros} % (${unit}) * 2)`]
  return `(${whole} + (${twice} > (${unit}) OR (${twice} = (${unit}) AND ${whole} % 2 = 1))) * (${unit})`
}
