import type { ApiClient, ShownSession } from '../../cli/api-client.ts'
import { ChargePoint, type ConnectOptions } from '../../library/charge-point.ts'
import type { FaultCode } from '../../model/facts.ts'
import { CallRefused, type Frame } from '../../wire/frames.ts'
import type { Scenario, Step } from './parse.ts'
import { STEPS } from './steps.ts'
import { filled, mismatch, shown, type Words } from './words.ts'

export interface Assertion {
  readonly name: string
  readonly ok: boolean
  readonly detail?: string
}

export interface ScenarioWorld {
  readonly connect: Omit<ConnectOptions, 'frame' | 'stamps' | 'connectors' | 'vehicle' | 'quirks' | 'sampleSeconds'>
  readonly api?: ApiClient
  readonly apiUrl: string
  /** How long something outside (the API, a command) may take, in real milliseconds. */
  readonly patienceMs: number
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  readonly step?: (step: Step, position: number) => void
  readonly frame?: (direction: 'in' | 'out', frame: Frame) => void
  readonly quirks?: readonly string[]
}

export interface ScenarioOutcome {
  readonly assertions: readonly Assertion[]
  readonly station: ChargePoint
}

/** Throws only where the connection cannot be made. */
export async function runScenario(scenario: Scenario, world: ScenarioWorld): Promise<ScenarioOutcome> {
  const run = await begin(scenario, world)
  const assertions: Assertion[] = []
  for (const [position, step] of scenario.steps.entries()) {
    if (!world.api && STEPS[step.kind]?.looks) continue
    world.step?.(step, position)
    const name = `${scenario.name} line ${step.line}: ${step.kind}${short(step)}`
    try {
      await run(step)
      assertions.push({ name, ok: true })
    } catch (error) {
      assertions.push({ name, ok: false, detail: error instanceof Error ? error.message : String(error) })
      break
    }
  }
  return { assertions, station: run.station }
}

type Runner = ((step: Step) => Promise<void>) & { readonly station: ChargePoint }

