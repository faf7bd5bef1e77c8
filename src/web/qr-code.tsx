import type { FC } from 'hono/jsx'
import { encode } from 'uqr'

/** Dark squares on a light ground, in dark mode too: cameras want it so. */
export const QrCode: FC<{ text: string; label: string }> = ({ text, label }) => {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  )
}
