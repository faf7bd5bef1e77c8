/**
 * For tests of kills: a script of what stations, callers, operators and clocks do, played on a core of its own, and the
 * files that a killed process leaves behind, beside those that it leaves when it has put everything in place.
 */
import { existsSync } from 'node:fs'
import fc from 'fast-check'
import type { Protocol } from '../../../../../src/domain/ports/core.ts'
import { openSqlite, openSqliteReader } from '../../../../../src/storage/sqlite/writer.ts'
import { type ManualClock, manualClock } from '../../../clock.ts'
import { START, type TestCore, type TestStation, testCore } from '../../../core/testing.ts'
import { findTransaction, openStore } from '../../testing.ts'
import { copyFiles, oneByOne, pauses } from './flush.ts'
import { CARDS, type Memory, messages16, messages21, messages201, nothingYet } from './killed-messages.ts'

const ACCOUNT = 'account-1'
const STATIONS: readonly (readonly [name: string, protocol: Protocol, clockAheadMs: number])[] = [
  ['OLD-1', 'ocpp1.6', 0],
  ['OLD-2', 'ocpp1.6', -3600_000],
  ['NEW-1', 'ocpp2.0.1', 90_000],
  ['NEXT-1', 'ocpp2.1', 0],
  ['NEXT-2', 'ocpp2.1', -90_000],
]
const MESSAGES = { 'ocpp1.6': messages16, 'ocpp2.0.1': messages201, 'ocpp2.1': messages21 }

const what = fc.oneof(
  { weight: 10, arbitrary: fc.constant('sample' as const) },
  { weight: 4, arbitrary: fc.constantFrom('start', 'status') },
  { weight: 3, arbitrary: fc.constantFrom('stop', 'withhold', 'late', 'again', 'heartbeat') },
  { weight: 2, arbitrary: fc.constantFrom('boot', 'authorize', 'notice', 'leave', 'answer', 'stream', 'unusable') },
)
const message = fc.record({
  station: fc.nat(STATIONS.length - 1),
  connector: fc.constantFrom(1, 1, 1, 2),
  what,
  n: fc.nat(20),
})
type Message = typeof message extends fc.Arbitrary<infer T> ? T : never

const ORDERS = ['start', 'stop', 'settle', 'command'] as const
const CHANGES = ['card', 'tariff', 'settlement', 'registration', 'validation', 'deletion'] as const

