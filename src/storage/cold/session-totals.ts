/** Totals of sessions (CONSOLE-C4), in parts, so that others' queries come between (SEARCH-Q12). */

import type { Reads } from '../../domain/ports/storage.ts'
import type { SessionFilter, SessionTotals } from '../../domain/ports/storage-queries.ts'
import { MINOR_UNITS } from '../../domain/sessions/figures/cost.ts'
import { BY_CREATION, BY_START, ENDED, isEnded, isNarrow, isRunning, RUNNING, sessionWhere } from './sessions.ts'
import { all, type Dialect, first, type Operations, type Values, type Work } from './work.ts'

/** A few milliseconds from the covering index, some more where the rows must be looked up. */
const ROWS_A_STEP = 4000

/** Micro-units: a hundredth, as nearly all currencies have. */
const DEFAULT_UNIT = 10_000

/** Rounded as shown: watt-hours half up, money half-even to the minor unit, whole seconds. */
const figures = ({ greatest }: Dialect): string => `SELECT currency, (energy_milli_wh + 500) / 1000 AS watt_hours,
  ${roundedCost('cost_micros', 'currency')} AS micros, CASE WHEN started_at IS NULL THEN 0
    ELSE ${greatest('0', LASTED)} / 1000 END AS seconds`
const LASTED = `coalesce(stopped_at, CASE WHEN ${ENDED} THEN started_at ELSE @now END) - started_at`

interface Part {
  readonly sessions: number
  readonly wattHours: number | null
  readonly seconds: number | null
  readonly micros: number | null
  readonly currency: string | null
}

interface Whole extends Part {
  readonly last: string | null
}

const SUMS = `count(*) AS "sessions", CAST(sum(watt_hours) AS bigint) AS "wattHours",
  CAST(sum(seconds) AS bigint) AS "seconds", CAST(sum(micros) AS bigint) AS "micros"`

/** Up to this many are looked up one by one in their own index; more are a part of the account's. */
const MAX_ONE_BY_ONE = 200

export function totalReads(dialect: Dialect): Operations<Pick<Reads, 'sumSessions'>> {
  const selected = figures(dialect)

  /** Nearly all accounts have one currency, and grouping costs a sort. */
  function* add(sum: Sum, rows: string, values: Values): Work<number> {
    const bounds = 'min(currency) AS "currency", max(currency) AS "last"'
    const whole = yield* first<Whole>(`SELECT ${SUMS}, ${bounds} FROM (${rows}) AS part`, values)
    if (!whole) return 0
    if (whole.currency === whole.last) sum.add(whole)
    else {
      const parts = `SELECT ${SUMS}, currency AS "currency" FROM (${rows}) AS part GROUP BY currency`
      for (const part of yield* all<Part>(parts, values)) sum.add(part)
    }
    return whole.sessions
  }

  function* running(sum: Sum, filter: SessionFilter, now: number): Work<void> {
    const { sql, values } = sessionWhere(dialect, filter, isNarrow(filter) ? undefined : 'sessions_open', [RUNNING])
    yield* add(sum, `${selected} ${sql}`, { ...values, now })
  }

  function* ended(sum: Sum, filter: SessionFilter, now: number, most: number): Work<number> {
    const index = endedIndex(filter)
    const { at, below: isBelow, newestFirst } = index === 'sessions_begun' ? BY_START : BY_CREATION
    const { sql, values } = sessionWhere(dialect, filter, index, [ENDED])
    const rows = `${sql} AND ${isBelow} ${newestFirst} LIMIT`
    const position = `SELECT ${at} AS "belowAt", id AS "belowId" ${rows} 1 OFFSET @skip`
    let below = { belowAt: Number.MAX_SAFE_INTEGER, belowId: '' }
    for (let counted = 0; ; ) {
      const limit = Math.min(ROWS_A_STEP, most - counted)
      const found = limit > 0 ? yield* add(sum, `${selected} ${rows} @limit`, { ...values, ...below, now, limit }) : 0
      counted += found
      if (found < ROWS_A_STEP) return counted
      below = (yield* first<typeof below>(position, { ...values, ...below, skip: limit - 1 })) ?? below
    }
  }

  function* some(sum: Sum, filter: SessionFilter, now: number, most: number): Work<number> {
    if (!isEnded(filter)) yield* running(sum, filter, now)
    return isRunning(filter) ? 0 : yield* ended(sum, filter, now, most)
  }

  return {
    *sumSessions(filter, now, most = Number.POSITIVE_INFINITY) {
      const sum = new Sum()
      let left = most + 1
      for (const part of inParts(filter)) left -= yield* some(sum, part, now, left)
      return sum.totals(left > 0)
    },
  }
}

function inParts(filter: SessionFilter): readonly SessionFilter[] {
  const { chargePointIds } = filter
  if (!chargePointIds || chargePointIds.length > MAX_ONE_BY_ONE) return [filter]
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

function endedIndex(filter: SessionFilter): string | undefined {
  const { startedFrom, startedTo } = filter
  if (!isNarrow(filter) && (startedFrom !== undefined || startedTo !== undefined)) return 'sessions_begun'
  return isNarrow(filter) || filter.state === 'failed' ? undefined : 'sessions_ended'
}

/** As `roundCost` does, to the minor unit of each currency; costs are never negative. */
function roundedCost(micros: string, currency: string): string {
  const cases = MINOR_UNITS.map(([codes, unit]) => {
    const names = codes.map((code) => `'${code}'`).join(', ')
    return `WHEN ${currency} IN (${names}) THEN ${roundedTo(micros, unit)}`
  })
  return `CASE WHEN ${currency} IS NULL THEN 0 ${cases.join(' ')} ELSE ${roundedTo(micros, DEFAULT_UNIT)} END`
}

/** Half-even. */
function roundedTo(micros: string, unit: number): string {
  const [whole, twice] = [`(${micros} / ${unit})`, `(${micros} % ${unit} * 2)`]
  const up = `CASE WHEN ${twice} > ${unit} OR (${twice} = ${unit} AND ${whole} % 2 = 1) THEN 1 ELSE 0 END`
  return `(${whole} + ${up}) * ${unit}`
}
