import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { run } from '../src/server/cli/run.ts'
import { type Json, openHouse } from './house.ts'
import { startCli } from './support/server/cli/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-simulator-'))

const house = await openHouse({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await house.closeClean()
})

const simulate = (...args: string[]) => cli(['simulate', ...args])

async function cli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; notes: string }> {
  const out: string[] = []
  const notes: string[] = []
  const code = await run(args, {
    environment,
    out: (text) => out.push(text),
    note: (text) => notes.push(text),
    now: Date.now,
    random: randomBytes,
    terminal: false,
  })
  return { code, out: out.join('\n'), notes: notes.join('\n') }
}

const here = (...args: string[]) =>
  simulate('--url', house.ocppUrl, '--api', house.credential, '--speed', 'max', '--json', ...args)

interface Verdict {
  readonly ok: boolean
  readonly stations: number
  readonly sessions: readonly { evseControllerId: string; energyKwh: number }[]
  readonly calls: number
  readonly callErrors: number
  readonly assertions: readonly { name: string; ok: boolean; detail?: string }[]
}
const verdictOf = ({ out }: { out: string }) => JSON.parse(out) as Verdict

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('SIM-B1: a verdict for programs', () => {
  it('a mixed fleet with a fault and an outage charges, and the API shows the energy of every meter', async () => {
    const ended = await here(
      ...['--count', '12', '--id', 'MIX', '--mix', '1.6:50,2.0.1:50', '--connectors', '2'],
      ...['--duration', '1200', '--offline-for', '300', '--fault', 'OverVoltage', '--seed', '5', '--ramp', '1000'],
    )
    const verdict = verdictOf(ended)
    expect(ended.code).toBe(0)
    expect(verdict).toMatchObject({ ok: true, stations: 12, callErrors: 0 })
    expect(verdict.sessions).toHaveLength(24)
    expect(verdict.assertions.map(({ name }) => name)).toContain('the API shows the energy of every meter')
    expect(new Set(verdict.sessions.map(({ evseControllerId }) => evseControllerId))).toContain('MIX-00012')
    const versions = new Set((await house.rows('MIX-00002')).map(({ protocol }) => protocol))
    expect(versions).toEqual(new Set(['ocpp2.0.1']))
  })

  it('OCPP21-E1: --ocpp 2.1 is a whole charge, with the energy of its meter in the API', async () => {
    const ended = await here('--ocpp', '2.1', '--id', 'CLI-21', '--seed', '3', '--fault', 'OverVoltage')
    expect(ended.code).toBe(0)
    expect(verdictOf(ended)).toMatchObject({ ok: true, callErrors: 0 })
    expect(new Set((await house.rows('CLI-21')).map(({ protocol }) => protocol))).toEqual(new Set(['ocpp2.1']))
    expect(await house.rows('CLI-21', { method: ['StatusNotification'] })).toEqual([])
  })

  it('OCPP21-E1: a server that does not allow 2.1 refuses it, and the command says what allows it', async () => {
    const older = await openHouse()
    const ended = await simulate('--url', older.ocppUrl, '--api', older.credential, '--ocpp', '2.1', '--id', 'CLI-21')
    await older.closeClean()
    expect(ended.code).toBe(1)
    expect(ended.notes).toContain('PILOTWIRE_OCPP_VERSIONS=1.6,2.0.1,2.1')
  })

  it('a scenario is one assertion for each of its steps', async () => {
    const ended = await here('--scenario', 'remote-start', '--id', 'CLI-SCENARIO', '--ocpp', '2.0.1')
    expect(ended.code).toBe(0)
    expect(verdictOf(ended).assertions.length).toBeGreaterThan(7)
  })

  it('an assertion that does not hold says what was there instead, and ends with 1', async () => {
    const path = file(
      'wrong.yaml',
      'title: Wrong\nsteps:\n  - boot\n  - plug\n  - swipe: { token: A, expect: refused }\n',
    )
    const ended = await here('--scenario', path, '--id', 'CLI-WRONG')
    expect(ended.code).toBe(1)
    expect(verdictOf(ended)).toMatchObject({ ok: false })
    expect(verdictOf(ended).assertions.find(({ ok }) => !ok)).toMatchObject({
      name: 'wrong line 5: swipe A',
      detail: 'the outcome is "started", expected "refused"',
    })
  })

  it('quirks on the command line reach the server', async () => {
    const ended = await here('--quirk', 'duplicate-start,numeric-values', '--id', 'CLI-QUIRK')
    expect(ended.code).toBe(0)
    const starts = await house.rows('CLI-QUIRK', { method: ['StartTransaction'] })
    expect(starts).toHaveLength(2)
  })

  it('SIM-B1: a run whose quirk rounds the stop down failed, because the API shows what the station said', async () => {
    const ended = await here('--quirk', 'meter-stop-below-start', '--id', 'CLI-ROUNDED')
    expect(ended.code).toBe(0)
    const [shown] = await house.sessions('CLI-ROUNDED')
    const [charged] = verdictOf(ended).sessions
    expect(Number(shown?.energyKwh)).toBeCloseTo(Number(charged?.energyKwh) - 0.001, 6)
  })

  it.each([
    ['closed', 100],
    ['open:200', 150],
  ])('SIM-B4: a load that is %s, with a storm of reconnects, costs no session and no energy', async (load, least) => {
    const id = `LOAD-${load.replace(':', '-')}`
    const ended = await here(
      ...['--count', '6', '--id', id, '--load', load, '--duration', '2'],
      ...['--storm', '1', '--mix', '1.6:1,2.0.1:1'],
    )
    expect(verdictOf(ended).assertions.filter(({ ok }) => !ok)).toEqual([])
    expect(ended.code).toBe(0)
    expect(verdictOf(ended).calls).toBeGreaterThan(least)
    expect(verdictOf(ended).sessions).toHaveLength(6)
  })

  it('lists are data', async () => {
    const scenarios = JSON.parse((await simulate('--list-scenarios', '--json')).out) as Json[]
    expect(Object.keys(scenarios[0] ?? {})).toEqual(['name', 'title', 'versions'])
    const quirks = JSON.parse((await simulate('--list-quirks', '--json')).out) as Json[]
    expect(Object.keys(quirks[0] ?? {})).toEqual(['name', 'title', 'reference', 'expected', 'versions'])
    expect((await simulate('--list-scenarios')).out).toContain('power-cut')
  })
})

