import type { FC } from 'hono/jsx'

/** `parts` stand behind each other, each a share of `most`. */
export const Bar: FC<{
  label: string
  most: number
  parts: readonly (readonly [tone: 'grey' | 'fill' | 'bad', value: number])[]
}> = ({ label, most, parts }) => {
  const percent = (value: number): number => Math.round((Math.max(0, value) / Math.max(most, 1e-6)) * 1000) / 10
  const begins = parts.map((_, at) => parts.slice(0, at).reduce((sum, [, value]) => sum + value, 0))
  return (
    <svg class="bar" role="img" aria-label={label}>
      <rect class="rail" width="100%" height="8" />
      {parts.map(([tone, value], at) => (
        <rect class={tone} x={`${percent(begins[at] ?? 0)}%`} width={`${percent(value)}%`} height="8" />
      ))}
    </svg>
  )
}
