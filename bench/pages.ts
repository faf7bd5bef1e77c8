/**
 * BENCH-B14: how long the server takes for each page of the console, with thousands of stations, a million sessions and
 * a log of a million rows, beside a steady load of messages; and what the same figures cost when asked for by hand.
 */
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { connectReader, connectWriter } from '../src/storage/sqlite/files/connection.ts'
import { generate } from './generate.ts'
import { chargePointId } from './generate-rows.ts'
import type { PacedResult } from './load/generator.ts'
import { addSessions, addStations, type NetworkShape } from './pages/network.ts'
import { type View, viewsOf } from './pages/views.ts'
import { addVisitor, timed } from './pages/visitor.ts'
import { withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { startRole } from './roles/role.ts'
import { SECRET_KEY } from './search/api.ts'
import { type Measurement, median, percentile } from './verdict.ts'

export interface PagesOptions {
  readonly chargePoints: number
  readonly sessions: number
  readonly logRows: number
  readonly callsPerSecond: number
  readonly connections: number
  /** Of each page, in turns, so that a noisy second hits all. */
  readonly visits: number
}

export const PAGES: PagesOptions = {
  chargePoints: 5_000,
  sessions: 1_000_000,
  logRows: 1_000_000,
  callsPerSecond: 1_000,
  connections: 200,
  visits: 40,
}

/** As `generate` names it. */
const ACCOUNT = 'bench'
const CHARGING = 300
const DAYS = 365
const HAND_RUNS = 5
const AIM_MS = 150

export async function measurePages(options: PagesOptions = PAGES): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'network.db')
    const toMs = Date.now()
    const { chargePoints, sessions, logRows } = options
    await generate({ rows: logRows, chargePoints, out: path })
    fill(path, { accountId: ACCOUNT, chargePoints, sessions, charging: CHARGING, toMs, days: DAYS })
    const cookie = await addVisitor(path, ACCOUNT, toMs)
    const sessionId = `00000000-0000-7000-8000-${String(sessions - 1000).padStart(12, '0')}`
    const views = viewsOf({ accountId: ACCOUNT, chargePointId: chargePointId(0), toMs, sessionId })
    const byHand = handTimes(path, views)
    const { times, load } = await visitAll(path, join(directory, 'server'), cookie, views, options)
    return views.map((view) => measurementOf(view, times.get(view) ?? [], byHand.get(view) ?? Number.NaN, load))
  })
}

function fill(path: string, shape: NetworkShape): void {
  process.stderr.write(`${shape.sessions} sessions at ${shape.chargePoints} stations …\n`)
  const db = connectWriter(path)
  try {
    db.pragma('journal_mode = MEMORY')
    db.pragma('synchronous = OFF')
    db.pragma('cache_size = -262144')
    addStations(db, shape)
    addSessions(db, shape)
    db.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL')
  } finally {
    db.close()
  }
}

/** The median of a few runs on a file that nobody else uses. */
function handTimes(path: string, views: readonly View[]): ReadonlyMap<View, number> {
  const db = connectReader(path)
  try {
    return new Map(views.map((view) => [view, median(Array.from({ length: HAND_RUNS }, () => handMs(db, view)))]))
  } finally {
    db.close()
  }
}

function handMs(db: Database, { byHand }: View): number {
  const startedAt = performance.now()
  for (const sql of byHand) db.prepare(sql).all()
  return performance.now() - startedAt
}

async function visitAll(
  path: string,
  directory: string,
  cookie: string,
  views: readonly View[],
  { callsPerSecond, connections, visits }: PagesOptions,
): Promise<{ readonly times: ReadonlyMap<View, number[]>; readonly load: PacedResult }> {
  const server = await startPilotwire({
    directory,
    environment: { PILOTWIRE_DATABASE_URL: `file:${path}`, PILOTWIRE_SECRET_KEY: SECRET_KEY },
  })
  const generator = await startRole('generator')
  const times = new Map<View, number[]>(views.map((view) => [view, []]))
  const dashboard = server.ocppUrl.replace('ws://127.0.0.1', 'http://localhost').replace('/ocpp', '/dashboard')
  try {
    await generator.order('open', { url: server.ocppUrl, connections, run: 'b14-' })
    for (const { path: page } of views) await timed(dashboard + page, cookie)
    const measureMs = 1000
    let load: PacedResult = { calls: 0, errors: 0, measuredMs: 0, latenciesMs: [] }
    for (let visit = 0; visit < visits; visit++) {
      const calling = generator.order('paced', { callsPerSecond, warmUpMs: 0, measureMs }) as Promise<PacedResult>
      for (const view of views) times.get(view)?.push(await timed(dashboard + view.path, cookie))
      const { calls, errors, latenciesMs } = await calling
      load = {
        calls: load.calls + calls,
        errors: load.errors + errors,
        measuredMs: load.measuredMs + measureMs,
        latenciesMs: [...load.latenciesMs, ...latenciesMs],
      }
    }
    return { times, load }
  } finally {
    await generator.end()
    await server.stop()
  }
}

function measurementOf(view: View, times: readonly number[], handMs: number, load: PacedResult): Measurement {
  const p95 = percentile(times, 0.95)
  const acknowledged = percentile(load.latenciesMs, 0.5).toFixed(1)
  return {
    id: 'B14',
    what: `${view.name}: p95 beside ${Math.round((load.calls / load.measuredMs) * 1000)} messages/s (p50 ${acknowledged} ms)`,
    ours: `${p95.toFixed(1)} ms (p50 ${percentile(times, 0.5).toFixed(1)} ms)`,
    limit: `${handMs.toFixed(2)} ms by hand, ${AIM_MS} ms allowed`,
    ratio: p95 / AIM_MS,
    aim: 1,
    better: 'lower',
    ...(load.errors > 0 && { fault: `${load.errors} calls were answered with an error` }),
  }
}
