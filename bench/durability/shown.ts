/**
 * What two databases show of the same messages: every row of every table, but for what another process must make anew
 * (ids by chance) or reads from its own clock a moment earlier or later.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3'

/** Of the server and its users, not of what stations said. */
const NOT_OF_STATIONS = ['journal', 'meta', 'users', 'credentials', 'audit_events', 'sqlite_sequence']

/** Numbers that the log has in place of words. */
const DICTIONARIES = { charge_point: 'log_charge_points', method: 'log_methods', protocol: 'log_protocols' }

/**
 * Read from the server's clock: when a message arrived, or what was decided was written, is in no log. The rows of the
 * log have the time of the decision, and what is made of that is compared to the millisecond. From when on energy is
 * counted depends on what was put in place together, and so does where it falls at the turn of a quarter of an hour.
 */
const OF_OWN_CLOCK = new Set([
  'charge_point_statuses.document.lastSeenAt',
  'connection_history.at',
  'device_models.report_due_at',
  'energy_slots.milli_wh',
  'events.body.at',
  'events.time',
  'model_quirks.at',
  'outgoing_calls.sent_at',
  'reports.asked_at',
  'reports.created_at',
  'reports.heard_at',
  'reports.updated_at',
  'sessions.energy_at',
  'sessions.facts.figuresDueAt',
  'sessions.facts.figuresSentAt',
  'sessions.facts.lastEventAt',
  'timeline_folds.at',
  'timeline_folds.openSince',
  'timeline_folds.since',
  'transactions.document.startedAt.receivedAt',
  'transactions.document.stoppedAt.receivedAt',
])
/** A station waits no longer for its turn under the load of this bench; in milliwatt-hours less than one sample. */
const TOLERANCE = 10_000

/** A status that was left and came back between two flushes has been there since the first time, or since the last. */
const OF_FLUSHES = new Set(['connectors.since'])

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

interface Shown {
  /** Rows that are the same but for times: those times, of each row, in order. */
  readonly rows: ReadonlyMap<string, number[][]>
  readonly count: number
}

export interface Compared {
  readonly rows: number
  /** A row of one that the other has not, each as a line of text. */
  readonly differences: readonly string[]
}

export function compareShown(file: string, twin: string): Compared {
  const [ours, theirs] = [readShown(file), readShown(twin)]
  return { rows: ours.count, differences: [...without(ours, theirs, '-'), ...without(theirs, ours, '+')] }
}

function without({ rows }: Shown, others: Shown, sign: string): readonly string[] {
  return [...rows].flatMap(([row, times]) => {
    const other = others.rows.get(row) ?? []
    return times
      .filter((one, at) => !one.every((time, nth) => Math.abs(time - (other[at]?.[nth] ?? 0)) <= TOLERANCE))
      .concat(times.slice(other.length).filter((one) => one.length === 0))
      .map(() => `${sign} ${row}`)
  })
}

function readShown(file: string): Shown {
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    const names = namesOf(db)
    const rows = new Map<string, number[][]>()
    let count = 0
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck()
    for (const table of tables.all()) {
      if (NOT_OF_STATIONS.includes(table) || Object.values<string>(DICTIONARIES).includes(table)) continue
      for (const row of db.prepare<[], object>(`SELECT * FROM "${table}"`).all()) {
        const times: number[] = []
        const text = `${table} ${JSON.stringify(named(row, table, names, times))}`
        const known = rows.get(text)
        if (known) known.push(times)
        else rows.set(text, [times])
        count++
      }
    }
    for (const same of rows.values()) same.sort(([one = 0], [other = 0]) => one - other)
    return { rows, count }
  } finally {
    db.close()
  }
}

type Names = ReadonlyMap<string | number, string>

/** What ids of the log and of sessions stand for in both databases. */
function namesOf(db: Database): Names {
  const names = new Map<string | number, string>()
  const put = db
    .prepare<[], { id: string | number; name: string }>(
      `SELECT id, name || ' ' || direction || ' ' || row_number() OVER (PARTITION BY name, direction ORDER BY id) || ' '
          || iif(direction = 0, message_id, method) AS name
        FROM commands JOIN log_charge_points ON key = charge_point
      UNION ALL SELECT id, charge_point_id || ' ' || kind || ' '
          || row_number() OVER (PARTITION BY charge_point_id, kind ORDER BY id)
        FROM connection_history WHERE kind IN ('connected', 'disconnected')
      UNION ALL SELECT id, charge_point_id || ' session ' || row_number() OVER (PARTITION BY charge_point_id ORDER BY id)
        FROM sessions`,
    )
    .all()
  for (const { id, name } of put) names.set(id, name)
  for (const [column, table] of Object.entries(DICTIONARIES))
    for (const { key, name } of db.prepare<[], { key: number; name: string }>(`SELECT key, name FROM ${table}`).all())
      names.set(`${column} ${key}`, name)
  return names
}

/** The same value with names in place of ids, members in the order of their names, and times set aside. */
function named(value: unknown, path: string, names: Names, times: number[]): unknown {
  if (OF_FLUSHES.has(path)) return undefined
  if (OF_OWN_CLOCK.has(path)) {
    if (typeof value === 'number' || typeof value === 'string') times.push(new Date(value).getTime())
    return typeof value
  }
  if (typeof value === 'string') {
    const json = /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : undefined
    if (json !== undefined) return named(json, path, names, times)
    return value.replaceAll(UUID, (id) => names.get(id) ?? 'by chance')
  }
  if (typeof value === 'number') {
    const [, column] = /^commands(?:_search)?\.(\w+)$/.exec(path) ?? []
    return names.get(value) ?? names.get(`${column} ${value}`) ?? value
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => named(one, path, names, times))
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, one]) => [name, named(one, `${path}.${name}`, names, times)]))
}
