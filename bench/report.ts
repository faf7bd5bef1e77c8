/** Measurements as a table for people. */
import { judge, type Measurement } from './verdict.ts'

const HEADINGS = ['id', 'what', 'Pilotwire', 'limit', 'ratio', 'must', 'aim', 'result'] as const

export function reportTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measurement) => {
    const sign = measurement.better === 'higher' ? '≥' : '≤'
    return [
      measurement.id,
      measurement.what,
      measurement.ours,
      measurement.limit,
      measurement.ratio.toFixed(2),
      goal(sign, measurement.must),
      goal(sign, measurement.aim),
      {
        aim: 'pass (aim)',
        must: 'pass',
        reported: '',
        fail: `FAIL${measurement.fault ? `: ${measurement.fault}` : ''}`,
      }[judge(measurement)],
    ]
  })
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(HEADINGS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function goal(sign: string, value: number | undefined): string {
  return value === undefined ? '' : `${sign} ${value}`
}
