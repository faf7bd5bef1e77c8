/**
 * A page on this machine with one station and the buttons of a person on site. It listens on the loopback address only
 * and refuses any other host name: a page elsewhere must not press its buttons.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChargePoint } from '../library/charge-point.ts'
import type { Frame } from '../wire/frames.ts'

const RENEW_MS = 500
const FRAMES = 12

export type Window = Awaited<ReturnType<typeof openWindow>>

export async function openWindow(parts: {
  readonly cp: ChargePoint
  readonly idToken: string
  /** Of the car that is plugged in, in percent. */
  readonly soc?: number
  /** 0: any free one. */
  readonly port: number
}) {
  const { cp, idToken, port, soc } = parts
  const frames: { readonly direction: 'in' | 'out'; readonly frame: Frame }[] = []
  const powersKw: number[] = []
  const listeners = new Set<ServerResponse>()
  let complaint: string | undefined
  const shown = () => ({ cp, idToken, powersKw, frames, complaint })
  const connector = () => cp.state.connectors[0]
  const actions: Readonly<Record<string, () => Promise<unknown>>> = {
    plug: () => cp.plug(1, soc === undefined ? {} : { soc }),
    swipe: async () => {
      if ((await cp.swipe(1, idToken)) === 'refused') throw new Error(`the card was refused: ${cp.refusal}`)
    },
    unplug: () => cp.unplug(1),
    fault: () => cp.fault(1, 'OtherError'),
    clear: () => cp.clearFault(1),
    offline: () => cp.offline(),
    online: () => cp.online(),
  } satisfies Record<(typeof BUTTONS)[number][0], () => Promise<unknown>>
  const renew = (): void => {
    powersKw.push((connector()?.reading.powerW ?? 0) / 1000)
    if (powersKw.length > CURVE.points) powersKw.shift()
    const event = `data: ${JSON.stringify(live(shown()))}\n\n`
    for (const response of listeners) response.write(event)
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.resume()
    if (!isOurs(request, listeningPort())) return plain(response, 403, 'This page answers its own address only.')
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'POST') return press(pathname.slice(1), request, response)
    if (request.method !== 'GET') return plain(response, 405, 'GET and POST only.')
    if (pathname === '/events') return listen(response)
    if (pathname !== '/') return plain(response, 404, 'There is only one page here: /')
    const nonce = randomBytes(16).toString('base64')
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    })
    response.end(page(shown(), nonce))
  }
  const press = async (name: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) return plain(response, 404, 'There is no such button.')
    if (request.headers.origin === undefined) return plain(response, 403, 'A button is pressed on its own page only.')
    complaint = undefined
    try {
      await action()
    } catch (error) {
      complaint = error instanceof Error ? error.message : String(error)
    }
    renew()
    response.writeHead(303, { location: '/' })
    response.end()
  }
  const listen = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    listeners.add(response)
    response.on('close', () => listeners.delete(response))
    response.write(`data: ${JSON.stringify(live(shown()))}\n\n`)
  }
  const listeningPort = (): number => (server.address() as AddressInfo).port

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const timer = setInterval(renew, RENEW_MS)
  timer.unref()
  return {
    url: `http://localhost:${listeningPort()}/`,
    seen(direction: 'in' | 'out', frame: Frame): void {
      frames.unshift({ direction, frame })
      frames.length = Math.min(frames.length, FRAMES)
    },
    async close(): Promise<void> {
      clearInterval(timer)
      for (const response of listeners) response.end()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The name under which it was called, and the page that called it. */
function isOurs({ headers }: IncomingMessage, port: number): boolean {
  const names = [`localhost:${port}`, `127.0.0.1:${port}`]
  if (!names.includes(headers.host ?? '')) return false
  return headers.origin === undefined || names.some((name) => headers.origin === `http://${name}`)
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}

interface Shown {
  readonly cp: ChargePoint
  readonly idToken: string
  readonly powersKw: readonly number[]
  readonly frames: readonly { readonly direction: 'in' | 'out'; readonly frame: Frame }[]
  /** Why the last button failed. */
  readonly complaint: string | undefined
}

/** In the order of use. */
const BUTTONS = [
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

function page(shown: Shown, nonce: string): string {
  const buttons = BUTTONS.map(
    ([action, label]) => `<form method="post" action="/${action}"><button>${label}</button></form>`,
  ).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(shown.cp.station.id)} · simulator</title>
<meta name="viewport" content="width=device-width"><style nonce="${nonce}">${STYLE}</style></head>
<body><h1>${escaped(shown.cp.station.id)}</h1><p>${buttons}</p><main id="live" aria-live="polite">${live(shown)}</main>
<script nonce="${nonce}">${SCRIPT}</script></body></html>`
}

function live({ cp, idToken, powersKw, frames, complaint }: Shown): string {
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
    ...(connector?.qrCode === undefined ? [] : [['QR code', connector.qrCode] as const]),
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

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/g, (character) => names[character] ?? '')
}
