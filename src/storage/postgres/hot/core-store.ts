/** The core's side of the port: its calls wait while the database is away. */

import type { Location } from '../../../domain/locations/records.ts'
import type { CoreStore } from '../../../domain/ports/storage.ts'
import type { LoadedChargePoint, LookedUp, Lookup } from '../../../domain/ports/storage-records.ts'
import { declarationOf } from '../../../domain/records/records.ts'
import { placesOf } from '../../../domain/tariffs/places.ts'
import { coreReads, numberReservation } from '../../cold/core.ts'
import { standingIn } from '../../cold/id-tokens.ts'
import { LOADED } from '../../cold/records.ts'
import { portOf, type Run } from '../../cold/work.ts'
import { DROPPED, OUT, PENDING } from '../../rows/command-row.ts'
import { gathered, type Pool, readingRun } from '../connection/pool.ts'
import type { Session as Connection } from '../connection/session.ts'
import { jsonToDatabase, toDatabase } from '../connection/text.ts'
import { postgresDialect } from '../dialect.ts'
import { ALIVE, FENCED, TAKES, type Takes } from '../functions/group.ts'
import { FUNCTIONS } from '../functions/names.ts'
import { newestLogId } from '../partitions.ts'
import {
  chargePointOf,
  connectorOf,
  idTokenOf,
  type Row,
  recordPutOf,
  sessionOf,
  tariffOf,
  transactionOf,
} from '../rows/read-rows.ts'
import type { Waiting } from './away.ts'
import { groupCommit } from './commit.ts'
import { CountedEnergy } from './counted-energy.ts'
import type { Node } from './node.ts'

/** Charge points that connect at about the same time, as after the end of a node, are taken over in one round trip. */
const TAKEN_AT_ONCE = 200

const LOCATIONS = declarationOf('locations')

interface LoadedRow {
  readonly n: number
  readonly charge_point: string
  /** Absent: owned by another node. */
  readonly epoch: number | null
  readonly loaded: {
    readonly chargePoint: Row
    readonly status: string | null
    readonly connectors: readonly Row[] | null
    readonly transactions: readonly Row[] | null
    readonly sessions: readonly Row[] | null
    readonly tariff: Row | null
    /** Of its EVSEs, and the tariffs that they may name. */
    readonly locations: readonly Row[] | null
    readonly named: readonly Row[] | null
    readonly account: Row
    readonly newest: number | null
    readonly records: Readonly<Record<string, readonly Row[] | null>>
  }
}

interface FoundRow {
  readonly n: number
  readonly transaction: Row | null
  readonly session: Row | null
  readonly token: Row | null
}

const owned = (chargePoint: string): string => `EXISTS (SELECT 1 FROM charge_point_owners AS o
  JOIN nodes AS n ON n.slot = o.slot AND n.incarnation = o.incarnation AND ${ALIVE}
  WHERE o.charge_point = ${chargePoint})`

/** An ended start or transaction without a successor that still has work. */
const OPEN = `SELECT id FROM charge_points WHERE id IN (
    SELECT charge_point_id FROM sessions WHERE state NOT IN ('completed', 'failed')
    UNION SELECT charge_point_id FROM sessions WHERE clock_waits = 1
    UNION SELECT charge_point_id FROM transactions WHERE open = 1) AND NOT ${owned('charge_points.id AND n.slot <> $1')} ORDER BY id`

/** A call with a record still waits, or the core finds out its outcome (OCPP-RP15). */
const DROP = `UPDATE commands SET status = ${DROPPED} WHERE status = ${PENDING} AND direction = ${OUT}
  AND NOT EXISTS (SELECT 1 FROM outgoing_calls AS call
    WHERE call.charge_point_id = (SELECT name FROM log_charge_points WHERE key = commands.charge_point)
      AND call.id = commands.id)
  AND NOT ${owned('(SELECT name FROM log_charge_points WHERE key = commands.charge_point)')}`

export interface PostgresCoreStore {
  readonly core: CoreStore
  /** Takes over ownership; undefined where this node had it already, or is not registered. */
  claim(chargePointId: string): Promise<LoadedChargePoint | undefined>
}

