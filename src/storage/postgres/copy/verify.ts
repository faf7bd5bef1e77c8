/** Whether the target equals the source: rows, bounds and checksums of every table. */
import { setImmediate } from 'node:timers/promises'
import type { Cell, CopySource } from '../../copy/ports.ts'
import { DatabaseRefused } from '../../storage-error.ts'
import type { Session } from '../connection/session.ts'
import { type CopiedTable, copiedTables } from './copied-table.ts'

const ROWS_A_TURN = 1_000

interface Sums {
  readonly rows: number
  readonly least: Cell
  readonly greatest: Cell
  readonly checksum: string
}

/** @throws DatabaseRefused naming the tables that differ, and how */
export async function verify(
  session: Session,
  shown: string,
  source: CopySource,
  report: (rows: number) => void,
): Promise<void> {
  const wrong: string[] = []
  let before = 0
  for (const table of copiedTables()) {
    // The server works on its rows while this process reads the others.
    const [target, ours] = await Promise.all([
      sumsOfTarget(session, table),
      sumsOfSource(source, table, (rows) => report(before + rows)),
    ])
    before += ours.rows
    const members = (['rows', 'least', 'greatest', 'checksum'] as const).filter((name) => target[name] !== ours[name])
    if (members.length > 0) {
      wrong.push(`${table.name} (${members.map((name) => `${name} ${ours[name]} and ${target[name]}`).join(', ')})`)
    }
  }
  if (wrong.length === 0) return
  throw new DatabaseRefused(
    `${shown} does not hold what ${source.shown} holds: ${wrong.join('; ')}. Make the target anew (DROP DATABASE, CREATE DATABASE) and copy again.`,
  )
}

async function sumsOfTarget(session: Session, { sumStatement }: CopiedTable): Promise<Sums> {
  const { rows } = await session.arrays(sumStatement)
  const [count, least, greatest, checksum] = rows[0] as [number, Cell, Cell, string]
  return { rows: count, least, greatest, checksum }
}

async function sumsOfSource(source: CopySource, table: CopiedTable, report: (rows: number) => void): Promise<Sums> {
  let rows = 0
  let checksum = 0n
  // Of 48 bits each: their sum stays exact in a number.
  let part = 0
  for (const row of source.rowsAfter(table.name, table.sourceColumns, 0)) {
    part += table.sum(table.values(row))
    rows++
    if (rows % 16 === 0) {
      checksum += BigInt(part)
      part = 0
    }
    if (rows % ROWS_A_TURN === 0) {
      report(rows)
      await setImmediate()
    }
  }
  const { least, greatest } = source.bounds(table.name, table.boundColumn)
  return { rows, least, greatest, checksum: String(checksum + BigInt(part)) }
}
