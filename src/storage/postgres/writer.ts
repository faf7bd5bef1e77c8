import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Writes } from '../../domain/ports/storage.ts'
import type { AuditEvent } from '../../domain/ports/storage-oidc.ts'
import { coldWrites } from '../cold/cold-port.ts'
import { change, type RunOf } from '../cold/work.ts'
import type { Placing, WriterOptions, WritingSide } from '../database.ts'
import { changesRegistrations, withFailures } from '../operations.ts'
import { DatabaseRefused } from '../storage-error.ts'
import { type PostgresAddress, storageError } from './connection/address.ts'
import { type After, carryOut, createPool, gathered, line, type Pool, repeat, writingRun } from './connection/pool.ts'
import type { Session } from './connection/session.ts'
import { jsonToDatabase, toDatabase } from './connection/text.ts'
import { postgresDialect } from './dialect.ts'
import { createWaiting } from './hot/away.ts'
import { postgresCoreStore } from './hot/core-store.ts'
import { Node } from './hot/node.ts'
import { nodeOwnership } from './hot/ownership.ts'
import { retentionWrites } from './log/retention.ts'
import { logSalt, migrate, requireWhole } from './migrate.ts'
import { createOtherNodes } from './nodes/other-nodes.ts'
import { makePartitions } from './partitions.ts'

const CONNECTIONS = 6
const BEAT_MS = 3_000
const PARTITIONS_MS = 3_600_000

/** Commits are visible to readers at once. */
const NOTHING_TO_PLACE: Placing = {
  waiting: () => 0,
  all: async () => undefined,
  ofChargePoint: async () => undefined,
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

export async function openPostgres(
  address: PostgresAddress,
  { log, node: named }: WriterOptions = {},
  now = (): number => Date.now(),
): Promise<WritingSide & { readonly close: () => Promise<void> }> {
  const { shown } = address
  const pool = createPool(address, CONNECTIONS)
  const waiting = createWaiting(pause, log, shown)
  const failure = (error: unknown): Error => storageError(error, shown)
  try {
    const salt = await waiting.patiently(() => prepare(pool, address, { now: now(), pause, log }))
    const registrations = watchRegistrations(pool, `${hostname()} ${process.pid} ${randomUUID()}`, after)
    const node = new Node(address, pool, named ?? { name: '', version: '' }, pause)
    const { core, claim } = postgresCoreStore({
      node,
      pool,
      patiently: waiting.patiently,
      now,
      registrationsVersion: registrations.version,
    })
    const first = named && (await waiting.patiently(() => node.identity()))
    const ownership = first && nodeOwnership({ node, pool, claim, now, after, log }, first)
    await ownership?.look()
    const stopBeating = ownership
      ? () => ownership.stop()
      : repeat(after, BEAT_MS, async () => {
          if (!(await node.beat(0, 'live'))) node.forget()
        })
    const otherNodes = createOtherNodes(address, node, after)
    const stopPartitions = repeat(after, PARTITIONS_MS, () => pool.use((session) => makePartitions(session, now())))
    return {
      core: withFailures(core, failure),
      writes: withFailures(writesOf(pool, registrations), failure),
      placing: NOTHING_TO_PLACE,
      otherNodes,
      salt,
      ownership,
      close: async () => {
        waiting.close()
        registrations.close()
        stopBeating()
        stopPartitions()
        await otherNodes.close()
        await node.close()
        await pool.close()
      },
    }
  } catch (error) {
    await pool.close()
    throw failure(error)
  }
}

/** Two concurrent connections are two sessions, unless a pooler between shares one of them. */
async function prepare(
  pool: Pool,
  address: PostgresAddress,
  migrating: Parameters<typeof migrate>[2],
): Promise<bigint> {
  return pool.use(async (session) => {
    const pid = await backend(session)
    const other = await pool.use(async (second) => ({ pid: await backend(second), atFirst: second.pid }))
    if (pid === other.pid || pid !== session.pid || other.pid !== other.atFirst) {
      throw new DatabaseRefused(
        `${address.shown}: there is a pooler in transaction mode between, which loses session settings: connect to the server itself, or to a pooler in session mode.`,
      )
    }
    await requireWhole(session, address.shown)
    await migrate(session, address.shown, migrating)
    return logSalt(session, address.shown)
  })
}

async function backend(session: Session): Promise<number | undefined> {
  return session.value<number>('SELECT pg_backend_pid()')
}

function writesOf(pool: Pool, registrations: RegistrationWatch): Writes {
  const runOf = writeRuns(pool, pause, registrations.count)
  return { ...coldWrites(postgresDialect, runOf), ...orderRecords(pool), ...retentionWrites(pool) }
}

/** These take their own lock first, and must see earlier work (HOOK-F8, SERVER-C6). */
const LOCKED: ReadonlySet<string> = new Set(['claimDeliveries', 'createFirstAccount'])

/** @param count runs in the transaction of each change of registrations */
export function writeRuns(pool: Pool, waits: typeof pause, count: (session: Session) => Promise<void>): RunOf {
  const [inLine, registrationsInLine] = [line(), line()]
  const isolation = 'each statement sees what is stored'
  const run = writingRun(pool, waits, inLine)
  const locked = writingRun(pool, waits, inLine, { isolation })
  // All of them change one row.
  const counted = writingRun(pool, waits, registrationsInLine, { also: count, isInLine: true })
  const countedLocked = writingRun(pool, waits, registrationsInLine, { also: count, isolation, isInLine: true })
  return (name, args) => {
    const isCounted = changesRegistrations(name as keyof Writes, args)
    if (LOCKED.has(name)) return isCounted ? countedLocked : locked
    return isCounted ? counted : run
  }
}

/** Records of orders (ADMIN-C4), one statement a turn (ADMIN-C6); not serializable, which would conflict on a page. */
const MOST = 500

// Ids rise in the order of the rows, with other nodes' between them.
const KEEP = `INSERT INTO audit_events (at, kind, account_id, user_id, client_id, grant_id, ip, actor, role, subject, outcome)
  SELECT at, kind, "accountId", "userId", "clientId", "grantId", ip, actor, role, subject, outcome
  FROM json_to_recordset($1) AS x(n bigint, at bigint, kind text, "accountId" text, "userId" text, "clientId" text,
    "grantId" text, ip text, actor text, role text, subject text, outcome text)
  ORDER BY n RETURNING id`
const SET_OUTCOMES = `UPDATE audit_events AS e SET outcome = x.outcome, subject = coalesce(x.subject, e.subject)
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS x(id, outcome, subject) WHERE e.id = x.id AND e.id = ANY($1)`

interface Outcome {
  readonly id: number
  readonly outcome: string
  readonly subject: string | undefined
}

function orderRecords(pool: Pool): Pick<Writes, 'audit' | 'setAuditOutcome'> {
  const keep = gathered<AuditEvent, number>(async (events) => {
    const rows = jsonToDatabase(events.map((event, n) => ({ n, ...event })))
    const kept = await pool.rows<{ readonly id: number }>(KEEP, [rows])
    return kept.rows.map(({ id }) => id).sort((a, b) => a - b)
  }, MOST)
  const setOutcome = gathered<Outcome, void>(async (outcomes) => {
    const columns = [
      outcomes.map(({ id }) => String(id)),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ subject }) => (subject === undefined ? null : toDatabase(subject))),
    ]
    await pool.rows(SET_OUTCOMES, columns)
    return outcomes.map(() => undefined)
  }, MOST)
  return {
    audit: keep,
    setAuditOutcome: (id, outcome, subject) => setOutcome({ id, outcome, subject }),
  }
}

