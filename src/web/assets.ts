/** What pages load beside themselves. The addresses change with the contents, so caches keep them forever. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Files lie beside this one, and beside the bundle once it is built. */
const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** Gray is normal, red and amber mean that something needs attention, blue that a car charges. */
export const STYLE = ['tokens', 'frame', 'controls', 'states', 'panels', 'tables', 'charts']
  .map((name) => `\n${read(`./style/${name}.css`)}`)
  .join('')
export const STYLE_PATH = `/assets/style-${digestOf(STYLE)}.css`

/** The one script of the operator's pages. */
export const LIVE_MODULE = read('./live.js')
export const LIVE_MODULE_PATH = `/assets/live-${digestOf(LIVE_MODULE)}.js`

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0b6b53"/>
<path d="M18 4 8 18h7l-2 10 11-15h-7z" fill="#fff"/>
</svg>
`