describe('SIM-E1: a trace of the log is said again', () => {
  it('answers that are the same pass, answers that differ fail with their line', async () => {
    await here('--id', 'TRACED', '--duration', '600', '--seed', '3')
    const path = join(folder, 'traced.jsonl')
    const args = ['commands', 'export', '--from', '1h', '--charge-point', 'TRACED', '--trace', path]
    await cli(args, { PILOTWIRE_DATABASE_URL: `file:${house.database}` })
    const text = readFileSync(path, 'utf8')
    const [head, first] = text.split('\n')
    expect(JSON.parse(head ?? '')).toEqual({ protocol: 'ocpp1.6', chargePointId: 'TRACED' })
    const boot = JSON.parse(first ?? '') as { direction: string; frame: readonly unknown[] }
    expect([boot.direction, boot.frame[0], boot.frame[2]]).toEqual(['in', 2, 'BootNotification'])
    const again = await simulate('--url', house.ocppUrl, '--replay', path, '--id', 'TRACED-AGAIN', '--json')
    expect(verdictOf(again).assertions.filter(({ ok }) => !ok)).toEqual([])
    expect(again.code).toBe(0)
    const sessions = await house.sessions('TRACED-AGAIN')
    expect(sessions).toMatchObject([{ state: 'completed' }])
    expect(sessions[0]?.energyKwh).toBe((await house.sessions('TRACED'))[0]?.energyKwh)

    const changed = file('changed.jsonl', text.replaceAll('"interval":300', '"interval":299'))
    const different = await simulate('--url', house.ocppUrl, '--replay', changed, '--id', 'TRACED-OTHER', '--json')
    expect(different.code).toBe(1)
    expect(verdictOf(different).assertions.find(({ ok }) => !ok)).toMatchObject({
      name: 'line 2: BootNotification',
      detail: expect.stringContaining('interval is 300, expected 299'),
    })
  })

  it.each([
    ['', 'holds no frame'],
    ['nonsense', ':1: this is no JSON object'],
    ['{"at":"soon","direction":"in","frame":[2,"a","Heartbeat",{}]}', ':1: at is "soon"'],
    ['{"protocol":"ocpp1.5"}\n', ':1: protocol is "ocpp1.5"'],
    ['{"at":1,"direction":"up","frame":[2,"a","Heartbeat",{}]}', ':1: direction is "up"'],
    ['{"at":1,"direction":"in","frame":[9]}', ':1: frame is no OCPP frame'],
  ])('a trace of %j is wrong usage', async (text, sentence) => {
    const ended = await simulate('--url', house.ocppUrl, '--replay', file('bad.jsonl', text))
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.notes).toContain(sentence)
  })
})