const step = fc.oneof(
  { weight: 16, arbitrary: fc.record({ together: fc.array(message, { minLength: 1, maxLength: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ passes: fc.constantFrom(1, 30, 200, 260, 5_000, 60_000, 1_000_000) }) },
  { weight: 1, arbitrary: fc.record({ clockBy: fc.constantFrom(-7_200_000, -90_000, -1_000, 45_000, 86_400_000) }) },
  { weight: 2, arbitrary: fc.record({ order: fc.constantFrom(...ORDERS), of: message }) },
  { weight: 2, arbitrary: fc.record({ change: fc.constantFrom(...CHANGES), of: message }) },
  { weight: 3, arbitrary: fc.constantFrom('flush' as const, 'part' as const, 'part' as const, 'part' as const) },
  { weight: 1, arbitrary: fc.constant('tool' as const) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** When the process ends: once so many groups are committed, or else behind the last step but so many. */
interface Script {
  readonly steps: readonly Step[]
  readonly commits: number
  readonly stepsLeft: number
  /** How much later the next process begins, by its clock. */
  readonly downMs: number
  /** A command line tool opens the database before that. */
  readonly isToolFirst: boolean
}

export const script: fc.Arbitrary<Script> = fc.record({
  steps: fc.array(step, { minLength: 6, maxLength: 40, size: 'max' }),
  commits: fc.oneof(fc.nat(60), fc.constant(1_000)),
  stepsLeft: fc.nat(5),
  downMs: fc.constantFrom(0, 1_000, 3_600_000, -60_000),
  isToolFirst: fc.boolean(),
})

/** One core and the stations at it. */
export class Play {
  readonly house: TestCore
  readonly memories: Memory[]
  readonly #stations = new Map<string, TestStation>()
  readonly #paused = pauses()
  readonly #flushes: Promise<void>[] = []

  constructor(house: TestCore, memories: readonly Memory[] = STATIONS.map(nothingYet)) {
    this.house = house
    this.memories = structuredClone(memories) as Memory[]
  }

  async step(one: Step): Promise<void> {
    if (one === 'flush') this.#flushes.push(this.house.store.placing.all(this.#paused.between))
    else if (one === 'part') await this.#paused.goOn()
    else if (one === 'tool') openSqlite(this.house.path).close()
    else if ('passes' in one) this.house.clock.advance(one.passes)
    else if ('clockBy' in one) this.house.clock.set(this.house.clock.now() + one.clockBy)
    else if ('order' in one) await this.#order(one.order, one.of)
    else if ('change' in one) await this.#change(one.change, one.of)
    else await this.#together(one.together)
    await this.quiet()
  }

  /** What follows from a commit has its turns. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  async close(): Promise<void> {
    let isFlushing = true
    const flushed = Promise.all(this.#flushes).finally(() => {
      isFlushing = false
    })
    // One may stand behind another flush and pause only later.
    while (isFlushing) await this.#paused.goOn()
    await flushed
    await this.house.close()
  }

  async #together(messages: readonly Message[]): Promise<void> {
    const stations = new Map<number, TestStation>()
    for (const { station } of messages) stations.set(station, await this.#stationAt(station))
    await Promise.all(
      messages.map(async (one) => {
        const station = stations.get(one.station)
        if (station) await this.#say(one, station)
      }),
    )
    for (const { station: at, what } of messages) {
      const [name] = STATIONS[at] as (typeof STATIONS)[number]
      const station = this.#stations.get(name)
      if (what !== 'leave' || !station) continue
      this.house.core.closed(station.connection, 1006, 'gone')
      this.#stations.delete(name)
    }
  }

  async #stationAt(at: number): Promise<TestStation> {
    const [name, protocol] = STATIONS[at] as (typeof STATIONS)[number]
    const known = this.#stations.get(name)
    if (known && known.closes.length === 0) return known
    const station = await this.house.connect(name, protocol)
    this.#stations.set(name, station)
    return station
  }

  #say({ station: at, connector, what, n }: Message, station: TestStation): Promise<unknown> | undefined {
    const memory = this.memories[at] as Memory
    const [name, protocol, clockAheadMs] = STATIONS[at] as (typeof STATIONS)[number]
    const messages = MESSAGES[protocol]
    if (what === 'leave') return undefined
    if (what === 'answer') {
      const call = station.frames.findLast((frame) => frame[0] === 2)
      if (call) station.answer(call, { status: 'Accepted' })
      return undefined
    }
    if (what === 'unusable') {
      // Of the answer to what it said last.
      if (memory.last) station.send(JSON.stringify([5, memory.last[2], 'FormatViolation', 'unreadable', {}]))
      return undefined
    }
    if (what === 'again') {
      return memory.last && station.call(...memory.last)
    }
    // Two readings of one time are one point of a course until it is placed, and two behind that (CONSOLE-A3).
    this.house.clock.advance(1)
    const at0 = this.house.clock.now() + clockAheadMs
    const said =
      what === 'late'
        ? memory.withheld.shift()
        : messages[what === 'withhold' ? 'sample' : what]?.(memory, connector, n, new Date(at0).toISOString())
    if (!said) return undefined
    if (what === 'withhold') {
      memory.withheld.push(said)
      return undefined
    }
    if (what === 'stream') {
      station.send(JSON.stringify([6, `${name}-${++memory.messages}`, ...said]))
      return undefined
    }
    memory.last = [...said, `${name}-${++memory.messages}`]
    return station.call(...memory.last).then((answer) => {
      if (what !== 'start' || protocol !== 'ocpp1.6' || answer[0] !== 3) return
      memory.running.set(connector, { id: (answer[2] as { transactionId: number }).transactionId, seqNo: 0 })
    })
  }

  async #order(order: (typeof ORDERS)[number], { station: at, connector, n }: Message): Promise<void> {
    const { core, store } = this.house
    const [chargePointId, protocol] = STATIONS[at] as (typeof STATIONS)[number]
    const of = { accountId: ACCOUNT, chargePointId }
    if (order === 'start') {
      const place = protocol === 'ocpp1.6' ? { connectorId: connector } : { evseId: connector }
      await core.startSession({ ...of, ...place, idToken: CARDS[n % 3] })
      return
    }
    if (order === 'command') {
      await core.sendCommand({ ...of, method: 'ClearCache', request: {}, waitMs: 0 })
      return
    }
    const running = this.memories[at]?.running.get(connector)
    const found = running && (await findTransaction(store.core, chargePointId, { transactionId: String(running.id) }))
    if (!found) return
    const sessionId = found.session.id
    if (order === 'stop') await core.stopSession(ACCOUNT, sessionId)
    else await core.settle({ accountId: ACCOUNT, sessionId, costMicros: n * 1_000_000, by: 'operator' })
  }

  async #change(change: (typeof CHANGES)[number], { station: at, n }: Message): Promise<void> {
    const { writes } = this.house.store
    const [name] = STATIONS[at] as (typeof STATIONS)[number]
    const odd = n % 2 === 1
    if (change === 'deletion') await this.house.core.removeChargePoint(ACCOUNT, name)
    else if (change === 'card')
      await writes.updateIdToken(ACCOUNT, CARDS[n % 3] ?? '', { status: odd ? 'Blocked' : 'Accepted' })
    else if (change === 'tariff') await writes.updateTariff(ACCOUNT, 'T', rates(n), this.house.clock.now())
    else if (change === 'settlement') await writes.updateAccount(ACCOUNT, { automaticSettlement: odd })
    else if (change === 'validation')
      await writes.updateChargePoint(ACCOUNT, name, { validation: odd ? 'strict' : null })
    else await writes.updateChargePoint(ACCOUNT, name, { registrationStatus: odd ? 'Pending' : 'Accepted' })
    this.house.registrationsChanged()
  }
}

const rates = (n: number) => ({
  currency: 'EUR',
  perKwhMicros: n * 100_000,
  perMinuteMicros: 10_000,
  perSessionMicros: 0,
  idlePerMinuteMicros: 20_000,
})

/** A core whose flushes take one step in each part. */
export async function aHouse(path: string, options: Parameters<typeof testCore>[0] = {}): Promise<TestCore> {
  if (!existsSync(path)) openStore(path).close()
  const side = openSqlite(path, oneByOne())
  const reads = openSqliteReader(path)
  const close = (): void => {
    reads.close()
    side.close()
  }
  return testCore({ ...options, path, store: { ...side, reads, close } })
}

/** No two readings are the same: what is decided again must know which one was used for what. */
function restlessClock(): ManualClock {
  const clock = manualClock(START)
  return {
    ...clock,
    now() {
      const now = clock.now()
      clock.set(now + 1)
      return now
    },
  }
}

/** Of an account with cards, a tariff, a webhook and five stations that booted. */
async function aPlay(path: string): Promise<Play> {
  const house = await aHouse(path, { clock: restlessClock() })
  const { writes } = house.store
  for (const id of CARDS.slice(0, 2))
    await writes.createIdToken({ accountId: ACCOUNT, id, type: 'ISO14443', status: 'Accepted', createdAt: START })
  const at = { createdAt: START, updatedAt: START }
  await writes.createTariff({ tariffId: 'T', accountId: ACCOUNT, version: 1, ...at, ...rates(3) })
  await writes.createSubscription(
    {
      id: 'wh',
      accountId: ACCOUNT,
      url: 'https://example.com/',
      events: ['session.updated', 'session.suspect'],
      updates: 'all',
      status: 'active',
      secrets: [],
      consecutiveFailures: 0,
      attemptsSinceSuccess: 0,
      createdAt: START,
    },
    10,
  )
  house.registrationsChanged()
  const play = new Play(house)
  for (const what of ['boot', 'start'] as const)
    await play.step({ together: STATIONS.map((_, station) => ({ station, connector: 1, what, n: 0 })) })
  return play
}

export interface Left {
  /** As a killed process leaves the files. */
  readonly killed: string
  /** The same, had it put everything in place before. */
  readonly placed: string
  /** When the next process begins. */
  readonly now: number
  readonly memories: readonly Memory[]
  /** What the stations go on with: what they said last, as it may not have been answered, and everything behind it. */
  readonly rest: readonly Step[]
}

/** Plays the script until the kill. */
export async function playUntilKilled(
  { steps, commits, stepsLeft, downMs, isToolFirst }: Script,
  path: string,
): Promise<Left> {
  const play = await aPlay(path)
  const { house } = play
  let left: Pick<Left, 'killed' | 'placed' | 'now'> | undefined
  const leave = (): void => {
    const now = house.clock.now() + downMs
    const killed = copyFiles(path, `${path}.killed`)
    void house.store.placing.all()
    left = { killed, placed: copyFiles(path, `${path}.placed`), now }
  }
  let count = 0
  const { commit } = house.coreStore
  house.coreStore.commit = async (group) => {
    const results = await commit(group)
    if (count++ === commits) leave()
    return results
  }
  const last = Math.max(1, steps.length - stepsLeft)
  let at = 0
  let memories = play.memories
  for (; at < last && !left; at++) {
    memories = structuredClone(play.memories)
    await play.step(steps[at] as Step)
  }
  if (!left) {
    memories = play.memories
    leave()
  } else at--
  await play.close()
  if (isToolFirst) openSqlite(`${path}.killed`).close()
  if (!left) throw new Error('No process was killed.')
  return { ...(left as Left), memories, rest: steps.slice(at) }
}
