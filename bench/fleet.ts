/**
 * BENCH-B13: a configuration reaches 1,000 simulated stations of both versions that are charging: how long until every
 * one that is online has it and was asked whether it has, what it costs the server, and what it costs the others.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Metered, withMetered } from './metered.ts'
import type { FleetLatencies } from './roles/fleet.ts'
import type { Player } from './roles/role.ts'
import { type Measurement, median, percentile } from './verdict.ts'

export interface FleetOptions {
  readonly stations: number
  readonly away: number
  readonly callsPerSecond: number
  /** After the boots: the server asks every station for its variables within half a minute. */
  readonly settleMs: number
  readonly measureMs: number
  readonly rounds: number
}

export const FLEET: FleetOptions = {
  stations: 1_000,
  away: 50,
  callsPerSecond: 200,
  settleMs: 60_000,
  measureMs: 10_000,
  rounds: 3,
}

/** What it may take, and the share of one core meanwhile. */
const AIM = { ms: 60_000, coreShare: 0.2, besideRatio: 1.5 }
const LOOK_MS = 500
const GIVE_UP_MS = 300_000

interface Round {
  readonly ms: number
  /** Beyond what the server uses for the messages of the running charges. */
  readonly cpuMs: number
  readonly withoutMs: number
  readonly besideMs: number
}

export async function measureFleet(options: FleetOptions = FLEET): Promise<readonly Measurement[]> {
  return withMetered('fleet', async (server, fleet) => {
    const { stations, away, callsPerSecond } = options
    await fleet.order('open', { url: server.ocppUrl, stations, away, callsPerSecond })
    const api = await apiOf(server)
    await wait(options.settleMs)
    await fleet.order('take')
    const rounds: Round[] = []
    for (let round = 1; round <= options.rounds; round++)
      rounds.push(await measureRound(server, fleet, api, round, options))
    return measurementsOf(rounds, options)
  })
}

type Api = (method: 'GET' | 'PUT', path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>

async function measureRound(
  { cpuMs }: Metered,
  fleet: Player,
  api: Api,
  round: number,
  { stations, away, measureMs }: FleetOptions,
): Promise<Round> {
  const idleFrom = await cpuMs()
  await wait(measureMs)
  const without = (await fleet.order('take')) as FleetLatencies
  const cpuFrom = await cpuMs()
  const startedAt = performance.now()
  await api('PUT', '/2/configurations/bench', configuration(round))
  await untilVerified(api, stations - away)
  const ms = performance.now() - startedAt
  const cpuTo = await cpuMs()
  const beside = (await fleet.order('take')) as FleetLatencies
  const cpuOfOneMs = (cpuFrom - idleFrom) / without.latenciesMs.length
  const usedMs = cpuTo - cpuFrom - cpuOfOneMs * beside.latenciesMs.length
  const errors = without.errors + beside.errors
  if (errors > 0) throw new Error(`${errors} calls of stations were not answered`)
  return {
    ms,
    cpuMs: usedMs,
    withoutMs: percentile(without.latenciesMs, 0.99),
    besideMs: percentile(beside.latenciesMs, 0.99),
  }
}

/** Three settings of each version; other values each time. */
function configuration(round: number): object {
  const variable = (component: string, name: string, value: number) => ({
    component: { name: component },
    variable: { name },
    value: String(value),
  })
  return {
    selector: {},
    keys16: [
      { key: 'HeartbeatInterval', value: String(600 + round) },
      { key: 'WebSocketPingInterval', value: String(60 + round) },
      { key: 'ConnectionTimeOut', value: String(90 + round) },
    ],
    variables: [
      variable('OCPPCommCtrlr', 'HeartbeatInterval', 600 + round),
      variable('OCPPCommCtrlr', 'OfflineThreshold', 60 + round),
      variable('TxCtrlr', 'EVConnectionTimeOut', 90 + round),
    ],
  }
}

async function untilVerified(api: Api, desired: number): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const { counts } = (await api('GET', '/2/configurations/bench/status')) as { counts: Record<string, number> }
    if (counts.verified === desired) return
    if (performance.now() > giveUpAt) throw new Error(`after five minutes: ${JSON.stringify(counts)}`)
    await wait(LOOK_MS)
  }
}

async function apiOf(server: Metered): Promise<Api> {
  const credential = await server.credential()
  return async (method, path, body) => {
    const response = await fetch(`${server.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
}

function measurementsOf(
  rounds: readonly Round[],
  { stations, away, callsPerSecond }: FleetOptions,
): readonly Measurement[] {
  const of = (name: keyof Round): number => median(rounds.map((round) => round[name]))
  const [ms, cpuMs, besideMs, withoutMs] = [of('ms'), of('cpuMs'), of('besideMs'), of('withoutMs')]
  const cpuLimitMs = AIM.ms * AIM.coreShare
  const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
  const lower = { id: 'B13', better: 'lower' } as const
  return [
    {
      ...lower,
      what: `a configuration verified by ${stations - away} stations of both versions, ${away} away`,
      ours: seconds(ms),
      limit: seconds(AIM.ms),
      ratio: ms / AIM.ms,
      aim: 1,
    },
    {
      ...lower,
      what: 'the server’s processor time for it',
      ours: `${seconds(cpuMs)} (${Math.round((cpuMs / ms) * 100)} % of a core)`,
      limit: `${seconds(cpuLimitMs)} (${AIM.coreShare * 100} % for a minute)`,
      ratio: cpuMs / cpuLimitMs,
      aim: 1,
    },
    {
      ...lower,
      what: `acknowledgement p99 beside it, ${callsPerSecond} calls/s of running charges`,
      ours: `${besideMs.toFixed(1)} ms`,
      limit: `${withoutMs.toFixed(1)} ms without`,
      ratio: median(rounds.map((round) => round.besideMs / round.withoutMs)),
      aim: AIM.besideRatio,
    },
  ]
}
