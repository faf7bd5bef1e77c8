import type { Clock } from '../../src/domain/ports/core.ts'
import type { ChargePoint } from '../library/charge-point.ts'
import type { Assertion } from '../scenarios/engine/run.ts'
import { pause } from '../stories/charge.ts'
import type { WireObserver } from '../wire/frames.ts'

export interface LoadPlan {
  readonly stations: readonly ChargePoint[]
  /** Absent: closed, each station says the next thing when the last one was answered. */
  readonly callsPerSecond?: number
  readonly durationMs: number
  readonly stormEveryMs?: number
  readonly clock: Clock
  readonly stopped: () => boolean
}

const SLICE_MS = 10

/** Every station has an open charge. Resolves when the time is over and what was begun is answered. */
export async function runLoad(plan: LoadPlan): Promise<void> {
  const { clock, stations } = plan
  const endsAt = clock.monotonic() + plan.durationMs
  const isOver = (): boolean => plan.stopped() || clock.monotonic() >= endsAt
  const storm = plan.stormEveryMs === undefined ? Promise.resolve() : storms(plan, plan.stormEveryMs, isOver)
  if (plan.callsPerSecond === undefined) await Promise.all(stations.map((cp) => closedLoop(cp, plan, isOver)))
  else await openLoop(plan, plan.callsPerSecond, isOver)
  await storm
  await Promise.all(stations.map((cp) => cp.station.flush()))
}

async function closedLoop(cp: ChargePoint, { clock }: LoadPlan, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (cp.state.online) await cp.station.meterValues(1)
    else await pause(clock, SLICE_MS)
  }
}

/** So many calls a second, come what may: what is due is said, also when earlier calls are not answered yet. */
async function openLoop({ stations, clock }: LoadPlan, callsPerSecond: number, isOver: () => boolean): Promise<void> {
  const startedAt = clock.monotonic()
  let said = 0
  while (!isOver()) {
    const due = Math.floor(((clock.monotonic() - startedAt) / 1000) * callsPerSecond)
    for (; said < due; said++) void stations[said % stations.length]?.station.meterValues(1).catch(() => undefined)
    await pause(clock, SLICE_MS)
  }
}

async function storms({ stations, clock }: LoadPlan, everyMs: number, isOver: () => boolean): Promise<void> {
  for (;;) {
    const nextAt = clock.monotonic() + everyMs
    while (clock.monotonic() < nextAt) {
      if (isOver()) return
      await pause(clock, SLICE_MS)
    }
    await Promise.all(stations.map((cp) => cp.offline()))
    await Promise.all(stations.map((cp) => backOnline(cp, clock, isOver)))
  }
}

/** A server under a storm refuses some: they come again, as stations do. */
async function backOnline(cp: ChargePoint, clock: Clock, isOver: () => boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await cp.online()
      return
    } catch (error) {
      if (attempt > 20 || isOver()) throw error
      await pause(clock, 100 * attempt)
    }
  }
}

type Loss = Parameters<NonNullable<WireObserver['lost']>>[0]

/** A server may restart in the middle of a run; no server restarts so often. */
const TOO_OFTEN = 3
const MAX_LOSSES = 10

/** Connections that the central system closed instead of an answer: a fault that hides behind retries. */
export function createLosses() {
  const counts = new Map<string, { readonly times: number; readonly last: Loss }>()
  return {
    note: (id: string) => (loss: Loss) => {
      if (loss.method !== undefined) counts.set(id, { times: (counts.get(id)?.times ?? 0) + 1, last: loss })
    },
    /** So many that waiting for the next connection is in vain. */
    areMany: (id: string) => (counts.get(id)?.times ?? 0) >= MAX_LOSSES,
    assertions(): readonly Assertion[] {
      const often = [...counts].filter(([, { times }]) => times >= TOO_OFTEN)
      const [first] = often
      if (!first) return []
      const [id, { times, last }] = first
      const others = often.length > 1 ? `, and ${often.length - 1} more stations` : ''
      const detail = `it closed the socket of ${id} ${times} times instead of an answer${others}, last after ${last.method}: ${last.close}`
      return [{ name: 'the central system answers before it closes a socket', ok: false, detail }]
    },
  }
}
