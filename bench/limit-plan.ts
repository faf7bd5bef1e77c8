/**
 * BENCH-B16: 500 EVSEs behind one connection are planned in the three moments that take the longest: all are new, all
 * charge and want more than there is, and the limit was halved. The limit is a copy of what the planner is told.
 */
import type { GroupEvse } from '../src/domain/limit-groups/evse.ts'
import type { Group } from '../src/domain/limit-groups/group.ts'
import { EMPTY_LEDGER, type Ledger } from '../src/domain/limit-groups/ledger.ts'
import { type Connection, plan } from '../src/domain/limit-groups/plan.ts'
import { type Measurement, median, percentile } from './verdict.ts'

export const LIMIT_PLAN = { evses: 500, rounds: 200, warmUpRounds: 100 }
const MUST_MS = 50

const NOW = Date.UTC(2026, 10, 23, 12)
const ROWS = 20

export async function measureLimitPlan({ evses, rounds, warmUpRounds } = LIMIT_PLAN): Promise<readonly Measurement[]> {
  const moments: Readonly<Record<string, Connection>> = {
    'all new': connectionOf(evses, 1, () => ({ ledger: EMPTY_LEDGER })),
    'all charge': connectionOf(evses, 1, (at) => ({ ledger: holding(0), ...charging(at) })),
    'limit halved': connectionOf(evses, 0.5, (at) => ({ ledger: holding(4 + (at % 12)), ...charging(at) })),
  }
  let slowest: { readonly name: string; readonly times: readonly number[]; readonly orders: number } | undefined
  for (const [name, connection] of Object.entries(moments)) {
    let orders = 0
    const times = timesOf(rounds, warmUpRounds, () => {
      orders = plan(connection, NOW, 7).orders.length
    })
    if (!slowest || median(times) > median(slowest.times)) slowest = { name, times, orders }
  }
  if (!slowest) throw new Error('There was nothing to plan.')
  const copies = timesOf(rounds, warmUpRounds, () => structuredClone(moments['all charge']?.evses))
  const { name, times, orders } = slowest
  const ours = `${percentile(times, 0.95).toFixed(1)} ms (p50 ${median(times).toFixed(1)})`
  const what = `plan of ${evses} EVSEs in ${ROWS} rows, p95: ${name}`
  const fault = orders < evses / 4 ? `only ${orders} orders were made` : undefined
  const same = { id: 'B16', ours, better: 'lower', fault } as const
  return [
    { ...same, what, limit: `${MUST_MS} ms`, ratio: percentile(times, 0.95) / MUST_MS, must: 1, aim: 0.2 },
    {
      ...same,
      what: 'the same, p50, against a copy of what it is told',
      limit: `${median(copies).toFixed(1)} ms`,
      ratio: median(times) / median(copies),
    },
  ]
}

function timesOf(rounds: number, warmUpRounds: number, work: () => void): readonly number[] {
  const times: number[] = []
  for (let round = -warmUpRounds; round < rounds; round++) {
    const began = performance.now()
    work()
    if (round >= 0) times.push(performance.now() - began)
  }
  return times
}

function connectionOf(count: number, part: number, stateOf: (at: number) => Partial<GroupEvse>): Connection {
  const group: Group = {
    name: 'building',
    phases: 3,
    limitAmps: count * 8 * part,
    minAmps: 6,
    bufferAmps: 10,
    safeAmps: 100,
    fallbackAmps: 0,
    leaseMs: 600_000,
    strategy: 'equal',
  }
  const rows = Array.from({ length: ROWS }, (_, at): Group => {
    const limitAmps = (count / ROWS) * (7 + (at % 4)) * part
    return { ...group, name: `row ${at}`, parent: 'building', limitAmps }
  })
  const evses = Array.from({ length: count }, (_, at): GroupEvse => {
    const place = { chargePointId: `S${at}`, evseId: 1, group: `row ${at % ROWS}`, maxAmps: at % 5 === 0 ? 16 : 32 }
    const phases = at % 3 === 0 ? [at % 2] : [0, 1, 2]
    return {
      ...place,
      phases,
      isOnline: true,
      clockAheadMs: at % 7 === 0 ? 30_000 : 0,
      ledger: EMPTY_LEDGER,
      ...stateOf(at),
    }
  })
  const drawn = new Map(evses.map(({ chargePointId, evseId }, at) => [`${chargePointId}\0${evseId}`, at % 16]))
  return { groups: [group, ...rows], evses, loads: new Map(), externals: new Map(), drawn, voltage: 230 }
}

function holding(amps: number): Ledger {
  const lease = { revision: 2, amps, afterAmps: 0, until: NOW + 500_000, endsAt: NOW + 480_000 }
  return {
    fallback: { accepted: { revision: 1, amps: 0, afterAmps: 0 }, sent: [] },
    lease: { sent: [], ...(amps > 0 && { accepted: lease }) },
  }
}

function charging(at: number): Pick<GroupEvse, 'charge'> {
  return { charge: { id: `C${at}`, startedAt: NOW - at * 1000, priority: at % 3, wantAmps: 6 + ((at * 7) % 26) } }
}
