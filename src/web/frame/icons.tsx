/** Pictograms, 16 by 16: each has a word beside it, or a name. Dots are lines of no length, circles two arcs. */
import type { FC } from 'hono/jsx'
import ICONS from './icons.json' with { type: 'json' }

export type IconName = keyof typeof ICONS

export const Icon: FC<{ name: IconName }> = ({ name }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
)
