/**
 * A page on this machine with one station and the buttons of a person on site. It listens on the loopback address only
 * and answers nobody who comes by another name: a page elsewhere must not press its buttons.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChargePoint } from '../library/charge-point.ts'
import type { Frame } from '../wire/frames.ts'
import { type BUTTONS, CURVE_POINTS, live, page } from './page.ts'

interface WindowContext {
  readonly cp: ChargePoint
  readonly idToken: string
  /** Of the car that is plugged in, in percent. */
  readonly soc?: number
  /** 0: any free one. */
  readonly port: number
}

export interface Window {
  readonly url: string
  seen(direction: 'in' | 'out', frame: Frame): void
  close(): Promise<void>
}

const RENEW_MS = 500
const FRAMES = 12

export async function openWindow({ cp, idToken, port, soc }: WindowContext): Promise<Window> {
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
    if (powersKw.length > CURVE_POINTS) powersKw.shift()
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
    seen(direction, frame) {
      frames.unshift({ direction, frame })
      frames.length = Math.min(frames.length, FRAMES)
    },
    async close() {
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
