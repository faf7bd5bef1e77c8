/** Pictograms of one line each, 16 by 16. They never stand for a word: each has one beside it, or a name. */
import type { FC } from 'hono/jsx'

/** Dots are drawn as lines of no length, circles as two arcs. */
const ICONS = {
  alerts: 'M3 12c1-1 1.2-2 1.2-4.8a3.8 3.8 0 0 1 7.6 0C11.8 10 12 11 13 12zM6.7 14.3h2.6',
  applications: 'M5.5 2.5h-3v3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3M6 8h4M8 6v4',
  audit: 'M8 2.3a5.7 5.7 0 1 0 0 11.4A5.7 5.7 0 0 0 8 2.3zM8 5v3.2l2 1.3',
  brand: 'M8 1.5a6.5 6.5 0 1 0 0 13A6.5 6.5 0 0 0 8 1.5zM5 10V6h3.7v4H11V8',
  cards: 'M2.2 3.7h11.6v8.6H2.2zM2.2 6.7h11.6M4.7 9.8h2.5',
  certificates: 'M8 1.9 13 3.7v4c0 3.1-2 5.3-5 6.5-3-1.2-5-3.4-5-6.5v-4zM5.9 8l1.5 1.5 2.8-2.9',
  close: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  configurations: 'M2.5 5h5.6M11.4 5h2.1M2.5 11h2.1M7.9 11h5.6M9.75 3.4v3.2M6.25 9.4v3.2',
  credentials: 'M5 8.3a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM6.9 9 13 2.9M10.7 5.2l2 2',
  down: 'M4.5 6.5 8 10l3.5-3.5',
  firmware: 'M8 2.3v7.3M5 6.8l3 3 3-3M3 13.3h10',
  limits: 'M2.9 12.6a6 6 0 1 1 10.2 0M8 9.9l2.5-3.3',
  log: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  monitors: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  nodes: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  overview: 'M2.5 2.5H7V7H2.5zM9 2.5h4.5V7H9zM2.5 9H7v4.5H2.5zM9 9h4.5v4.5H9z',
  plus: 'M8 3.5v9M3.5 8h9',
  search: 'M7 2.7a4.3 4.3 0 1 0 0 8.6 4.3 4.3 0 0 0 0-8.6zM10.3 10.3l3.2 3.2',
  sessions: 'M9.2 1.8 3.7 9.1H8l-1 5.1 5.4-7.3H8z',
  sites:
    'M8 14.3S3.6 10.4 3.6 6.9a4.4 4.4 0 0 1 8.8 0c0 3.5-4.4 7.4-4.4 7.4zM8 5.4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  stations:
    'M3 14V3.2A1.2 1.2 0 0 1 4.2 2h4.6A1.2 1.2 0 0 1 10 3.2V14M1.8 14h9.4M10 7h1.2c.5 0 .8.3.8.8V10a1 1 0 0 0 2 0V5.5L12.3 4M7 4.8 5.5 7.5h2.1L6.2 10.2',
  tariffs: 'M2.5 2.5h5.2l5.8 5.8-5.2 5.2-5.8-5.8zM5.3 5.3h.01',
  up: 'M4.5 9.5 8 6l3.5 3.5',
  users: 'M8 2.7a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 13.6c.5-2.7 2.5-4 5-4s4.5 1.3 5 4',
  warn: 'M8 2.2 14.3 13.3H1.7zM8 6.5v3.2M8 11.5v.01',
  webhooks: 'M3 13V6.5a2 2 0 0 1 2-2h7.5M9.9 1.9l2.6 2.6-2.6 2.6',
} as const

export type IconName = keyof typeof ICONS

export const Icon: FC<{ name: IconName }> = ({ name }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
)
