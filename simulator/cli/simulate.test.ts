import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Command, CommanderError } from 'commander'
import { afterEach, describe, expect, it } from 'vitest'
import type { CliContext } from '../../src/server/cli/cli-context.ts'
import { ExitCode } from '../../src/server/cli/output/print.ts'
import {
  type CentralSystem,
  type CentralSystemOptions,
  type ReceivedCall,
  startCentralSystem,
} from '../central-system.ts'
import { fleetIds, mixedVersions, numberedIds, startDelayMs } from '../fleet/ids.ts'
import { cleanUp, tidy } from '../network.testing.ts'
import { carOf } from './plan.ts'
import { apiAddress, curlLines } from './session-lookup.ts'
import { registerSimulate } from './simulate.ts'

afterEach(tidy)

async function central(options: CentralSystemOptions = {}): Promise<CentralSystem> {
  const system = await startCentralSystem(options)
  cleanUp.push(() => system.close())
  return system
}

async function simulate(...args: string[]) {
  const out: string[] = []
  const notes: string[] = []
  await simulateWith({}, { out, notes }, ...args)
  return { out, notes }
}

/** What was said is kept even when the command fails. */
async function simulateWith(
  environment: Readonly<Record<string, string>>,
  { out, notes }: { out: string[]; notes: string[] },
  ...args: string[]
): Promise<void> {
  const context: CliContext = {
    environment,
    out: (text) => void out.push(text),
    note: (text) => void notes.push(text),
    now: () => Date.now(),
    random: (bytes) => Buffer.alloc(bytes),
    terminal: false,
  }
  const program = new Command('pilotwire').exitOverride().configureOutput({ writeErr: () => undefined })
  registerSimulate(program, context)
  await program.parseAsync(['simulate', ...args], { from: 'user' })
}

