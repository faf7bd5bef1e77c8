/** Sends the running cost of charges to charge points that show it (DRIVER-C1), as of the moment of sending. */
import { isDue } from '../../../domain/due.ts'
import type { RunningCost } from '../../../domain/running-costs/records.ts'
import { COST_INTERVAL_MS } from '../../../domain/running-costs/rules.ts'
import { roundCost } from '../../../domain/sessions/figures/cost.ts'
import { registerStart } from '../../../domain/sessions/figures/details.ts'
import type { OutgoingCall } from '../../../ocpp/translate/payload.ts'
import type { Station } from '../../memory/station.ts'
import { orderCall } from '../../outbound/order-call.ts'
import { decideNow, isReachable } from '../decide-now.ts'
import type { Subject, Task } from '../subject.ts'

const TTL_MS = 60_000
const FINAL_TTL_MS = 10 * 60_000

interface Due extends Task {
  readonly cost: RunningCost
}

export const runningCosts: Subject<Due> = {
  name: 'running costs',
  records: ['running_costs'],
  purposes: ['cost'],
  due(station, now) {
    const all = station.state?.records.all('running_costs') ?? []
    if (all.length === 0 || !isReachable(station)) return []
    return all.flatMap((cost): readonly Due[] => {
      const { transactionId, dueAt } = cost
      const isCalled = station.state?.records
        .all('outgoing_calls')
        .some(({ purpose }) => purpose.kind === 'cost' && purpose.told.transactionId === transactionId)
      return dueAt !== undefined && isDue(dueAt, now, COST_INTERVAL_MS) && !isCalled
        ? [{ key: transactionId, cost }]
        : []
    })
  },
  dueAgainAt(station, now) {
    const all = station.state?.records.all('running_costs') ?? []
    const later = all.flatMap(({ dueAt }) => (dueAt !== undefined && dueAt > now ? [dueAt] : []))
    return later.length > 0 && isReachable(station) ? Math.min(...later) : undefined
  },
  async order(context, station, { cost: { transactionId, sessionId, isFinal } }) {
    const session = station.state?.sessions.get(sessionId)
    const now = context.clock.now()
    const isPast = isFinal && (session?.stoppedAt ?? now) < now - FINAL_TTL_MS
    const call = isPast ? undefined : callOf(station, sessionId, isFinal, now)
    if (!call || !session?.cost) {
      await decideNow(context, station.id, { kind: 'costOver', transactionId })
      return
    }
    await orderCall(context, {
      stationId: station.id,
      call,
      purpose: { kind: 'cost', told: { transactionId, sessionId, micros: session.cost.micros, isFinal } },
      expiresAt: now + TTL_MS,
    })
  },
}

function callOf(
  { state, version }: Station,
  sessionId: string,
  isFinal: boolean,
  now: number,
): OutgoingCall | undefined {
  const session = state?.sessions.get(sessionId)
  const { transactionId, cost, tariff, energyMilliWh } = session ?? {}
  const transaction = transactionId === undefined ? undefined : state?.transactions.get(transactionId)
  if (!session || !cost || transactionId === undefined || energyMilliWh === undefined) return undefined
  const start = transaction && registerStart(transaction)
  const tell = isFinal ? version?.costs.final : version?.costs.running
  return tell?.({
    transactionId,
    cost: roundCost(cost.micros, cost.currency),
    currency: cost.currency,
    tariff,
    isIdle: session.state === 'suspended',
    at: now,
    meterWh: start === undefined ? undefined : (start + energyMilliWh) / 1000,
  })
}
