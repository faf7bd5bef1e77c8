/** The one stylesheet of the pages: light and dark, no images, no fonts to load. */
import { createHash } from 'node:crypto'
import { CHARTS } from './charts.ts'
import { CONTROLS } from './controls.ts'
import { FRAME } from './frame.ts'
import { PANELS } from './panels.ts'
import { STATES } from './states.ts'
import { TABLES } from './tables.ts'
import { TOKENS } from './tokens.ts'

export const STYLE = [TOKENS, FRAME, CONTROLS, STATES, PANELS, TABLES, CHARTS].join('')

const digest = createHash('sha256').update(STYLE).digest('base64url').slice(0, 16)

/** Below the dashboard: its address changes with its text, so it may be kept for ever. */
export const STYLE_PATH = `/assets/style-${digest}.css`