export function postgresCoreStore({
  node,
  pool,
  patiently,
  now,
  registrationsVersion,
}: {
  readonly node: Node
  readonly pool: Pool
  readonly patiently: Waiting['patiently']
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly registrationsVersion: () => number
}): PostgresCoreStore {
  const energy = new CountedEnergy()
  const reading = readingRun(pool)
  const run: Run = (work) => patiently(() => reading(work))
  const ask = <T>(work: (session: Connection) => Promise<T>): Promise<T> => patiently(() => pool.use(work))

  const loadAll = async (
    ids: readonly string[],
    takes: Takes = 'unconnected',
  ): Promise<readonly (LoadedChargePoint | undefined)[]> => {
    const { slot, incarnation } = await patiently(() => node.identity())
    const before = ids.map((id) => node.epochs.get(id))
    try {
      const { rows } = await ask((session) =>
        session.rows<LoadedRow>(`SELECT * FROM ${FUNCTIONS.take.name}($1, $2, $3, $4)`, [
          slot,
          incarnation,
          ids.map(toDatabase),
          TAKES[takes],
        ]),
      )
      const found: (LoadedChargePoint | undefined)[] = ids.map(() => undefined)
      for (const row of rows) {
        const loaded = loadedOf(row.loaded)
        found[row.n - 1] = row.epoch === null ? { ...loaded, isElsewhere: true } : loaded
        if (row.epoch === null) node.disown(row.charge_point, before[row.n - 1])
        else node.own(row.charge_point, row.epoch)
      }
      return found
    } catch (error) {
      if ((error as { readonly code?: string | undefined }).code !== FENCED) throw error
      node.forget()
      energy.forgetAll()
      return loadAll(ids, takes)
    }
  }
  const loadOne = gathered<string, LoadedChargePoint | undefined>((ids) => loadAll(ids), TAKEN_AT_ONCE)
  const loadedOf = (row: LoadedRow['loaded']): LoadedChargePoint => {
    const sessions = row.sessions ?? []
    for (const session of sessions) rememberEnergy(session)
    const records = LOADED.flatMap((declaration) =>
      (row.records[declaration.name] ?? []).map((one) => recordPutOf(declaration, one)),
    )
    const locations = (row.locations ?? []).map((one) => recordPutOf(LOCATIONS, one).put as Location)
    const places = placesOf(standingIn(records), locations, (row.named ?? []).map(tariffOf))
    return {
      chargePoint: chargePointOf(row.chargePoint),
      status: row.status === null ? {} : (JSON.parse(row.status) as LoadedChargePoint['status']),
      connectors: (row.connectors ?? []).map(connectorOf),
      transactions: (row.transactions ?? []).map(transactionOf),
      sessions: sessions.map(sessionOf),
      ...(row.tariff && { tariff: tariffOf(row.tariff) }),
      ...(places.length > 0 && { places }),
      accountName: row.account.name as string,
      ...(row.newest !== null && { newestCommandId: row.newest }),
      ...(row.account.automatic_settlement === 1 && { automaticSettlement: true as const }),
      records,
    }
  }
  const rememberEnergy = (session: Row): void =>
    energy.remember(session.id as string, {
      milliWh: session.energy_milli_wh as number,
      energyAt: session.energy_at as number | null,
      powerMilliW: session.power_milli_w as number | null,
    })

  const prefetch = async (lookups: readonly Lookup[]): Promise<readonly LookedUp[]> => {
    if (lookups.length === 0) return []
    const questions = jsonToDatabase(lookups.map(questionOf))
    const { rows } = await ask((session) =>
      session.rows<FoundRow>(`SELECT * FROM ${FUNCTIONS.lookUp.name}($1)`, [questions]),
    )
    return lookups.map((lookup, n) =>
      foundOf(
        lookup,
        rows.filter((row) => row.n === n),
      ),
    )
  }

  const core: CoreStore = {
    ...(portOf(coreReads(postgresDialect), () => run) as Pick<CoreStore, keyof ReturnType<typeof coreReads>>),
    lastCommandId: () => ask(newestLogId),
    reserveNumbers: numberReservation(run),
    loadChargePoints: async (ids, takes) => {
      const [first, ...others] = ids
      if (first === undefined) return []
      return others.length === 0 && takes === undefined ? [await loadOne(first)] : loadAll(ids, takes)
    },
    prefetch,
    async chargePointsWithOpenSessions() {
      const { slot } = await patiently(() => node.identity())
      return (await ask((session) => session.rows<{ id: string }>(OPEN, [slot]))).rows.map(({ id }) => id)
    },
    findSession: async (id) => (await prefetch([{ sessionId: id }]))[0]?.session,
    loadIdTokens: async (accountId, ids) => (await prefetch([{ accountId, idTokens: ids }]))[0]?.idTokens ?? [],
    commit: groupCommit({ node, pool, energy, patiently, now }),
    dropPendingCommands: async () => (await ask((session) => session.rows(DROP))).changes,
    registrationsVersion,
  }
  const claim = gathered<string, LoadedChargePoint | undefined>(async (asked) => {
    const ids = [...new Set(asked)]
    const before = ids.map((id) => node.epochs.get(id))
    const loaded = await loadAll(ids, 'all')
    const taken = new Map<string, LoadedChargePoint>()
    ids.forEach((id, index) => {
      const one = loaded[index]
      const isNew = before[index] === undefined || node.epochs.get(id) !== before[index]
      if (one && isNew) taken.set(id, one)
    })
    // For a duplicate in the list it is taken already.
    return asked.map((id) => {
      const one = taken.get(id)
      taken.delete(id)
      return one
    })
  }, TAKEN_AT_ONCE)
  return { core, claim }
}

function questionOf(lookup: Lookup, n: number): Row {
  if ('idTokens' in lookup) return { n, kind: 'tokens', cp: lookup.accountId, ids: lookup.idTokens }
  if ('sessionId' in lookup) return { n, kind: 'session', key: lookup.sessionId }
  const cp = lookup.chargePointId
  if ('newestAt' in lookup) return { n, kind: 'newest', cp, at: lookup.newestAt }
  if ('overdueStart' in lookup) {
    const sign = lookup.overdueStart
    return 'remoteStartId' in sign
      ? { n, kind: 'overdue number', cp, at: sign.remoteStartId }
      : { n, kind: 'overdue token', cp, key: sign.virtualIdToken }
  }
  const by = lookup.transaction
  return 'startKey' in by
    ? { n, kind: 'start', cp, key: by.startKey }
    : { n, kind: 'number', cp, key: by.transactionId }
}

function foundOf(lookup: Lookup, rows: readonly FoundRow[]): LookedUp {
  if ('idTokens' in lookup) return { idTokens: rows.flatMap(({ token }) => (token ? [idTokenOf(token)] : [])) }
  if ('transaction' in lookup || 'newestAt' in lookup) {
    const transactions = rows.flatMap(({ transaction, session }) =>
      transaction && session ? [{ transaction: transactionOf(transaction), session: sessionOf(session) }] : [],
    )
    return { transactions }
  }
  const session = rows[0]?.session
  return session ? { session: sessionOf(session) } : {}
}
