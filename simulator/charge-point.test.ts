import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Protocol } from '../src/domain/ports/core.ts'
import { systemClock } from '../src/server/system.ts'
import {
  type CentralSystem,
  type CentralSystemOptions,
  type ReceivedCall,
  startCentralSystem,
} from './central-system.ts'
import { type ChargePoint, type ChargePointOptions, createChargePoint } from './charge-point.ts'
import { cleanUp, tidy } from './network.testing.ts'
import { fullCharge } from './stories/full-charge.testing.ts'

const TOKEN = { id: 'CARD-1', type: 'ISO14443' }
const PROTOCOLS: readonly Protocol[] = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1']

afterEach(tidy)

interface World {
  readonly central: CentralSystem
  readonly calls: ReceivedCall[]
  readonly problems: string[]
  readonly chargePoint: ChargePoint
  readonly methods: () => string[]
}

async function connectTo(
  protocol: Protocol,
  central: CentralSystemOptions = {},
  station: Partial<ChargePointOptions> = {},
): Promise<World> {
  const calls: ReceivedCall[] = []
  const problems: string[] = []
  const system = await startCentralSystem({ ...central, received: (call) => void calls.push(call) })
  cleanUp.push(() => system.close())
  const chargePoint = createChargePoint({
    protocol,
    url: system.url,
    id: 'SIM 1/a',
    timeScale: 600,
    messageRetryIntervalMs: 5,
    problem: (message) => void problems.push(message),
    ...station,
  })
  cleanUp.push(() => chargePoint.powerOff())
  return { central: system, calls, problems, chargePoint, methods: () => calls.map((call) => call.method) }
}

describe.each(PROTOCOLS)('a full charge over %s', (protocol) => {
  it('OCPP-RP13: boots, plugs, authorises, charges, pauses, stops; every frame is schema-valid', async () => {
    const world = await connectTo(protocol)
    const steps: string[] = []
    const summary = await fullCharge(world.chargePoint, {
      clock: systemClock,
      idToken: TOKEN,
      durationMs: 800,
      energyWh: 5_000,
      step: (step) => void steps.push(step),
    })
    expect(world.central.violations).toEqual([])
    expect(world.problems).toEqual([])
    expect(steps.join()).toBe('connecting,booting,plugged in,charging,suspended,charging,stopped,done')
    expect(summary).toMatchObject({ evseControllerId: 'SIM 1/a', protocol, endedBy: 'station', undeliveredMessages: 0 })
    expect(summary.transactionId).toBeDefined()
    // A busy machine charges for longer than it was told to, and so more.
    const elapsedMs = summary.stoppedAt - summary.startedAt
    expect(elapsedMs).toBeGreaterThan(500)
    expect(summary.energyWh).toBeGreaterThan(3_500)
    expect(summary.energyWh).toBeLessThan((7_000 * Math.max(800, elapsedMs)) / 800)
    const start = protocol === 'ocpp1.6' ? 'StartTransaction' : 'TransactionEvent'
    expect(world.methods().slice(0, 2)).toEqual([
      'BootNotification',
      protocol === 'ocpp2.1' ? 'NotifyEvent' : 'StatusNotification',
    ])
    expect(world.methods().indexOf('Authorize')).toBeLessThan(world.methods().indexOf(start))
  })

  it('stamps messages with the wall clock although the physics run faster', async () => {
    const world = await connectTo(protocol)
    const before = Date.now()
    await fullCharge(world.chargePoint, { clock: systemClock, idToken: TOKEN, durationMs: 300, energyWh: 3_000 })
    const stamps = world.calls.flatMap((call) =>
      call.request.timestamp ? [Date.parse(String(call.request.timestamp))] : [],
    )
    expect(Math.min(...stamps)).toBeGreaterThanOrEqual(before)
    expect(Math.max(...stamps)).toBeLessThanOrEqual(Date.now())
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b))
  })

  it('OCPP-DR5: a connection that is gone at the end is waited for, and the end of the charge still said', async () => {
    const world = await connectTo(protocol, {}, { reconnect: false })
    const steps: string[] = []
    const summary = await fullCharge(world.chargePoint, {
      clock: systemClock,
      idToken: TOKEN,
      durationMs: 300,
      energyWh: 3_000,
      step(step) {
        steps.push(step)
        // The second one, after the pause.
        if (step === 'charging' && steps.includes('suspended')) void world.central.cut(world.chargePoint.id)
        if (step === 'waiting for the connection') void world.chargePoint.connect()
      },
    })
    expect(steps.at(-2)).toBe('waiting for the connection')
    expect(summary.undeliveredMessages).toBe(0)
    const ended = world.calls.filter((call) => call.method === 'StopTransaction' || call.request.eventType === 'Ended')
    expect(ended).toHaveLength(1)
  })

  it('waits for its approval while Pending', async () => {
    let approved = false
    const world = await connectTo(protocol, {
      registration: () => (approved ? 'Accepted' : 'Pending'),
      bootIntervalSeconds: 1,
    })
    await world.chargePoint.connect()
    expect(await world.chargePoint.boot()).toBe('Pending')
    expect(world.chargePoint.snapshot().registered).toBe(false)
    approved = true
    await expect.poll(() => world.chargePoint.snapshot().registered).toBe(true)
  })
})

it('SIM-B2: a server that takes the connection and never answers is named', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const silent = createChargePoint({
    protocol: 'ocpp1.6',
    url: `ws://127.0.0.1:${port}/ocpp`,
    id: 'SILENT',
    handshakeTimeoutMs: 200,
  })
  await expect(silent.connect()).rejects.toThrow('takes the connection but does not answer')
  await silent.powerOff()
  for (const socket of sockets) socket.destroy()
  server.close()
})
