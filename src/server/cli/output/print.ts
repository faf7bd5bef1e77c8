/** Data for people (aligned columns) or for programs (--json: one JSON text). */

import cliProgress from 'cli-progress'
import { isoTime } from '../../../domain/iso-time.ts'
import { visible } from '../../visible-text.ts'
import type { CliContext } from '../cli-context.ts'

export type Printable = Readonly<Record<string, unknown>>

export interface JsonOption {
  readonly json?: true | undefined
}

export const JSON_FLAG = ['--json', 'print JSON'] as const

/** Members of a row, in this order; one that ends in `At` is a time. */
export function membersOf<Row extends object>(row: Row, names: readonly (keyof Row & string)[]): Printable {
  const members = names.map((name) => {
    const value: unknown = row[name]
    return [name, name.endsWith('At') && typeof value === 'number' ? isoTime(value) : value]
  })
  return Object.fromEntries(members)
}

export function printList(
  context: CliContext,
  rows: readonly Printable[],
  columns: readonly string[],
  json?: boolean,
): void {
  for (const line of json ? [JSON.stringify(rows)] : table(rows, columns)) context.out(line)
}

export function printObject(context: CliContext, object: Printable, json?: boolean): void {
  for (const line of json ? [JSON.stringify(object)] : attributeLines(object)) context.out(line)
}

function attributeLines(object: Printable): string[] {
  const width = Math.max(...Object.keys(object).map((name) => name.length))
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
}

/** A heading (the names that --json uses) and one line per row; columns are as wide as their widest cell. */
export function table(rows: readonly Printable[], columns: readonly string[]): string[] {
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  return lines.map((line) =>
    line
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Names come from people and stations: nothing in them steers the terminal or begins a line. */
function cell(value: unknown): string {
  if (value === undefined) return '-'
  return visible(typeof value === 'string' ? value : JSON.stringify(value))
}

export class ExitCode extends Error {
  override readonly name = 'ExitCode'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`exit ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** A progress bar on stderr; silent where stderr is no terminal. */
export interface Progress {
  update(value: number, total?: number): void
  stop(): void
}

export function startProgress(context: CliContext, unit: string, total: number): Progress {
  if (!context.terminal) return { update: () => {}, stop: () => {} }
  const started = context.now()
  const bar = new cliProgress.SingleBar({
    format: `{bar} {percentage} %  {value}/{total} ${unit}  {rate} ${unit}/s  ETA {eta_formatted}`,
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 50,
  })
  bar.start(total, 0, { rate: 0 })
  return {
    update(value, newTotal) {
      if (newTotal !== undefined) bar.setTotal(newTotal)
      bar.update(value, { rate: Math.round(value / Math.max(0.001, (context.now() - started) / 1000)) })
    },
    stop: () => bar.stop(),
  }
}