async function begin(scenario: Scenario, world: ScenarioWorld): Promise<Runner> {
  let clockOffsetMs = 0
  let nextTransactionId: number | undefined
  let newestSession: ShownSession | undefined
  const frames: { readonly direction: 'in' | 'out'; readonly frame: Frame }[] = []
  const stamps = () => world.now() + clockOffsetMs
  const cp = await ChargePoint.connect({
    ...world.connect,
    connectors: scenario.connectors,
    stamps,
    newTransactionId: (usual) => (nextTransactionId === undefined ? usual() : String(nextTransactionId++)),
    quirks: [...scenario.quirks, ...(world.quirks ?? [])],
    vehicle: scenario.vehicle,
    sampleSeconds: scenario.sampleSeconds,
    frame(direction, frame) {
      if (frame[0] === 2 || frame[0] === 6) frames.push({ direction, frame })
      world.frame?.(direction, frame)
    },
  })
  const { id } = world.connect
  const address = `/2/evse-controllers/${encodeURIComponent(id)}`
  /** A station may have charged before: its old sessions are not this scenario's. */
  const earlier = new Set(((await world.api?.sessions(id)) ?? []).map((session) => session.id))
  const lastTransaction = (): string | undefined => {
    const running = cp.state.connectors.find(({ transaction }) => transaction)?.transaction?.transactionId
    return running ?? cp.station.finished.at(-1)?.transaction.transactionId
  }
  const words: Words = {
    id,
    api: world.apiUrl,
    now: stamps,
    transactionId: lastTransaction,
    endedTransactionId: () => cp.station.finished.at(-1)?.transaction.transactionId,
    sessionId: () => newestSession?.id,
    qrCode: () => cp.state.connectors[0]?.qrCode,
  }

  const until = async (look: () => Promise<string | undefined> | string | undefined): Promise<void> => {
    const deadline = world.now() + world.patienceMs
    for (let missing = await look(); missing !== undefined; missing = await look()) {
      if (world.now() > deadline) throw new Error(`${missing} (waited ${world.patienceMs / 1000} s)`)
      await world.pause(20)
    }
  }
  const api = (): ApiClient => {
    if (!world.api) throw new Error('this step needs the API: give a credential with --api')
    return world.api
  }
  const countCalls = (direction: 'in' | 'out', args: Step['args']): string | undefined => {
    const desired = Number(args.times ?? 1)
    const calls = frames.filter((entry) => entry.direction === direction && entry.frame[2] === args.method)
    const fitting = calls.filter(({ frame }) => !args.with || mismatch(args.with, frame[3]) === undefined)
    if (fitting.length >= desired) return undefined
    const last = calls.at(-1)
    const detail = last && args.with ? `; the last one: ${mismatch(args.with, last.frame[3])}` : ''
    return `${String(args.method)} came ${fitting.length} times, expected ${desired}${detail}`
  }

  const run = async ({ kind, args: raw }: Step): Promise<void> => {
    const args = filled(raw, words) as Step['args']
    const connector = Number(args.connector ?? 1)
    switch (kind) {
      case 'boot':
        return equal(await cp.boot(), String(args.expect ?? 'Accepted'), 'the registration status')
      case 'plug':
        return cp.plug(connector, args)
      case 'limit':
        return cp.limit(args)
      case 'clearLimit':
        return cp.clearLimit(args)
      case 'swipe': {
        const token = { id: String(args.token), type: String(args.type ?? 'ISO14443') }
        const outcome = await cp.swipe(connector, token)
        if (args.expect !== undefined) return equal(outcome, String(args.expect), 'the outcome')
        if (outcome === 'refused') throw new Error(`the card ${token.id} was refused: ${cp.refusal}`)
        return undefined
      }
      case 'unplug':
      case 'resume':
      case 'clearFault':
        return cp[kind](connector)
      case 'wait':
        return cp.wait(Number(args.seconds))
      case 'suspend':
        return cp.suspend(connector, args.by === 'evse' ? 'evse' : 'ev')
      case 'fault':
        return cp.fault(connector, args.code as FaultCode)
      case 'offline':
      case 'online':
      case 'powerCut':
      case 'powerUp':
        return cp[kind]()
      case 'register':
        return cp.station.setRegister(connector, Number(args.wh))
      case 'clock':
        clockOffsetMs += Number(args.seconds) * 1000
        return undefined
      case 'transactionIds':
        nextTransactionId = Number(args.from)
        return undefined
      case 'chargeLimit': {
        const { connector: _connector, ...limit } = args
        return cp.limitCharge(connector, limit)
      }
      case 'meterValues':
        return cp.station.meterValues(connector)
      case 'say':
        return cp.station.say(String(args.text))
      case 'call':
        return callAndCheck(cp, args)
      case 'received':
        return until(() => countCalls('out', args))
      case 'said':
        return until(() => countCalls('in', args))
      case 'display':
        return until(() => displayMismatch(cp.state.display, args))
      case 'connectorIs':
        return until(() => connectorMismatch(cp, connector, args))
      case 'api': {
        const [method = 'GET', path = String(args.send)] = String(args.send).split(/ (.*)/s)
        const answer = await api().request(method, path, args.body)
        if (args.status !== undefined || answer.status >= 400)
          equal(answer.status, Number(args.status ?? 200), `the status (${shown(answer.body)})`)
        const fault = args.expect === undefined ? undefined : mismatch(args.expect, answer.body)
        if (fault) throw new Error(fault)
        return undefined
      }
      case 'command': {
        const body = { method: args.method, request: args.request, wait: 20 }
        const answer = await api().request('POST', `${address}/commands`, body)
        const fault = mismatch({ status: 'success', ...(args.expect as object) }, answer.body)
        if (fault) throw new Error(`${fault}; the whole answer: ${shown(answer.body)}`)
        return undefined
      }
      case 'session':
        return until(async () => {
          const sessions = (await api().sessions(id)).filter((session) => !earlier.has(session.id))
          newestSession = sessions[0]
          return sessionMismatch(cp, sessions, args)
        })
      case 'chargePoint':
        return until(async () => {
          const { body } = await api().request('GET', address)
          return mismatch(args.expect, body)
        })
      case 'logged':
        return until(async () => {
          const search = { from: '2020-01-01T00:00:00Z', limit: 500, method: [args.method] }
          const { body } = await api().request('POST', `${address}/commands/search`, search)
          const rows = (body as { data?: readonly unknown[] }).data ?? []
          const found = rows.filter((row) => !args.with || mismatch(args.with, row) === undefined).length
          const desired = Number(args.times ?? 1)
          return found >= desired
            ? undefined
            : `the log has ${found} such rows of ${String(args.method)}, expected ${desired}`
        })
      default:
        throw new Error(`there is no step ${kind}`)
    }
  }
  return Object.assign(run, { station: cp })
}