describe('SIM-C2: a scenario that is wrong says where, and what was expected', () => {
  it.each([
    ['title: x\nsteps:\n  - plugin: 1\n', ':3: there is no step "plugin": did you mean plug?'],
    ['title: x\nsteps:\n  - wait: soon\n', ':3: wait: seconds is "soon": expected seconds, 0 or more'],
    ['title: x\nsteps:\n  - swipe: {token: A, expct: started}\n', 'there is no member "expct": did you mean expect?'],
    ['title: x\nversions: [1.6]\nsteps:\n  - boot\ncolour: red\n', ':5: there is no member "colour"'],
    ['title: x\nsteps: []\n', ':2: steps is missing or empty'],
    ['steps:\n  - boot\n', ':1: title is missing: expected a sentence'],
    ['title: x\nsteps:\n  - fault\n', ':3: fault: code is missing: expected one of'],
    ['title: [\n', 'no YAML'],
    ['- boot\n', ':1: expected members title'],
    ['title: x\nsteps:\n  - plug\n  - wait: 60\n', ':3: no step sends anything'],
    ['title: x\nsteps:\n  - boot\n  - fault: Rain\n', ':4: fault: code is "Rain": expected one of ConnectorLock'],
    ['title: x\nsteps:\n  - boot\n  - session: { state: done }\n', ':4: session: state is "done"'],
    ['title: x\nsteps:\n  - boot\n  - connectorIs: { status: Busy }\n', ':4: connectorIs: status is "Busy"'],
    ['title: x\nsteps:\n  - boot\n  - said: Boot\n', ':4: said: there is no method Boot in OCPP 1.6'],
    [
      'title: x\nsteps:\n  - boot\n  - said: StartTransaction\n',
      ':4: said: there is no method StartTransaction in OCPP 2.0.1',
    ],
    [`title: x\nsteps:\n  - boot\n  - swipe: "\${cart}"\n`, `:4: swipe: there is no \${cart}: did you mean card?`],
    ['title: x\nsteps:\n  - boot\n  - plug: 2\n', ':4: plug: connector is 2: this scenario has 1'],
    ['title: x\nsteps:\n  - boot\n  - plug: { soc: 120 }\n', ':4: plug: soc is 120: expected a number from 0 to 100'],
    [
      'title: x\nquirks: [stop-without-id]\nsteps:\n  - boot\n',
      ':2: the quirk stop-without-id is not of every version',
    ],
    ['title: x\nsteps:\n  - boot\n  - limit: { source: SO }\n', ':4: limit: expected amps or watts'],
    ['title: x\nsteps:\n  - boot\n  - plug: { needs: {} }\n', ':4: plug: needs without energyKwh'],
    ['title: x\nquirks: [nothing]\nsteps:\n  - boot\n', ':2: quirks is ["nothing"]'],
  ])('%j', async (text, sentence) => {
    const ended = await simulate('--url', house.ocppUrl, '--scenario', file('fault.yaml', text))
    expect(ended.code).toBe(2)
    expect(ended.notes).toContain(sentence)
    expect(ended.notes).not.toMatch(/\n\s+at /)
  })

  it('a scenario that acts wants a credential before it begins', async () => {
    const ended = await simulate('--url', house.ocppUrl, '--scenario', 'remote-start')
    expect(ended.code).toBe(2)
    expect(ended.notes).toContain('give a credential with --api')
  })

  it.each([
    [['--scenario', 'power-cutt'], 'did you mean power-cut?'],
    [['--scenario', '/nowhere/x.yaml'], 'cannot be read (ENOENT)'],
    [['--quirk', 'no-pongs'], 'did you mean no-pong?'],
    [['--quirk', 'stop-without-id', '--ocpp', '2.0.1'], 'is one of OCPP 1.6 alone'],
    [['--replay', '/nowhere/x.jsonl'], 'cannot be read (ENOENT)'],
    [['--stay', '--scenario', 'power-cut'], '--scenario and --stay do not go together'],
    [['--load', 'closed', '--scenario', 'power-cut'], '--scenario and --load do not go together'],
    [['--ui', '--replay', 'x.jsonl'], '--replay and --ui do not go together'],
    [['--ui', '--count', '2'], '--ui is one station'],
    [['--count', '2', '--fleet', '2'], '--count and --fleet do not go together'],
    [['--storm', '2'], '--storm is a part of --load'],
    [['--scenario', 'power-cut', '--energy', '5'], '--energy does nothing with --scenario'],
    [['--scenario', 'power-cut', '--connectors', '2'], '--connectors does nothing with --scenario'],
    [['--load', 'closed', '--offline-for', '5'], '--offline-for does nothing with --load'],
    [['--stay', '--fault', 'OverVoltage'], '--fault does nothing with --stay'],
    [['--ui', '--duration', '60'], '--duration does nothing with --ui'],
    [['--replay', 'x.jsonl', '--quirk', 'no-pong'], '--quirk does nothing with --replay'],
    [['--mix', '1.6:1,2.0.1:1', '--ocpp', '1.6'], '--mix and --ocpp do not go together'],
    [['--ramp', '5'], '--ramp is about a fleet'],
    [['--vendor', 'a vendor of more than twenty'], '--vendor has at most 20 characters in OCPP 1.6'],
  ])('%j is wrong usage', async (args, sentence) => {
    const ended = await simulate('--url', house.ocppUrl, ...args)
    expect(ended.code).toBe(2)
    expect(ended.notes).toContain(sentence)
  })
})

