/** The load generator's process: opens stations and drives them in one of three ways. Times in milliseconds. */

import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Protocol } from '../../src/domain/ports/core.ts'
import { playRole } from '../roles/role.ts'
import { percentile } from '../verdict.ts'
import { Station } from './station.ts'

export interface OpenOrder {
  readonly url: string
  readonly connections: number
  /** Distinguishes message ids and transactions of this run from all others. */
  readonly run: string
  /** Of the first connections; the others are called BENCH-<position>. */
  readonly chargePointIds?: readonly string[]
  /** Of all stations; half of them speak each when it is absent. */
  readonly protocol?: Protocol
  /** Of this machine: an address has about 28,000 ports to call one server from. */
  readonly localAddress?: string
}

export interface SteadyOrder {
  readonly warmUpMs: number
  readonly measureMs: number
}

export interface PacedOrder extends SteadyOrder {
  readonly callsPerSecond: number
}

export interface SteadyResult {
  readonly calls: number
  readonly errors: number
  readonly measuredMs: number
}

export interface LockStepResult extends SteadyResult {
  /** Of the calls that were sent and answered while it was measured. */
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface PacedResult extends SteadyResult {
  /** From the time a call was due to its answer, so that a stalled server cannot hide its stalls. */
  readonly latenciesMs: readonly number[]
}

export interface AcknowledgedResult {
  readonly messageIds: readonly string[]
  readonly errors: number
}

const protocolOf = (position: number): Protocol => (position % 2 === 0 ? 'ocpp1.6' : 'ocpp2.0.1')

export function playGenerator(): void {
  const fleet = createFleet()
  playRole({
    open: (order: OpenOrder) => fleet.open(order),
    steady: (order: SteadyOrder) => fleet.steady(order),
    paced: (order: PacedOrder) => fleet.paced(order),
    /** Calls until the server is gone; answers with everything it acknowledged. */
    untilGone: () => fleet.untilGone(),
    close: () => fleet.close(),
  })
}

function createFleet() {
  let stations: Station[] = []
  let closed = 0
  let answered: (station: Station, messageId: string, error: boolean) => void = () => undefined

  return {
    /** Connects and boots all at once; the time until the last boot was answered. */
    async open(order: OpenOrder): Promise<{ readonly ms: number }> {
      const { url, connections, run, chargePointIds = [], protocol, localAddress } = order
      const startedAt = performance.now()
      closed = 0
      const booted = new Promise<void>((resolve, reject) => {
        let left = connections
        answered = (_station, _messageId, error) => {
          if (error) reject(new Error('a BootNotification was answered with an error'))
          left -= 1
          if (left === 0) resolve()
        }
      })
      const opening = Array.from({ length: connections }, async (_value, position) => {
        const station = await Station.connect(
          { url, localAddress },
          chargePointIds[position] ?? `BENCH-${position}`,
          protocol ?? protocolOf(position),
          run,
          {
            answered: (self, messageId, error) => answered(self, messageId, error),
            closed: () => {
              closed += 1
            },
          },
        )
        station.boot()
        return station
      })
      stations = await Promise.all(opening)
      await booted
      return { ms: performance.now() - startedAt }
    },

    /** Every station calls again as soon as it is answered. */
    async steady({ warmUpMs, measureMs }: SteadyOrder): Promise<LockStepResult> {
      let calls = 0
      let errors = 0
      let running = true
      let measureFrom = Number.POSITIVE_INFINITY
      const sentAt = new Map<Station, number>()
      const latenciesMs: number[] = []
      const send = (station: Station): void => {
        sentAt.set(station, performance.now())
        station.callNext()
      }
      answered = (station, _messageId, error) => {
        calls += 1
        if (error) errors += 1
        const sent = sentAt.get(station) ?? 0
        if (sent >= measureFrom && running) latenciesMs.push(performance.now() - sent)
        if (running) send(station)
      }
      for (const station of stations) send(station)
      await wait(warmUpMs)
      measureFrom = performance.now()
      const before = calls
      const startedAt = performance.now()
      await wait(measureMs)
      const measured = { calls: calls - before, errors, measuredMs: performance.now() - startedAt }
      running = false
      await until(() => stations.every((station) => !station.busy))
      return { ...measured, p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) }
    },

    /** An open loop: calls are due at a fixed rate, whatever the server does. */
    async paced({ warmUpMs, measureMs, callsPerSecond }: PacedOrder): Promise<PacedResult> {
      const free = [...stations]
      const due: number[] = []
      const dueOf = new Map<Station, number>()
      const latenciesMs: number[] = []
      let errors = 0
      const startedAt = performance.now()
      const measureFrom = startedAt + warmUpMs
      answered = (station, _messageId, error) => {
        const dueAt = dueOf.get(station) ?? 0
        if (dueAt >= measureFrom) latenciesMs.push(performance.now() - dueAt)
        if (error) errors += 1
        free.push(station)
        send()
      }
      const send = () => {
        while (due.length > 0 && free.length > 0) {
          const station = free.shift()
          const dueAt = due.shift()
          if (!station || dueAt === undefined) return
          dueOf.set(station, dueAt)
          station.callNext()
        }
      }
      const endAt = measureFrom + measureMs
      let scheduled = 0
      for (let now = startedAt; now < endAt; now = performance.now()) {
        const desired = Math.floor(((now - startedAt) / 1000) * callsPerSecond)
        for (; scheduled < desired; scheduled++) due.push(startedAt + (scheduled / callsPerSecond) * 1000)
        send()
        await wait(1)
      }
      await until(() => due.length === 0 && stations.every((station) => !station.busy))
      return { calls: latenciesMs.length, errors, measuredMs: measureMs, latenciesMs }
    },

    async untilGone(): Promise<AcknowledgedResult> {
      const messageIds: string[] = []
      let errors = 0
      answered = (station, messageId, error) => {
        if (error) errors += 1
        else messageIds.push(messageId)
        if (closed === 0) station.callNext()
      }
      for (const station of stations) station.callNext()
      await until(() => closed === stations.length)
      return { messageIds, errors }
    },

    async close(): Promise<void> {
      for (const station of stations) station.close()
      await until(() => closed === stations.length)
      stations = []
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 60_000
  while (!condition()) {
    if (performance.now() > giveUpAt) throw new Error('the server left calls unanswered for a minute')
    await wait(5)
  }
}
