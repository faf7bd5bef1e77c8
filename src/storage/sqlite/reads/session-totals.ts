/** Totals of sessions (CONSOLE-C4), a part of them at a time, so that others' queries come between (SEARCH-Q12). */
import type { Database } from 'better-sqlite3'
import type { SessionFilter, SessionTotals } from '../../../ports/storage.ts'
import { MINOR_UNITS } from '../../../sessions/figures/cost.ts'
import type { Steps } from '../../../threads/turns.ts'
import { BELOW, ENDED, NEWEST_FIRST, RUNNING, sessionWhere } from './session-list.ts'
import { statementCache } from './statements.ts'

export type TotalSteps = {
  sumSessions(filter: SessionFilter, now: number, most?: number): Steps<SessionTotals>
}

/** A few milliseconds from the index that holds all figures, some more where the rows must be looked up. */
const ROWS_A_STEP = 4000

/** Micro-units: a hundredth, as nearly all currencies have. */
const USUAL_UNIT = 10_000

/** Every figure as it is shown: watt-hours half up, money half-even to the minor unit, whole seconds. */
const FIGURES = `SELECT currency, (energy_milli_wh + 500) / 1000 AS wattHours,
  ${roundedCost('cost_micros', 'currency')} AS micros,
  CASE WHEN started_at IS NULL THEN 0
    ELSE max(0, coalesce(stopped_at, CASE WHEN ${ENDED} THEN started_at ELSE @now END) - started_at) / 1000 END AS seconds`

interface Part {
  readonly sessions: number
  readonly wattHours: number | null
  readonly seconds: number | null
  readonly micros: number | null
  readonly currency: string | null
}

const SUMS = `count(*) AS sessions, sum(wattHours) AS wattHours, sum(seconds) AS seconds, sum(micros) AS micros`

/** As many are looked up one by one in their own index; the sessions of more are a part of the account's. */
const MOST_ONE_BY_ONE = 200

export function totalSteps(db: Database): TotalSteps {
  const prepared = statementCache(db)

  /** Nearly all accounts have one currency, and grouping costs a sort. */
  const add = (sum: Sum, rows: string, values: object): number => {
    const bounds = 'min(currency) AS currency, max(currency) AS last'
    const whole = prepared(`SELECT ${SUMS}, ${bounds} FROM (${rows})`).get(values) as Part & { last: string | null }
    const parts = prepared(`SELECT ${SUMS}, currency FROM (${rows}) GROUP BY currency`)
    if (whole.currency === whole.last) sum.add(whole)
    else for (const part of parts.all(values) as Part[]) sum.add(part)
    return whole.sessions
  }

  function* running(sum: Sum, filter: SessionFilter, now: number): Steps<void> {
    const { sql, values } = sessionWhere(filter, isNarrow(filter) ? undefined : 'sessions_open', [RUNNING])
    add(sum, `${FIGURES} ${sql}`, { ...values, now })
    yield
  }

  /** @returns how many, `most` at most */
  function* ended(sum: Sum, filter: SessionFilter, now: number, most: number): Steps<number> {
    const { sql, values } = sessionWhere(filter, endedIndex(filter), [ENDED])
    const rows = `${sql} AND ${BELOW} ${NEWEST_FIRST} LIMIT`
    const position = prepared(`SELECT created_at AS belowAt, id AS belowId ${rows} 1 OFFSET @skip`)
    let below = { belowAt: Number.MAX_SAFE_INTEGER, belowId: '' }
    for (let counted = 0; ; ) {
      const limit = Math.min(ROWS_A_STEP, most - counted)
      const found = limit > 0 ? add(sum, `${FIGURES} ${rows} @limit`, { ...values, ...below, now, limit }) : 0
      counted += found
      if (found < ROWS_A_STEP) return counted
      below = position.get({ ...values, ...below, skip: limit - 1 }) as typeof below
      yield
    }
  }

  function* some(sum: Sum, filter: SessionFilter, now: number, most: number): Steps<number> {
    if (!isEnded(filter)) yield* running(sum, filter, now)
    return isRunning(filter) ? 0 : yield* ended(sum, filter, now, most)
  }

  return {
    *sumSessions(filter, now, most = Number.POSITIVE_INFINITY) {
      const sum = new Sum()
      // One more tells whether there are more.
      let left = most + 1
      for (const part of inParts(filter)) left -= yield* some(sum, part, now, left)
      return sum.totals(left > 0)
    },
  }
}

function inParts(filter: SessionFilter): readonly SessionFilter[] {
  const { chargePointIds } = filter
  if (!chargePointIds || chargePointIds.length > MOST_ONE_BY_ONE) return [filter]
  return [...new Set(chargePointIds)].map((id) => ({ ...filter, chargePointIds: [id] }))
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
  return filter.running === true || (filter.state !== undefined && !isEnded(filter))
}

/** It has an index that leaves few rows. */
function isNarrow({ chargePointIds, idToken, externalReference }: SessionFilter): boolean {
  return externalReference !== undefined || idToken !== undefined || chargePointIds?.length === 1
}

/** Where most of them are wanted, the one that holds all that is summed. */
function endedIndex(filter: SessionFilter): string | undefined {
  return isNarrow(filter) || filter.state === 'failed' ? undefined : 'sessions_ended'
}

/** As `roundCost` does, to the minor unit of each currency; costs are never negative. */
function roundedCost(micros: string, currency: string): string {
  const cases = MINOR_UNITS.map(([codes, unit]) => {
    const names = codes.map((code) => `'${code}'`).join(', ')
    return `WHEN ${currency} IN (${names}) THEN ${roundedTo(micros, unit)}`
  })
  return `CASE WHEN ${currency} IS NULL THEN 0 ${cases.join(' ')} ELSE ${roundedTo(micros, USUAL_UNIT)} END`
}

/** Half-even. */
function roundedTo(micros: string, unit: number): string {
  const [whole, twice] = [`(${micros} / ${unit})`, `(${micros} % ${unit} * 2)`]
  return `(${whole} + (${twice} > ${unit} OR (${twice} = ${unit} AND ${whole} % 2 = 1))) * ${unit}`
}