describe('SIM-B2: a server that is not one', () => {
  const servers: Server[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })
  const listening = (answer: (socket: Socket) => void): Promise<string> =>
    new Promise((resolve) => {
      const server = createServer(answer).listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number }
        resolve(`ws://127.0.0.1:${port}/ocpp`)
      })
      servers.push(server)
    })

  it.each([
    ['closes at once', (socket: Socket) => void socket.destroy(), 'closed the connection at once'],
    ['talks nonsense', (socket: Socket) => void socket.end('SSH-2.0-OpenSSH_9\r\n'), 'does not speak HTTP'],
    [
      'is a web page',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'),
      'no OCPP server (HTTP 200)',
    ],
  ])('%s', async (_name, answer, sentence) => {
    const ended = await simulate('--url', await listening(answer), '--speed', 'max')
    expect(ended.code).toBe(1)
    expect(ended.notes).toContain(sentence)
    expect(ended.notes).not.toMatch(/\n\s+at /)
  })

  it('refuses the password', async () => {
    const registered = { id: 'CLI-PASSWORD', password: 'a-password-of-24-letters' }
    expect((await house.request('POST', '/2/evse-controllers', registered)).status).toBe(201)
    const wrong = await here('--id', 'CLI-PASSWORD', '--password', 'another-of-twenty-two')
    expect(wrong.code).toBe(1)
    expect(wrong.notes).toContain('--password')
    expect((await here('--id', 'CLI-PASSWORD', '--password', registered.password)).code).toBe(0)
  })
})

describe('SIM-B3: the processes', () => {
  it('Ctrl-C closes the socket with a close frame', async () => {
    const closes: number[] = []
    const server = new WebSocketServer({ port: 0, handleProtocols: () => 'ocpp1.6' })
    server.on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const [, id] = JSON.parse(data.toString()) as [number, string]
        const answer = {
          status: 'Accepted',
          interval: 300,
          currentTime: new Date().toISOString(),
          transactionId: 1,
          idTagInfo: { status: 'Accepted' },
        }
        socket.send(JSON.stringify([3, id, answer]))
      })
      socket.on('close', (code) => closes.push(code))
    })
    const { port } = server.address() as { port: number }
    const child = startCli(['simulate', '--url', `ws://127.0.0.1:${port}/ocpp`, '--speed', '60x'], {})
    await child.noted('charging')
    child.process.kill('SIGINT')
    const { code } = await child.ended
    server.close()
    expect(code).toBe(1)
    expect(closes).toEqual([1000])
  })
})
