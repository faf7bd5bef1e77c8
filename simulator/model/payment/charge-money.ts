/**
 * Tariff, limits and payment of a running charge (2.1 C25, E16, I11). A limit is confirmed once for each change, kept
 * while the charge runs, and lifted only by a higher one. In a version without them nothing here happens.
 */
import type { Payload } from '../../../src/ocpp/translate/payload.ts'
import type { StationTime } from '../../time/simulated-time.ts'
import type { Outlet } from '../connector.ts'
import type { Dialect } from '../dialect.ts'
import type { Call, LocalTransaction, Moment, Tariff, Token, TransactionLimit } from '../facts.ts'
import { costsAt } from './costs.ts'
import type { Tariffs } from './tariffs.ts'

interface MoneyContext {
  readonly dialect: Dialect
  readonly tariffs: Pick<Tariffs, 'of'>
  readonly outlets: readonly Outlet[]
  readonly time: Pick<StationTime, 'after' | 'now'>
  /** Time stamps, which costs go by. */
  readonly now: () => number
  readonly moment: (outlet: Outlet, transaction: LocalTransaction) => Moment
  readonly say: (transaction: LocalTransaction, build: () => Call) => Promise<unknown>
  readonly become: (outlet: Outlet, status: 'SuspendedEVSE') => Promise<void>
  readonly settle: () => Promise<void>
}

/** Physics may run a hundred times as fast as waits (`--stay`): a charge must not go far over its limit. */
const LOOK_SECONDS = 1

export function createChargeMoney({ dialect: { payment }, outlets, time, ...parts }: MoneyContext) {
  const begunAt = new WeakMap<LocalTransaction, number>()

  const changed = async (outlet: Outlet, transaction: LocalTransaction, trigger: 'LimitSet' | 'TariffChanged') => {
    const call = payment?.changed(trigger, transaction, parts.moment(outlet, transaction))
    if (call) await parts.say(transaction, () => call)
  }
  const reachedBy = (outlet: Outlet, transaction: LocalTransaction): keyof TransactionLimit | undefined => {
    const { registerWh, socPercent } = outlet.meter.reading()
    const used: Readonly<Record<keyof TransactionLimit, number>> = {
      maxEnergy: registerWh - transaction.meterStartWh,
      maxCost: transaction.cost ?? 0,
      maxTime: (time.now() - (begunAt.get(transaction) ?? time.now())) / 1000,
      maxSoC: socPercent,
    }
    const kinds = Object.keys(used) as (keyof TransactionLimit)[]
    return kinds.find((kind) => used[kind] >= (transaction.limit?.[kind] ?? Number.POSITIVE_INFINITY))
  }
  const look = async (outlet: Outlet, transaction: LocalTransaction): Promise<void> => {
    const before = transaction.limitReached
    transaction.limitReached = reachedBy(outlet, transaction)
    if ((before === undefined) === (transaction.limitReached === undefined)) return
    outlet.resting = before ? undefined : 'evse'
    if (before === undefined && outlet.status === 'SuspendedEVSE') await parts.become(outlet, 'SuspendedEVSE')
    else await parts.settle()
  }
  const lookLater = (outlet: Outlet, transaction: LocalTransaction): void => {
    time.after(LOOK_SECONDS * 1000, async () => {
      if (outlet.transaction !== transaction) return
      lookLater(outlet, transaction)
      costsAt(transaction, outlet.meter.reading().registerWh, parts.now())
      if (!transaction.limitReached) await look(outlet, transaction)
    })
  }
  /** In place of those of the same kind; others stay (E16.FR.17). */
  const limit = async (outlet: Outlet, changes: TransactionLimit): Promise<void> => {
    const { transaction } = outlet
    if (!payment || !transaction) return
    const isFirst = transaction.limit === undefined
    transaction.limit = { ...transaction.limit, ...changes }
    await changed(outlet, transaction, 'LimitSet')
    await look(outlet, transaction)
    if (isFirst) lookLater(outlet, transaction)
  }
  return {
    limit,
    tariffOf: ({ connectorId }: Outlet, token: Token) => payment && parts.tariffs.of(connectorId, token),
    begun: (transaction: LocalTransaction) => void begunAt.set(transaction, time.now()),
    /** What the answer to a transaction message says of money. */
    read(transaction: LocalTransaction, answer: Payload): Promise<void> | undefined {
      if (!payment) return undefined
      const { totalCost } = answer
      if (!transaction.tariff && typeof totalCost === 'number') transaction.cost = totalCost
      const changes = payment.readLimit(answer)
      const outlet = outlets.find((candidate) => candidate.transaction === transaction)
      return changes && outlet && limit(outlet, changes)
    },
    async changeTariff(outlet: Outlet, tariff: Tariff): Promise<void> {
      const { transaction } = outlet
      if (!transaction) return
      transaction.tariff = tariff
      await changed(outlet, transaction, 'TariffChanged')
    },
    /** Says what became of a payment. */
    async settled(transaction: LocalTransaction, at: number): Promise<void> {
      if (payment && transaction.idToken.type === 'DirectPayment')
        await parts.say(transaction, () => payment.settled(transaction, at))
    },
  }
}
