/**
 * BENCH-B10: acknowledged rows that a crash loses. Killing the process is not enough of a crash, because the system
 * keeps what the process wrote: a power cut is simulated by looking at what had been synced at the moment of the kill.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { databaseFile as fileAt } from '../src/storage/open.ts'
import { buildShim, buildWriter } from './power-cut/programs.ts'

export { canCutPower } from './power-cut/programs.ts'

export interface CrashResult {
  readonly crashes: number
  /** Rows that were acknowledged, over all crashes. */
  readonly acknowledged: number
  /** Of these, how many the database no longer had. */
  readonly lost: number
  readonly crashesWithLoss: number
}

export interface PowerCutOptions {
  /** FULL is what the product runs with; NORMAL is the control that proves the simulation can see a loss. */
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly cuts: number
  readonly random?: () => number
}

/** Needs gcc (`canCutPower`). FULL must lose nothing, NORMAL must lose rows. */
export async function runPowerCut({ synchronous, cuts, random = Math.random }: PowerCutOptions): Promise<CrashResult> {
  return crash({ synchronous, crashes: cuts, random, power: true })
}

/** kill -9 alone: the page cache survives, so this proves that the process itself holds nothing back. */
export async function runKills({
  kills,
  random = Math.random,
}: {
  readonly kills: number
  readonly random?: () => number
}): Promise<CrashResult> {
  return crash({ synchronous: 'FULL', crashes: kills, random, power: false })
}

interface Crashes {
  readonly synchronous: string
  readonly crashes: number
  readonly random: () => number
  readonly power: boolean
}

async function crash({ synchronous, crashes, random, power }: Crashes): Promise<CrashResult> {
  const writer = await buildWriter()
  const directory = mkdtempSync(join(tmpdir(), 'pilotwire-power-cut-'))
  try {
    const shim = power ? buildShim(directory) : undefined
    const outcomes: Outcome[] = []
    for (let number = 0; number < crashes; number++) {
      const place = join(directory, String(number))
      outcomes.push(await crashOnce({ writer, place, synchronous, afterMs: 50 + random() * 450, shim }))
    }
    return {
      crashes,
      acknowledged: outcomes.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
      lost: outcomes.reduce((sum, { lost }) => sum + lost, 0),
      crashesWithLoss: outcomes.filter(({ lost }) => lost > 0).length,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Outcome {
  readonly acknowledged: number
  readonly lost: number
}

interface OneCrash {
  readonly writer: string
  readonly place: string
  readonly synchronous: string
  /** Time between the first acknowledgement and the kill. */
  readonly afterMs: number
  readonly shim: string | undefined
}

async function crashOnce({ writer, place, synchronous, afterMs, shim }: OneCrash): Promise<Outcome> {
  const [real, synced, notes] = ['real', 'synced', 'acknowledged'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(real, { recursive: true })
  mkdirSync(synced)
  const preload = shim === undefined ? {} : { LD_PRELOAD: shim, POWER_CUT_FROM: real, POWER_CUT_TO: synced }
  const child = spawn(process.execPath, [writer, join(real, 'x.db'), notes, synchronous], {
    env: { ...process.env, ...preload },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  while (!existsSync(notes) || readFileSync(notes).length === 0) {
    if (child.exitCode !== null)
      throw new Error(`The writer ended with ${child.exitCode} before it committed anything.`)
    await wait(5)
  }
  await wait(afterMs)
  child.kill('SIGKILL')
  await exited
  return compare(notes, join(shim === undefined ? real : synced, 'x.db'))
}

async function compare(notes: string, databaseFile: string): Promise<Outcome> {
  // The kill may have cut the last line: its row is not counted as acknowledged.
  const acknowledged = readFileSync(notes, 'utf8').split('\n').slice(0, -1).map(Number)
  const stored = await storedAfter(databaseFile)
  return { acknowledged: acknowledged.length, lost: acknowledged.filter((id) => !stored(id)).length }
}

/**
 * What the next start finds after SQLite recovered: an acknowledged message is there when its row is, and its session
 * is at least as new. Throws on a damaged file.
 */
async function storedAfter(databaseFile: string): Promise<(id: number) => boolean> {
  const { core, close } = fileAt(databaseFile).openWriter()
  const db = new SqliteDatabase(databaseFile, { readonly: true })
  try {
    const integrity = db.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') throw new Error(`The database is damaged after the crash: ${integrity}`)
    const rows = new Set(db.prepare<[], number>('SELECT id FROM commands_search').pluck().all())
    const versions = new Map<string, number>()
    for (let number = 0; number < 50; number++) {
      versions.set(`CP${number}`, (await core.findSession(`CP${number}`))?.version ?? 0)
    }
    return (id) => rows.has(id) && (versions.get(`CP${id % 50}`) ?? 0) >= id
  } finally {
    db.close()
    close()
  }
}
