import type { FC } from 'hono/jsx'

const WIDTH = 300
const HEIGHT = 32

interface Point {
  readonly at: number
  readonly value: number
}

/** @param points oldest first; fewer than two draw nothing */
export const Spark: FC<{ label: string; points: readonly Point[] }> = ({ label, points }) => {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || last.at <= first.at) return null
  const most = Math.max(1e-9, ...points.map(({ value }) => value))
  const x = (at: number): string => (((at - first.at) / (last.at - first.at)) * WIDTH).toFixed(1)
  const y = (value: number): string => (HEIGHT - 1 - (Math.max(0, value) / most) * (HEIGHT - 3)).toFixed(1)
  const line = points.map(({ at, value }) => `${x(at)} ${y(value)}`).join(' ')
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="under" d={`M0 ${HEIGHT} ${line} ${WIDTH} ${HEIGHT}z`} />
      <path class="now" d={`M${line}`} />
    </svg>
  )
}

type StripProps = { label: string; from: number; to: number; spans: readonly (readonly [from: number, to: number])[] }

/** @param spans within the time that it shows */
export const Strip: FC<StripProps> = ({ label, from, to, spans }) => {
  const x = (at: number): string => (((at - from) / Math.max(1, to - from)) * 100).toFixed(2)
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="rail" width="100" height="8" />
      {spans.map(([begin, end]) => (
        <rect class="grey" x={x(begin)} width={x(from + Math.max(0, end - begin))} height="8" />
      ))}
    </svg>
  )
}