// Others' changes of accounts, charge points, id tokens and tariffs (STORE-N3): counts per writer, polled.

/** Effective everywhere within a second. */
const LOOK_EVERY_MS = 400
const KEPT_DAYS = 2

const COUNT = `INSERT INTO registration_changes AS r (writer, changes, at)
  VALUES (?, 1, (extract(epoch FROM now()) * 1000)::bigint)
  ON CONFLICT (writer) DO UPDATE SET changes = r.changes + 1, at = excluded.at`
const CLEAR = `DELETE FROM registration_changes WHERE at < (extract(epoch FROM now()) * 1000)::bigint - ${KEPT_DAYS * 86_400_000}`
const OTHERS = `SELECT coalesce(sum(changes), 0)::text || ' ' || coalesce(max(at), 0)::text
  FROM registration_changes WHERE writer <> $1`

type RegistrationWatch = ReturnType<typeof watchRegistrations>

export function watchRegistrations(pool: Pool, writer: string, after: After) {
  let version = 0
  let seen: string | undefined

  // While it is away nothing changes; other changes are seen when it is back.
  const look = async (): Promise<void> => {
    const others = await pool.value<string>(OTHERS, [writer])
    if (seen !== undefined && others !== seen) version++
    seen = others
  }
  void look().catch(() => undefined)
  // Not with a change: reading all rows in a serializable transaction would conflict with every writer.
  void pool.use((session) => carryOut(session, change(CLEAR))).catch(() => undefined)

  return {
    version: () => version,
    count: async (session: Session): Promise<void> => {
      await carryOut(session, change(COUNT, [writer]))
    },
    close: repeat(after, LOOK_EVERY_MS, look),
  }
}
