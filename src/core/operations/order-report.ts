/** Orders a device model report (DEVICE-A2); it waits while the charge point is offline. */
import type { ReportOrder, ReportOrdered } from '../../domain/ports/blocks.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import type { CoreContext } from '../context.ts'
import { orderReport } from '../reconcile/reports.ts'
import { findStation, refusalOf } from './find-station.ts'

export async function orderReportOf(
  context: CoreContext,
  { accountId, chargePointId, ask, grantId }: ReportOrder,
): Promise<ReportOrdered | Refusal> {
  const found = await findStation(context, accountId, chargePointId)
  if ('refused' in found) return found
  const { station, version } = found
  const calls = version.deviceModel.reportCalls(ask, {}, false)
  if (!calls) {
    return refuse(
      422,
      'unsupported_method',
      `${version.protocol} cannot be asked that: name a base, or keys as variables of the component ChargePoint.`,
    )
  }
  // OCPP-RP13: requests must satisfy their schema, such as its length of names.
  const faults = calls.calls.flatMap(({ method, request }) =>
    version.validateRequest(method, calls.needsRequestId ? { requestId: 1, ...request } : request),
  )
  if (faults.length > 0) {
    const errors = faults.map(({ pointer, message }) => ({ pointer: ownPointer(pointer), message }))
    return refuse(400, 'invalid_request', `${version.protocol} cannot ask that.`, errors)
  }
  const { reportItems } = station.state?.records.find('device_models', { chargePointId })?.limits ?? {}
  const asked = ask.componentVariables?.length ?? 0
  if (version.deviceModel.isAskedAtOnce && reportItems !== undefined && reportItems > 0 && asked > reportItems) {
    return refuse(
      422,
      'too_many',
      `The charge point takes at most ${reportItems} names in one report, as its device model says: ask for several.`,
      [{ pointer: '/componentVariables', message: `has more than ${reportItems} items` }],
    )
  }
  try {
    const id = await orderReport(context, station, ask, { isAutomatic: false, grantId })
    if (id !== undefined) return { id }
    return refuse(429, 'queue_full', 'Too many reports of this charge point are running; wait for one of them.')
  } catch (error) {
    return refusalOf(error)
  }
}

/** GetReport's pointer to the caller's list. 1.6's keys were a list, too. */
function ownPointer(pointer: string): string {
  const [, at] = /^\/(?:componentVariable|key)\/(\d+)/.exec(pointer) ?? []
  if (at === undefined) return '/componentVariables'
  const rest = pointer.startsWith('/key') ? '/variable/name' : pointer.replace(/^\/componentVariable\/\d+/, '')
  return `/componentVariables/${at}${rest.replace('/evse/id', '/evseId').replace('/evse/connectorId', '/connectorId')}`
}
