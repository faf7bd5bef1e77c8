/**
 * BENCH-B10: acknowledged messages that a crash loses. The real server under load is killed, again and again; then the
 * same with its power cut (its files are what had been synced at the moment of the kill). A control that syncs less
 * must lose rows, or the simulation would prove nothing.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import type { AcknowledgedResult } from './load/generator.ts'
import { withDirectory } from './places.ts'
import { buildShim } from './power-cut/programs.ts'
import { canCutPower, runPowerCut } from './power-cut.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { startRole } from './roles/role.ts'
import type { Measurement } from './verdict.ts'

export const DURABILITY = { crashes: 20, connections: 50, controlCuts: 5 }

interface Losses {
  acknowledged: number
  lost: number
}

export async function measureDurability(options = DURABILITY): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    const kills = await repeat(options.crashes, (number) => kill(directory, `kill-${number}`, options.connections))
    const measurements = [asMeasurement(`${options.crashes} kills under load`, kills)]
    if (!canCutPower()) return [...measurements, notPossible(options.crashes)]
    const shim = buildShim(directory)
    const cuts = await repeat(options.crashes, (number) => cut(directory, `cut-${number}`, options.connections, shim))
    const control = await runPowerCut({ synchronous: 'NORMAL', cuts: options.controlCuts })
    const blind =
      control.lost === 0 ? 'the control with synchronous=NORMAL lost nothing: the cut is not simulated' : undefined
    return [...measurements, asMeasurement(`${options.crashes} power cuts under load`, cuts, blind, control.lost)]
  })
}

/** kill -9, restart on the same database, look for every acknowledged message. */
async function kill(directory: string, run: string, connections: number): Promise<Losses> {
  const place = join(directory, 'kills')
  const acknowledged = await loadUntilKilled(place, run, connections)
  const restarted = await startPilotwire({ directory: place })
  await restarted.stop()
  return compare(acknowledged, join(place, 'x.db'), run)
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
  return compare(acknowledged, join(synced, 'x.db'), run)
}

async function loadUntilKilled(
  directory: string,
  run: string,
  connections: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const server = await startPilotwire({ directory, environment })
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

function compare(acknowledged: readonly string[], databaseFile: string, run: string): Losses {
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
  const sum: Losses = { acknowledged: 0, lost: 0 }
  for (let number = 0; number < times; number++) {
    const { acknowledged, lost } = await crash(number)
    sum.acknowledged += acknowledged
    sum.lost += lost
  }
  return sum
}

function asMeasurement(what: string, losses: Losses, fault?: string, controlLost?: number): Measurement {
  return {
    id: 'B10',
    what: `lost acknowledgements, ${what}`,
    ours: `${losses.lost} of ${losses.acknowledged}`,
    limit: controlLost === undefined ? '0' : `0 (control lost ${controlLost})`,
    ratio: losses.lost,
    must: 0,
    aim: 0,
    better: 'lower',
    fault,
  }
}

function notPossible(cuts: number): Measurement {
  const fault = 'a simulated power cut needs Linux and gcc'
  return { ...asMeasurement(`${cuts} power cuts under load`, { acknowledged: 0, lost: 0 }), ours: '-', fault }
}
