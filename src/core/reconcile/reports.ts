/** Asks for the reports that are due or wanted (DEVICE-A2, DEVICE-A5): one call at a time. */
import { modelNameOf } from '../../domain/device-model/model-name.ts'
import type { Report } from '../../domain/device-model/records.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideNow } from './decide-now.ts'
import { isReachable, isUnderWay } from './may-send.ts'

const TTL_MS = 24 * 3600_000

export function createReconcileReports(store: Pick<CoreStore, 'listRecords'>) {
  const busy = new WeakSet<Station>()
  return (context: CoreContext, station: Station): void => {
    if (busy.has(station) || !isReachable(station) || isUnderWay(station, 'report')) return
    const reports = station.state?.records.all('reports') ?? []
    const running = reports.filter(({ state, ending }) => state === 'running' && ending === undefined)
    const next = running.find(({ toAsk }) => toAsk.length > 0)
    // One at a time: many stations answer only the newest, or with the pages of both in one number.
    const isAwaited = running.some(({ toAsk, askedAt }) => toAsk.length === 0 && askedAt !== undefined)
    const task =
      next && !isAwaited ? askFor(context, station, next) : isAwaited ? undefined : begin(context, store, station)
    if (!task) return
    busy.add(station)
    task
      .catch((error: Error) =>
        context.log.warn({ chargePoint: station.id, error: error.message }, 'a report could not be asked for'),
      )
      .finally(() => busy.delete(station))
  }
}

async function askFor(context: CoreContext, station: Station, { id, toAsk }: Report): Promise<void> {
  const [call] = toAsk
  if (!call) return
  await orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'report', reportId: id },
    expiresAt: context.clock.now() + TTL_MS,
    inputOf: () => ({ kind: 'reportAsked', id }),
  })
}

/** The one that is due by itself. */
function begin(
  context: CoreContext,
  store: Pick<CoreStore, 'listRecords'>,
  station: Station,
): Promise<unknown> | undefined {
  const { id: chargePointId, state, version } = station
  const model = state?.records.find('device_models', { chargePointId })
  const isDue = (at: number | undefined): boolean => at !== undefined && at <= context.clock.now()
  if (context.settings.asksForReports && isDue(model?.reportDueAt)) {
    return orderReport(context, store, station, { base: 'FullInventory' }, true)
  }
  const call = version?.deviceModel.monitorReport
  if (!call || !isDue(model?.monitorsDueAt)) return undefined
  const asks = { calls: [call], needsRequestId: true, isWhole: false, isAutomatic: true } as const
  return decideNow(context, chargePointId, { kind: 'reportWanted', ...asks, subject: 'monitors' })
}

/** @returns undefined when its version cannot be asked that */
export async function orderReport(
  context: CoreContext,
  store: Pick<CoreStore, 'listRecords'>,
  { id: chargePointId, version, state }: Station,
  ask: Parameters<NonNullable<Station['version']>['deviceModel']['reportCalls']>[0],
  isAutomatic: boolean,
): Promise<number | undefined> {
  if (!version || !state) return undefined
  const model = state.records.find('device_models', { chargePointId })
  const where = { accountId: state.accountId, ...modelNameOf(state.status) }
  const marked = await store.listRecords('model_quirks', { where, limit: 1 })
  const asksInTens = model?.asksInTens === true || marked.length > 0
  const calls = version.deviceModel.reportCalls(ask, model?.limits ?? {}, asksInTens)
  if (!calls) return undefined
  const { reportId } = await decideNow(context, chargePointId, { kind: 'reportWanted', ...calls, isAutomatic })
  return reportId
}