describe('pilotwire simulate', () => {
  it.each(['1.6', '2.0.1'])(
    'SERVER-B3: runs a full charge over OCPP %s and prints it as one JSON object',
    async (ocpp) => {
      const system = await central()
      const { out } = await simulate('--url', system.url, '--ocpp', ocpp, '--speed', 'max', '--energy', '3', '--json')
      expect(out).toHaveLength(1)
      const verdict = JSON.parse(out[0] ?? '')
      const members = 'ok stations sessions calls callErrors timeouts latencyMs assertions'
      expect(Object.keys(verdict).join(' ')).toBe(members)
      expect(verdict).toMatchObject({ ok: true, stations: 1, callErrors: 0, timeouts: 0 })
      expect(verdict.sessions).toMatchObject([
        { evseControllerId: 'SIM-001', transactionId: expect.stringMatching(/./) },
      ])
      expect(verdict.sessions[0].energyKwh).toBeGreaterThan(2)
      expect(verdict.sessions[0].energyKwh).toBeLessThan(3.2)
      expect(verdict.calls).toBeGreaterThan(10)
      expect(system.violations).toEqual([])
    },
  )

  it('SERVER-B3: says what to curl', async () => {
    const system = await central()
    const said = { out: [] as string[], notes: [] as string[] }
    await simulateWith({ PILOTWIRE_PORT: new URL(system.url).port }, said, '--speed', 'max')
    expect(said.out.join('\n')).toMatch(/transaction +1/)
    for (const address of [
      '/2/sessions?evseControllerId=SIM-001&limit=1',
      '/2/evse-controllers/SIM-001/commands/search',
    ])
      expect(said.notes.join('\n')).toContain(address)
    expect(said.notes.join('\n')).toContain('$PILOTWIRE_API_CREDENTIAL')
  })

  it('shows its steps where stderr is no terminal', async () => {
    const system = await central()
    const { notes } = await simulate('--url', system.url, '--speed', 'max')
    const steps = ['connecting', 'booting', 'plugged in', 'charging']
    expect(notes.slice(0, 4)).toEqual(steps.map((step) => `SIM-001: ${step}`))
  })

  it('says how to start a server when none listens', async () => {
    const system = await startCentralSystem()
    await system.close()
    await expect(simulate('--url', system.url, '--speed', 'max')).rejects.toThrow(
      `no server at ${system.url}: start it`,
    )
    const said = { out: [], notes: [] as string[] }
    await expect(simulateWith({ PILOTWIRE_PORT: new URL(system.url).port }, said)).rejects.toThrow('no server at')
    expect(said.notes.join('\n')).toContain('`pilotwire serve` starts a server')
  })

  it.each([
    [401, 'refused the password'],
    [403, 'disabled'],
    [404, 'does not know this charge point'],
    [503, 'too busy'],
  ])('explains an upgrade refused with %i', async (status, sentence) => {
    const server = createServer()
    server.on('upgrade', (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`))
    const port = await listen(server)
    await expect(simulate('--url', `ws://127.0.0.1:${port}/ocpp`, '--speed', 'max')).rejects.toThrow(sentence)
  })

  it.each([
    ['takes the charge', {}],
    ['refuses the card', { tokenStatus: () => 'Invalid' }],
    ['refuses the charge point', undefined],
  ])('SIM-B5: to a server that is another’s and %s no command of Pilotwire is named', async (_name, options) => {
    const said = { out: [] as string[], notes: [] as string[] }
    const server = createServer()
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 401 No\r\nConnection: close\r\n\r\n'))
    const url = options ? (await central(options)).url : `ws://127.0.0.1:${await listen(server)}/ocpp`
    const message = await simulateWith({}, said, '--url', url, '--speed', 'max').then(
      () => '',
      (error: Error) => error.message,
    )
    expect([...said.out, ...said.notes, message].join('\n')).not.toMatch(/pilotwire|npm |curl/i)
  })

  const says = async (status: 'Invalid' | 'Blocked' | 'ConcurrentTx', idToken: string): Promise<string> => {
    const system = await central({ tokenStatus: () => status })
    const said = { out: [], notes: [] as string[] }
    const { port } = new URL(system.url)
    const charge = simulateWith({ PILOTWIRE_PORT: port }, said, '--id-token', idToken, '--speed', 'max')
    await expect(charge).rejects.toThrow(`refused the token ${idToken}: ${status}`)
    return said.notes.join('\n').replaceAll(`http://localhost:${port}`, 'http://server')
  }
  const CURL = 'curl -H "Authorization: Bearer $PILOTWIRE_API_CREDENTIAL" -H \'Content-Type: application/json\''

  it('says how to register a card that the central system does not know, as one line for a shell', async () => {
    expect(await says('Invalid', 'NEW')).toContain(`\n  ${CURL} -d '{"id":"NEW"}' 'http://server/2/id-tokens'`)
    expect(await says('Invalid', "O'B")).toContain(`-d '{"id":"O'\\''B"}'`)
  })

  it('says how to let a card charge that is known but blocked, and nothing where it charges elsewhere', async () => {
    expect(await says('Blocked', 'A B')).toContain(
      `${CURL.replace('curl', 'curl -X PATCH')} -d '{"status":"Accepted","expiresAt":null}' 'http://server/2/id-tokens/A%20B'`,
    )
    expect(await says('ConcurrentTx', 'X')).not.toContain('curl')
  })

  it('without --url it goes where the settings say that the server is', async () => {
    const system = await startCentralSystem()
    const { port } = new URL(system.url)
    await simulateWith({ PILOTWIRE_PORT: port }, { out: [], notes: [] }, '--speed', 'max')
    await system.close()
    for (const [environment, url] of [
      [{ PILOTWIRE_PORT: port }, `ws://localhost:${port}/ocpp`],
      [{ PILOTWIRE_BASE_URL: `http://127.0.0.1:${port}/base` }, `ws://127.0.0.1:${port}/base/ocpp`],
      [{ PILOTWIRE_BASE_URL: `https://localhost:${port}` }, `wss://localhost:${port}/ocpp`],
    ] as const) {
      const charge = simulateWith(environment, { out: [], notes: [] }, '--speed', 'max')
      await expect(charge).rejects.toThrow(`no server at ${url}: `)
    }
    await expect(simulateWith({ PILOTWIRE_PORT: '0' }, { out: [], notes: [] })).rejects.toThrow('--url')
    await expect(simulateWith({ PILOTWIRE_PORT: 'x' }, { out: [], notes: [] })).rejects.toThrow('PILOTWIRE_PORT')
    const voltage = simulateWith({ PILOTWIRE_VOLTAGE: '12' }, { out: [], notes: [] }, '--url', 'ws://127.0.0.1:1/ocpp')
    await expect(voltage).rejects.toThrow('PILOTWIRE_VOLTAGE: Expected a number from 100 to 1000.')
    await expect(simulate('--voltage', '12')).rejects.toThrow('Expected a number from 100 to 1000.')
  })

  it('shows the session when it has an API credential', async () => {
    const system = await central()
    const asked: string[] = []
    const url = await withApi(system, (request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`)
      response.setHeader('content-type', 'application/json')
      const sessions = Array.from({ length: 20_000 }, (_value, wh) => ({
        id: 'S-1',
        state: 'completed',
        energyKwh: wh / 1000,
      }))
      response.end(JSON.stringify({ data: sessions, meta: {} }))
    })
    const { out } = await simulate('--url', url, '--speed', 'max', '--credential', 'pwk_x')
    expect(out.join('\n')).toContain('"id": "S-1"')
    expect(asked[0]).toBe('/2/sessions?evseControllerId=SIM-001&limit=20 Bearer pwk_x')
  })

  it.each([
    ['refuses the credential', (_request: IncomingMessage, response: ServerResponse) => response.writeHead(401).end()],
    ['does not answer', (request: IncomingMessage) => request.socket.destroy()],
  ])('a charge is printed although the API %s', async (reason, answer) => {
    const url = await withApi(await central(), answer)
    const said = { out: [], notes: [] }
    const charge = simulateWith({}, said, '--url', url, '--speed', 'max', '--credential', 'pwk_wrong')
    await expect(charge).rejects.toThrow(ExitCode)
    expect(said.out.join('\n')).toMatch(/energy +\d/)
    expect(said.notes.join('\n')).toMatch(new RegExp(`error: the API.*${reason.replace('refuses', 'refused')}`))
  })

  it('a fleet asks an API that does not answer once, not station by station', async () => {
    let asked = 0
    const url = await withApi(await central(), (request) => {
      asked++
      request.socket.destroy()
    })
    const said = { out: [], notes: [] }
    const fleet = simulateWith({}, said, '--url', url, '--speed', 'max', '--fleet', '30', '--credential', 'pwk_x')
    await expect(fleet).rejects.toThrow(ExitCode)
    expect(asked).toBeLessThan(10)
    expect(said.out.join('\n')).toMatch(/sessions +30/)
  })

  it.each([
    [['--duration', 'soon']],
    [['--energy', '-1']],
    [['--fleet', '1.5']],
    [['--url', 'http://localhost']],
    [['--ocpp', '3']],
    [['--id', '']],
    [['--api', '--json']],
    [['--vehicle', 'tractor']],
    [['--vehicle', 'compact:0']],
    [['--soc', '80-10']],
    [['--soc', '101']],
    [['--model', 'a name that is longer than twenty']],
    [['--sample', '0']],
  ])('refuses %j before it connects', async (args) => {
    await expect(simulate(...args)).rejects.toBeInstanceOf(CommanderError)
  })
})

/** One port serves both in Pilotwire; here a proxy joins the two. @returns the OCPP address */
async function withApi(system: CentralSystem, answer: RequestListener): Promise<string> {
  const api = createServer(answer)
  const target = new URL(system.url)
  api.on('upgrade', (request, socket, head) => {
    const upstream = connect(Number(target.port), target.hostname)
    const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
    upstream.write(head)
    socket.pipe(upstream).pipe(socket)
    socket.on('error', () => upstream.destroy())
    upstream.on('error', () => socket.destroy())
  })
  return `ws://127.0.0.1:${await listen(api)}/ocpp`
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('addresses and ids', () => {
  it.each([
    ['ws://localhost:8080/ocpp', 'http://localhost:8080'],
    ['wss://charge.example.com/ocpp/', 'https://charge.example.com'],
    ['wss://example.com/base/ocpp', 'https://example.com/base'],
  ])('%s belongs to the API at %s', (ocpp, api) => {
    expect(apiAddress(ocpp)).toBe(api)
  })

  it('the curl lines quote the identity and look from the start of the charge', () => {
    const charge = {
      evseControllerId: 'A b',
      protocol: 'ocpp1.6',
      transactionId: '7',
      energyWh: 1,
      startedAt: 60_000,
      stoppedAt: 61_000,
      endedBy: 'station' as const,
      undeliveredMessages: 0,
    }
    const lines = curlLines('http://x', charge)
    expect(lines[0]).toContain("'http://x/2/sessions?evseControllerId=A%20b&limit=1'")
    expect(lines[1]).toContain(`{"from":"1970-01-01T00:00:00.000Z","transactionId":"7"}`)
  })

  it.each([
    ['SIM-001', ['SIM-001', 'SIM-002', 'SIM-003']],
    ['CP', ['CP-001', 'CP-002', 'CP-003']],
    ['9', ['9', '10', '11']],
    ['X-99999999999999999999', ['X-99999999999999999999', 'X-100000000000000000000', 'X-100000000000000000001']],
  ])('a fleet of three from %s is %j', (first, ids) => {
    expect(fleetIds(first, 3)).toEqual(ids)
  })

  it.each(['DEPOT', 'SIM-001'])(
    'a single station is %s and nothing else: its password belongs to that identity',
    (id) => {
      expect(fleetIds(id, 1)).toEqual([id])
    },
  )

  it('a fleet begins at its ramp', () => {
    expect([0, 5, 10].map((position) => startDelayMs(position, 10))).toEqual([0, 500, 1000])
  })

  it('--count numbers a fleet behind its prefix', () => {
    expect(numberedIds('DEPOT', 3)).toEqual(['DEPOT-00001', 'DEPOT-00002', 'DEPOT-00003'])
    expect(numberedIds('DEPOT', 1)).toEqual(['DEPOT'])
  })

  it('SIM-B6: cars come in their shares and with their batteries, the same ones for the same seed', () => {
    const plan = {
      vehicle: [
        { vehicle: 'compact', weight: 60 },
        { vehicle: 'hybrid', weight: 40 },
      ],
      soc: { least: 10, most: 80 },
    }
    const cars = (seed: number) => numberedIds('CAR', 400).map((id) => carOf(plan, seed, id))
    const compact = cars(1).filter(({ vehicle }) => vehicle === 'compact').length
    expect(compact).toBeGreaterThan(200)
    expect(compact).toBeLessThan(280)
    expect(new Set(cars(1).map(({ soc }) => soc)).size).toBeGreaterThan(100)
    expect(cars(1).every(({ soc }) => soc >= 10 && soc <= 80)).toBe(true)
    expect(cars(1)).toEqual(cars(1))
    expect(cars(2)).not.toEqual(cars(1))
    expect(carOf({}, 1, 'CAR')).toEqual({ soc: 35 })
  })

  it('SIM-B6: car, battery, name plate and sample interval reach the server', async () => {
    const calls: ReceivedCall[] = []
    const system = await central({ received: (call) => calls.push(call) })
    await simulate(
      ...['--url', system.url, '--speed', 'max', '--vehicle', 'hybrid', '--soc', '50', '--sample', '300'],
      ...['--vendor', 'Example', '--model', 'Twin', '--duration', '1200'],
    )
    const [boot] = calls
    expect(boot?.request).toMatchObject({ chargePointVendor: 'Example', chargePointModel: 'Twin' })
    const samples = calls.filter(({ method }) => method === 'MeterValues')
    expect(samples).toHaveLength(4)
    const text = JSON.stringify(samples[0]?.request)
    expect(text).toMatch(/"value":"5\d","context":"Sample.Periodic","measurand":"SoC"/)
    expect(text).toMatch(/"value":"3[56]\d\d","context":"Sample.Periodic","measurand":"Power/)
  })

  it('a mix is even, whatever the count', () => {
    const shares = [
      { version: '1.6' as const, weight: 70 },
      { version: '2.0.1' as const, weight: 30 },
    ]
    expect(mixedVersions(shares, 10).filter((version) => version === '2.0.1')).toHaveLength(3)
    expect(mixedVersions(shares, 1)).toEqual(['1.6'])
  })
})
