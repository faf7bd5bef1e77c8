/**
 * BENCH-B10: acknowledged messages that a crash loses, and what is shown otherwise after it. The real server under load
 * is killed, again and again; then the same with its power cut (its files are what had been synced at the moment of the
 * kill). A control that syncs less must lose rows, or the simulation would prove nothing. What the next start shows is
 * held against a server that was never killed and had the same messages.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { compareShown } from './durability/shown.ts'
import { createTwin, type Twin } from './durability/twin.ts'
import type { AcknowledgedResult } from './load/generator.ts'
import { withDirectory } from './places.ts'
import { buildShim } from './power-cut/programs.ts'
import { canCutPower, runPowerCut } from './power-cut.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { startRole } from './roles/role.ts'
import type { Measurement } from './verdict.ts'

export const DURABILITY = { crashes: 20, connections: 50, controlCuts: 5 }

/** Not in a file: the simulated power cut knows nothing of files that were renamed. */
const KEY = { PILOTWIRE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }

interface Losses {
  readonly acknowledged: number
  readonly lost: number
  /** Rows of all tables, and how many of them another server shows that was never killed, or does not. */
  readonly shown: number
  readonly differences: readonly string[]
}

export async function measureDurability(options = DURABILITY): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    const twin = createTwin(directory)
    const kills = await repeat(options.crashes, (number) =>
      kill(directory, twin, `kill-${number}`, options.connections),
    )
    const measurements = asMeasurements(`${options.crashes} kills under load`, kills)
    if (!canCutPower()) return [...measurements, ...notPossible(options.crashes)]
    const shim = buildShim(directory)
    const cuts = await repeat(options.crashes, (number) => cut(directory, `cut-${number}`, options.connections, shim))
    const control = await runPowerCut({ synchronous: 'NORMAL', cuts: options.controlCuts })
    const blind =
      control.lost === 0 ? 'the control with synchronous=NORMAL lost nothing: the cut is not simulated' : undefined
    return [...measurements, ...asMeasurements(`${options.crashes} power cuts under load`, cuts, blind, control.lost)]
  })
}

/** kill -9, restart on the same database, look for every acknowledged message and for what is shown of all. */
async function kill(directory: string, twin: Twin, run: string, connections: number): Promise<Losses> {
  const place = join(directory, 'kills')
  const acknowledged = await loadUntilKilled(place, run, connections)
  return afterRestart(place, twin, acknowledged, run)
}

/** The kill with the files as the disk has them: what was written but not synced is gone. */
async function cut(directory: string, run: string, connections: number, shim: string): Promise<Losses> {
  const place = mkdtempSync(join(directory, 'cut-'))
  const real = join(place, 'real')
  const synced = join(place, 'synced')
  mkdirSync(real)
  mkdirSync(synced)
  const environment = { LD_PRELOAD: shim, POWER_CUT_FROM: real, POWER_CUT_TO: synced }
  const acknowledged = await loadUntilKilled(real, run, connections, environment)
  return afterRestart(synced, createTwin(place), acknowledged, run)
}

async function afterRestart(place: string, twin: Twin, acknowledged: readonly string[], run: string): Promise<Losses> {
  const file = join(place, 'x.db')
  const losses = compare(acknowledged, file, run)
  const restarted = await startPilotwire({ directory: place, environment: KEY })
  await restarted.stop()
  await twin.follow(file)
  const { rows, differences } = compareShown(file, twin.file)
  return { ...losses, shown: rows, differences }
}

async function loadUntilKilled(
  directory: string,
  run: string,
  connections: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const server = await startPilotwire({ directory, environment: { ...KEY, ...environment } })
  const generator = await startRole('generator')
  try {
    await generator.order('open', { url: server.ocppUrl, connections, run: `${run}-` })
    const gone = generator.order('untilGone')
    await wait(200 + Math.random() * 800)
    await server.end()
    return ((await gone) as AcknowledgedResult).messageIds
  } finally {
    await generator.end()
    await server.end()
  }
}

function compare(
  acknowledged: readonly string[],
  databaseFile: string,
  run: string,
): Pick<Losses, 'acknowledged' | 'lost'> {
  if (acknowledged.length === 0) throw new Error(`nothing was acknowledged before the crash ${run}: no load, no proof`)
  // Not read-only: the first one to open a database after a crash recovers it.
  const db = new SqliteDatabase(databaseFile)
  try {
    const integrity = db.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') throw new Error(`the database is damaged after the crash: ${String(integrity)}`)
    const rows = db.prepare<[string], string>(
      'SELECT message_id FROM commands WHERE message_id LIKE ? AND answered_at IS NOT NULL',
    )
    const stored = new Set(rows.pluck().all(`${run}-%`))
    return { acknowledged: acknowledged.length, lost: acknowledged.filter((id) => !stored.has(id)).length }
  } finally {
    db.close()
  }
}

async function repeat(times: number, crash: (number: number) => Promise<Losses>): Promise<Losses> {
  const all: Losses[] = []
  for (let number = 0; number < times; number++) all.push(await crash(number))
  const sum = (of: 'acknowledged' | 'lost' | 'shown'): number => all.reduce((total, one) => total + one[of], 0)
  return {
    acknowledged: sum('acknowledged'),
    lost: sum('lost'),
    shown: sum('shown'),
    differences: all.flatMap(({ differences }) => differences),
  }
}

const MUST_BE_NONE = { id: 'B10', must: 0, aim: 0, better: 'lower' } as const

function asMeasurements(what: string, losses: Losses, fault?: string, controlLost?: number): readonly Measurement[] {
  const { acknowledged, lost, shown, differences } = losses
  const [first] = differences
  return [
    {
      ...MUST_BE_NONE,
      what: `lost acknowledgements, ${what}`,
      ours: `${lost} of ${acknowledged}`,
      limit: controlLost === undefined ? '0' : `0 (control lost ${controlLost})`,
      ratio: lost,
      fault,
    },
    {
      ...MUST_BE_NONE,
      what: `rows that a server shows otherwise that was never killed, ${what}`,
      ours: `${differences.length} of ${shown}`,
      limit: '0',
      ratio: differences.length,
      fault: first === undefined ? undefined : `the first of them: ${first.slice(0, 300)}`,
    },
  ]
}

function notPossible(cuts: number): readonly Measurement[] {
  const fault = 'a simulated power cut needs Linux and gcc'
  const none = { acknowledged: 0, lost: 0, shown: 0, differences: [] }
  return asMeasurements(`${cuts} power cuts under load`, none).map((one) => ({ ...one, ours: '-', fault }))
}
