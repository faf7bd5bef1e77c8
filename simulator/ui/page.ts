import type { ChargePoint } from '../library/charge-point.ts'
import type { Frame } from '../wire/frames.ts'

export interface Shown {
  readonly cp: ChargePoint
  readonly idToken: string
  readonly powersKw: readonly number[]
  readonly frames: readonly { readonly direction: 'in' | 'out'; readonly frame: Frame }[]
  /** Why the last button failed. */
  readonly complaint: string | undefined
}

/** In the order of use. */
export const BUTTONS = [
  ['plug', 'Plug in'],
  ['swipe', 'Swipe card'],
  ['unplug', 'Unplug'],
  ['fault', 'Fault'],
  ['clear', 'Clear fault'],
  ['offline', 'Network off'],
  ['online', 'Network on'],
] as const

const CURVE = { width: 600, height: 120, points: 120 }

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1d2530;background:#fff}
button{font:inherit;padding:.4rem .9rem;margin:0 .3rem .4rem 0}form{display:inline}table{border-collapse:collapse}
td,th{text-align:left;padding:.15rem 1rem .15rem 0}code{font-size:.8rem;overflow-wrap:anywhere}svg{width:100%;background:#f2f5f8}
.complaint{color:#a4161a}@media(prefers-color-scheme:dark){body{color:#e6ebf0;background:#14181d}svg{background:#20262d}}`

const SCRIPT = `new EventSource('/events').onmessage=e=>{document.getElementById('live').innerHTML=JSON.parse(e.data)}`

export function page(shown: Shown, nonce: string): string {
  const buttons = BUTTONS.map(
    ([action, label]) => `<form method="post" action="/${action}"><button>${label}</button></form>`,
  ).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(shown.cp.station.id)} · simulator</title>
<meta name="viewport" content="width=device-width"><style nonce="${nonce}">${STYLE}</style></head>
<body><h1>${escaped(shown.cp.station.id)}</h1><p>${buttons}</p><main id="live" aria-live="polite">${live(shown)}</main>
<script nonce="${nonce}">${SCRIPT}</script></body></html>`
}

export function live({ cp, idToken, powersKw, frames, complaint }: Shown): string {
  const { online, registered, queuedMessages, connectors } = cp.state
  const [connector] = connectors
  const { reading, transaction } = connector ?? {}
  const rows: readonly (readonly [string, string])[] = [
    ['Connection', `${online ? 'online' : 'offline'}${registered ? '' : ', not accepted yet'}`],
    ['Connector', `${connector?.status ?? ''}${connector?.fault ? ` (${connector.fault})` : ''}`],
    ['Cable', connector?.plugged ? 'plugged in' : 'free'],
    ['Power', `${((reading?.powerW ?? 0) / 1000).toFixed(2)} kW`],
    ['Battery', connector?.plugged ? `${(reading?.socPercent ?? 0).toFixed(1)} %` : '-'],
    ['Transaction', transaction ? `${transaction.transactionId ?? 'no number yet'}, ${idToken}` : '-'],
    ['Energy', transaction ? `${(transaction.energyWh / 1000).toFixed(3)} kWh` : '-'],
    ['Unsent messages', String(queuedMessages)],
  ]
  const table = rows.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${escaped(value)}</td></tr>`).join('')
  const messages = frames
    .map(
      ({ direction, frame }) =>
        `<li><code>${direction === 'in' ? '→' : '←'} ${escaped(cut(JSON.stringify(frame)))}</code></li>`,
    )
    .join('')
  const said = complaint === undefined ? '' : `<p class="complaint" role="alert">${escaped(complaint)}</p>`
  return `${said}<table>${table}</table>${curve(powersKw)}<h2>Last messages</h2><ol reversed>${messages}</ol>`
}

function curve(powersKw: readonly number[]): string {
  const most = Math.max(1, ...powersKw)
  const points = powersKw
    .map((power, at) => {
      const x = (at / (CURVE.points - 1)) * CURVE.width
      return `${x.toFixed(1)},${(CURVE.height - (power / most) * (CURVE.height - 8)).toFixed(1)}`
    })
    .join(' ')
  return `<svg viewBox="0 0 ${CURVE.width} ${CURVE.height}" role="img" aria-label="Power, at most ${most.toFixed(1)} kW">
<polyline points="${points}" fill="none" stroke="#2a6fdb" stroke-width="2"/></svg>`
}

export const CURVE_POINTS = CURVE.points

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? '')
}
