/** Requests customer information once the charge point is connected (DRIVER-I1). */
import type { CustomerRequest } from '../../../domain/customer-information/records.ts'
import { orderCall } from '../../outbound/order-call.ts'
import { decideNow } from '../decide-now.ts'
import { isReachable, isUnderWay } from '../may-send.ts'
import { stored } from '../stored.ts'
import type { Subject, Task } from '../subject.ts'

const SWEEP_MS = 60_000

export const customerInformation: Subject<Task & { readonly request: CustomerRequest }> = {
  name: 'customer information',
  records: ['customer_requests'],
  purposes: ['customerInformation'],
  // One at a time: stations answer the newest, or mix their pages.
  due(station) {
    const all = station.state?.records.all('customer_requests') ?? []
    const next = all.find(({ state }) => state === 'requested')
    const isBusy = all.some(({ state }) => state === 'running') || isUnderWay(station, 'customerInformation')
    return next && !isBusy && isReachable(station) ? [{ key: '', request: next }] : []
  },
  async order(context, { id: stationId, version }, { request }) {
    const { requestId, dueAt } = request
    if (!version) return
    const call = version.askForCustomer?.(request)
    if (!call) {
      const reason = `${version.protocol} has no message for it`
      await decideNow(context, stationId, { kind: 'customerInformationAnswered', requestId, answer: 'refused', reason })
      return
    }
    const purpose = { kind: 'customerInformation', requestId } as const
    await orderCall(context, { stationId, call, purpose, expiresAt: dueAt })
  },
  overdue: [
    {
      everyMs: SWEEP_MS,
      stored: stored(
        'customer_requests',
        (now) => ({ dueAt: { below: now + 1 } }),
        () => ({ kind: 'customerInformationDue' }),
      ),
    },
  ],
}
