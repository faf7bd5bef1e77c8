/** BENCH-B9: how late webhooks reach healthy receivers beside one dead endpoint with 2,000 due, against without it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { addCredential } from './search/api.ts'
import { type Measurement, percentile } from './verdict.ts'

export interface WebhookOptions {
  /** One owner may have 16, one of them is the dead one. */
  readonly healthy: number
  /** Due at the dead endpoint before the measurement. */
  readonly dead: number
  readonly eventsPerSecond: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export const WEBHOOKS: WebhookOptions = {
  healthy: 15,
  dead: 2000,
  eventsPerSecond: 10,
  warmUpMs: 2000,
  measureMs: 15_000,
}

export async function measureWebhooks(options: WebhookOptions = WEBHOOKS): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    const without = await latenciesMs(join(directory, 'without'), { ...options, dead: 0 })
    const beside = await latenciesMs(join(directory, 'beside'), options)
    const p99 = { without: percentile(without, 0.99), beside: percentile(beside, 0.99) }
    const expected = options.healthy * options.eventsPerSecond * (options.measureMs / 1000) * 0.9
    return [
      {
        id: 'B9',
        what: `delivery p99 of ${options.healthy} healthy receivers beside a dead one with ${options.dead} due`,
        ours: `${p99.beside.toFixed(0)} ms (p50 ${percentile(beside, 0.5).toFixed(0)} ms)`,
        limit: `${p99.without.toFixed(0)} ms without it (p50 ${percentile(without, 0.5).toFixed(0)} ms)`,
        ratio: p99.beside / p99.without,
        must: 1.3,
        aim: 1.05,
        better: 'lower',
        ...(Math.min(without.length, beside.length) < expected && { fault: 'healthy receivers missed deliveries' }),
      },
    ]
  })
}

/** From the envelope's time (the commit) to the arrival, one entry per delivery within the measurement. */
async function latenciesMs(directory: string, options: WebhookOptions): Promise<readonly number[]> {
  const server = await startPilotwire({ directory })
  const credential = await addCredential(join(directory, 'x.db'))
  const latencies: number[] = []
  let measuring = false
  const dead = await listen(() => undefined)
  const healthy = await Promise.all(
    Array.from({ length: options.healthy }, () =>
      listen((body, answer) => {
        if (measuring) latencies.push(Date.now() - Date.parse((JSON.parse(body) as { time: string }).time))
        answer()
      }),
    ),
  )
  const apiUrl = server.ocppUrl.replace('ws:', 'http:').replace('/ocpp', '')
  const subscribe = async (url: string): Promise<void> => {
    const response = await fetch(`${apiUrl}/2/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    })
    if (response.status !== 201)
      throw new Error(`The webhook was answered ${response.status}: ${await response.text()}`)
  }
  const station = await connect(server.ocppUrl)
  try {
    if (options.dead > 0) {
      await subscribe(dead.url)
      for (let count = 0; count < options.dead; count += 2) await station.charge()
    }
    for (const { url } of healthy) await subscribe(url)
    await play(station, options.eventsPerSecond, options.warmUpMs)
    measuring = true
    await play(station, options.eventsPerSecond, options.measureMs)
    await wait(500)
    return latencies
  } finally {
    station.close()
    await server.end()
    for (const { close } of [dead, ...healthy]) close()
  }
}

/** Each charge is two events: its start and its end. */
async function play(station: BenchStation, eventsPerSecond: number, durationMs: number): Promise<void> {
  const started = performance.now()
  const intervalMs = 2000 / eventsPerSecond
  for (let next = 0; next < durationMs; next += intervalMs) {
    await wait(Math.max(0, started + next - performance.now()))
    await station.charge()
  }
}

async function listen(
  respond: (body: string, answer: () => void) => void,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => respond(body, () => response.writeHead(204).end()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface BenchStation {
  charge(): Promise<void>
  close(): void
}

async function connect(ocppUrl: string): Promise<BenchStation> {
  const socket = new WebSocket(`${ocppUrl}/B9`, 'ocpp1.6')
  await once(socket, 'open')
  let number = 0
  const call = async (action: string, payload: object): Promise<{ readonly transactionId?: number }> => {
    socket.send(JSON.stringify([2, `b9-${number++}`, action, payload]))
    const [message] = (await once(socket, 'message')) as [Buffer]
    const [, , answer] = JSON.parse(message.toString()) as [number, string, { transactionId?: number }]
    return answer
  }
  await call('BootNotification', { chargePointVendor: 'Bench', chargePointModel: 'B9' })
  return {
    async charge() {
      const timestamp = new Date().toISOString()
      const { transactionId } = await call('StartTransaction', {
        connectorId: 1,
        idTag: 'B9',
        meterStart: number,
        timestamp,
      })
      await call('StopTransaction', { transactionId, meterStop: number, timestamp })
    },
    close: () => socket.terminate(),
  }
}