async function callAndCheck(cp: ChargePoint, args: Step['args']): Promise<void> {
  try {
    const answer = await cp.call(String(args.method), args.request as Readonly<Record<string, unknown>>)
    if (args.error !== undefined)
      throw new Error(`was answered ${shown(answer)}, expected the error ${shown(args.error)}`)
    const fault = args.expect === undefined ? undefined : mismatch(args.expect, answer)
    if (fault) throw new Error(fault)
  } catch (error) {
    if (!(error instanceof CallRefused) || args.error === undefined) throw error
    equal(error.code, String(args.error), 'the error')
  }
}

function connectorMismatch(cp: ChargePoint, connectorId: number, args: Step['args']): string | undefined {
  const found = cp.state.connectors.find((connector) => connector.connectorId === connectorId)
  if (!found) return `there is no connector ${connectorId}`
  const powerKw = found.reading.powerW / 1000
  if (args.status !== undefined && found.status !== args.status)
    return `connector ${connectorId} is ${found.status}, expected ${shown(args.status)}`
  if (args.plugged !== undefined && found.plugged !== args.plugged)
    return `connector ${connectorId} is ${found.plugged ? 'plugged' : 'free'}`
  if (args.minPowerKw !== undefined && powerKw < Number(args.minPowerKw))
    return `the power is ${powerKw.toFixed(2)} kW, expected at least ${shown(args.minPowerKw)}`
  if (args.maxPowerKw !== undefined && powerKw > Number(args.maxPowerKw))
    return `the power is ${powerKw.toFixed(2)} kW, expected at most ${shown(args.maxPowerKw)}`
  const cost = found.transaction?.cost
  if (args.cost !== undefined && cost !== args.cost) return `the cost is ${shown(cost)}, expected ${shown(args.cost)}`
  return undefined
}

function displayMismatch(display: readonly string[], { shows, count }: Step['args']): string | undefined {
  if (count !== undefined && display.length !== count)
    return `the display shows ${shown(display)}, expected ${shown(count)} messages`
  if (shows !== undefined && !display.includes(String(shows)))
    return `the display shows ${shown(display)}, expected ${shown(shows)}`
  return undefined
}

function sessionMismatch(cp: ChargePoint, sessions: readonly ShownSession[], args: Step['args']): string | undefined {
  const charge = args.charge === undefined ? undefined : Number(args.charge)
  const session = charge === undefined ? sessions[0] : sessions.at(-charge)
  if (args.count !== undefined && sessions.length !== args.count)
    return `the API shows ${sessions.length} sessions, expected ${shown(args.count)}`
  if (args.count === 0) return undefined
  if (!session) return charge === undefined ? 'the API shows no session' : `the API shows no session ${charge}`
  if (args.state !== undefined && session.state !== args.state)
    return `the session is ${session.state}, expected ${shown(args.state)}`
  const last = charge === undefined ? cp.station.finished.at(-1) : cp.station.finished[charge - 1]
  const meterKwh = last ? last.energyWh / 1000 : cp.charge(1).energyKwh
  if (args.energy === 'meter' && Math.round(session.energyKwh * 1000) !== Math.round(meterKwh * 1000))
    return `the session has ${session.energyKwh} kWh, the meter counted ${meterKwh}`
  if (args.minEnergyKwh !== undefined && session.energyKwh < Number(args.minEnergyKwh))
    return `the session has ${session.energyKwh} kWh, expected at least ${shown(args.minEnergyKwh)}`
  if (args.maxEnergyKwh !== undefined && session.energyKwh > Number(args.maxEnergyKwh))
    return `the session has ${session.energyKwh} kWh, expected at most ${shown(args.maxEnergyKwh)}`
  return undefined
}

function equal(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what} is ${shown(actual)}, expected ${shown(expected)}`)
}

function short({ args }: Step): string {
  const [first] = Object.values(args)
  return first === undefined || typeof first === 'object' ? '' : ` ${String(first)}`
}
