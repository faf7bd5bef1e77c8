/** The one script of the operator's pages (live.js): its name changes with its text, so caches keep it for ever. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Stands beside this file, and beside the bundle once it is built. */
export const LIVE_MODULE = readFileSync(new URL('./live.js', import.meta.url), 'utf8')

const digest = createHash('sha256').update(LIVE_MODULE).digest('base64url').slice(0, 16)

export const LIVE_MODULE_PATH = `/assets/live-${digest}.js`
