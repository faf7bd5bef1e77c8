/**
 * BENCH-B6: a whole charge point as CSV over HTTP, against reading the same rows in raw chunks; and what memory it
 * takes.
 */
import { execFile } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Database } from 'better-sqlite3'
import { type Measurement, median } from '../verdict.ts'
import type { SearchApi } from './api.ts'
import { type LogWindow, timeOf } from './log.ts'

const ROUNDS = 3
const CHUNK_ROWS = 1000
const MEMORY_EVERY_MS = 250
/** Between the first third of an export and its end; more would grow with the rows. */
const FLAT_BYTES = 48 * 1024 * 1024
const LINE_FEED = 10

export async function measureExport(
  db: Database,
  window: LogWindow,
  { server, search }: SearchApi,
): Promise<readonly Measurement[]> {
  const rawMs: number[] = []
  const ownMs: number[] = []
  const growth: number[] = []
  let peakBytes = 0
  let lines = 0
  for (let round = 0; round < ROUNDS; round++) {
    rawMs.push(await timeOf(() => readRaw(db, window)))
    const samples = await watchMemory(server.pid, async () => {
      const exporting = async () => {
        lines = await countLines(await search(window.chargePointId, { format: 'csv' }))
      }
      ownMs.push(await timeOf(exporting))
    })
    peakBytes = Math.max(peakBytes, ...samples)
    growth.push(growthOf(samples))
  }
  const grownBytes = median(growth)
  const perSecond = (ms: number) => Math.round((window.rows / ms) * 1000)
  const fault = faultOf(lines - 1, window.rows, grownBytes)
  return [
    {
      id: 'B6',
      what: `CSV rows/s; memory ${mebibytes(peakBytes)} at most, ${mebibytes(grownBytes)} more at the end`,
      ours: `${perSecond(median(ownMs))}/s`,
      limit: `${perSecond(median(rawMs))}/s raw chunks`,
      ratio: median(rawMs) / median(ownMs),
      must: 0.5,
      aim: 0.8,
      better: 'higher',
      fault,
    },
  ]
}

function faultOf(exported: number, stored: number, grownBytes: number): string | undefined {
  if (exported !== stored) return `${exported} of ${stored} rows were exported`
  if (grownBytes > FLAT_BYTES) return 'memory grows with the rows'
  return undefined
}

/**
 * All columns, newest first, a chunk at a time: what any export has to read. Between chunks the event loop runs: with a
 * cold cache this takes half a minute, and the server closes connections that are idle for five seconds. Who does not
 * look meanwhile sends the next request into a closed one.
 */
async function readRaw(db: Database, { key, fromId, toId }: LogWindow): Promise<void> {
  const chunk = db.prepare<number[], { id: number }>(
    `SELECT command.* FROM (SELECT id FROM commands_search
       WHERE charge_point = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?) AS hit
     CROSS JOIN commands AS command ON command.id = hit.id ORDER BY hit.id DESC`,
  )
  for (let below: number | undefined = toId; below !== undefined; await nextTurn()) {
    below = chunk.all(key, fromId, below, CHUNK_ROWS).at(-1)?.id
  }
}

/** Rows hold no line feeds of their own: their texts are JSON. */
async function countLines(response: Response): Promise<number> {
  let lines = 0
  for await (const bytes of response.body ?? []) {
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1
  }
  return lines
}

/** Resident bytes of a process, again and again while `work` runs. */
async function watchMemory(pid: number, work: () => Promise<void>): Promise<readonly number[]> {
  const samples: Promise<number>[] = [residentBytes(pid)]
  const timer = setInterval(() => samples.push(residentBytes(pid)), MEMORY_EVERY_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Promise.all(samples)
}

async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout) * 1024
}

/** How much higher the last third is than the first. */
function growthOf(samples: readonly number[]): number {
  const third = Math.max(1, Math.floor(samples.length / 3))
  return median(samples.slice(-third)) - median(samples.slice(0, third))
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
