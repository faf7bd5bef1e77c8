/** Requests the reports that are due or ordered (DEVICE-A2, DEVICE-A5): one call at a time. */
import { dueOf } from '../../domain/device-model/following.ts'
import { modelNameOf, type Report, type ReportSubject } from '../../domain/device-model/records.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideNow, isReachable, isUnderWay } from './decide-now.ts'
import { type Subject, stored, type Task } from './subject.ts'

const TTL_MS = 24 * 3600_000
const SUBJECTS: readonly ReportSubject[] = ['monitors', 'displayMessages']

interface Asked extends Task {
  /** Absent: a due one begins. */
  readonly report?: Report
  readonly subject?: 'variables' | ReportSubject
}

export const reports: Subject<Asked> = {
  name: 'reports',
  records: ['reports', 'device_models'],
  purposes: ['report'],
  due(station, now, { asksForReports }) {
    if (!isReachable(station) || isUnderWay(station, 'report')) return []
    const { id: chargePointId, state, version } = station
    const all = state?.records.all('reports') ?? []
    const running = all.filter(({ state: is, ending }) => is === 'running' && ending === undefined)
    const report = running.find(({ toAsk }) => toAsk.length > 0)
    // One at a time: many stations answer only the newest, or mix pages under one number.
    if (running.some(({ toAsk, askedAt }) => toAsk.length === 0 && askedAt !== undefined)) return []
    if (report) return [{ key: '', report }]
    const model = state?.records.find('device_models', { chargePointId })
    const isDue = (of?: ReportSubject): boolean => (dueOf(model, of) ?? Number.POSITIVE_INFINITY) <= now
    if (asksForReports && isDue()) return [{ key: '', subject: 'variables' }]
    const subject = version?.deviceModel.subjectReports && SUBJECTS.find(isDue)
    return subject ? [{ key: '', subject }] : []
  },
  order(context, station, { report, subject }) {
    if (report) return askFor(context, station, report)
    if (subject === 'variables') return orderReport(context, station, { base: 'FullInventory' }, { isAutomatic: true })
    const call = subject && station.version?.deviceModel.subjectReports?.[subject]
    if (!call) return Promise.resolve()
    const asks = { calls: [call], needsRequestId: true, isWhole: false, isAutomatic: true } as const
    return decideNow(context, station.id, { kind: 'reportRequested', ...asks, subject })
  },
  interrupted: stored(
    'reports',
    () => ({ state: 'running' as const }),
    ({ id }) => ({ kind: 'reportInterrupted', id }),
  ),
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

export async function orderReport(
  context: CoreContext,
  { id: chargePointId, version, state }: Station,
  ask: Parameters<NonNullable<Station['version']>['deviceModel']['reportCalls']>[0],
  by: { readonly isAutomatic: boolean; readonly grantId?: string | undefined },
): Promise<number | undefined> {
  if (!version || !state) return undefined
  const model = state.records.find('device_models', { chargePointId })
  const where = { accountId: state.accountId, ...modelNameOf(state.status) }
  const marked = await context.store.listRecords('model_quirks', { where, limit: 1 })
  const asksInTens = model?.asksInTens === true || marked.length > 0
  const calls = version.deviceModel.reportCalls(ask, model?.limits ?? {}, asksInTens)
  if (!calls) return undefined
  const { reportId } = await decideNow(context, chargePointId, { kind: 'reportRequested', ...calls, ...by })
  return reportId
}
