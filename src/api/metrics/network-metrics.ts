import { Gauge, type Registry } from 'prom-client'
import type { AccountNetwork } from '../../domain/ports/core.ts'
import type { ApiContext } from '../api-parts.ts'
import { withDeadline } from '../requests/deadline.ts'

/** Prometheus waits for ten seconds; a database that hangs must not hide the other figures. */
const DEADLINE_MS = 3000
const MILLIWATTS = 1000

type Context = Pick<ApiContext, 'core' | 'reads' | 'after' | 'log'>

/** @returns what brings them up to date. Figures that cannot be had are absent, not zero. */
export function createNetworkMetrics(parts: Context, registers: Registry[]): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `pilotwire_${name}`, help, labelNames, registers })
  const chargePoints = gauge('charge_points', 'Registered charge points; the states add up to all of them', ['state'])
  const single = {
    faulted: gauge('charge_points_faulted', 'Charge points online with a faulted connector'),
    charging: gauge('charge_points_charging', 'Charge points online with a connector that charges'),
    wrongClocks: gauge('charge_points_clock_wrong', 'Charge points online whose clock is wrong by more than a minute'),
    runningSessions: gauge('sessions_running', 'Sessions that are not over'),
    powerWatts: gauge('power_watts', 'Power of charging sessions at charge points online'),
  }
  return async () => {
    const counted = await withDeadline(count(parts), DEADLINE_MS, parts.after).catch((error) => {
      parts.log.warn({ error: String(error) }, 'the figures of the network cannot be had')
      return undefined
    })
    chargePoints.reset()
    for (const metric of Object.values(single)) metric.remove()
    if (!counted) return
    for (const state of ['online', 'offline', 'pending'] as const) chargePoints.set({ state }, counted[state])
    for (const [name, metric] of Object.entries(single)) metric.set(counted[name as keyof typeof single])
  }
}

async function count({ core, reads }: Context) {
  const networks = new Map((await core.networks()).map((network) => [network.accountId, network]))
  const sum = { online: 0, offline: 0, pending: 0, faulted: 0, charging: 0 }
  const rest = { wrongClocks: 0, runningSessions: 0, powerWatts: 0 }
  for (const { id } of await reads.listAccounts()) {
    const { online, wrongClocks } = networks.get(id) ?? NO_USER
    const counts = await reads.countNetwork(id, online)
    sum.online += counts.online
    sum.pending += counts.pending
    sum.offline += counts.chargePoints - counts.online - counts.pending
    sum.faulted += counts.faulted
    sum.charging += counts.charging
    rest.wrongClocks += wrongClocks
    rest.runningSessions += counts.runningSessions
    rest.powerWatts += counts.powerMilliW / MILLIWATTS
  }
  return { ...sum, ...rest }
}

const NO_USER: Pick<AccountNetwork, 'online' | 'wrongClocks'> = { online: [], wrongClocks: 0 }
