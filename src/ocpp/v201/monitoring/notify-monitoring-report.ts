import { MONITOR_TYPES, type ReportedMonitor } from '../../../domain/monitors/records.ts'
import type { Payload } from '../../payload.ts'
import { integer, isObject, list, number, text } from '../../translate/payload.ts'
import { fromChargePoint } from '../from-charge-point.ts'
import { readName } from '../variables.ts'

const TYPES = new Map(MONITOR_TYPES.map((type) => [type.toLowerCase(), type]))

/** OCPP 2.0.1 N02. Paged like a NotifyReport. */
export const notifyMonitoringReport = fromChargePoint('NotifyMonitoringReport', {
  effect: 'page of a monitoring report; its monitors are stored, and a complete one is compared with the desired ones',
  input: (request) => {
    const [requestId, sequence] = [integer(request.requestId), integer(request.seqNo)]
    return {
      kind: 'monitorPage',
      requestId,
      sequence,
      isLast: request.tbc !== true,
      monitors: reportedMonitors(request),
    }
  },
})

function reportedMonitors(request: Payload): readonly ReportedMonitor[] {
  return list(request.monitor)
    .filter(isObject)
    .flatMap((entry) => {
      const name = readName(entry, 'Actual')
      if (!name) return []
      const { component, variable } = name
      return list(entry.variableMonitoring)
        .filter(isObject)
        .flatMap((reported): ReportedMonitor[] => {
          const [id, value, severity] = [integer(reported.id), number(reported.value), integer(reported.severity)]
          const type = TYPES.get(text(reported.type)?.toLowerCase() ?? '')
          if (id === undefined || value === undefined || severity === undefined || !type) return []
          return [{ id, component, variable, type, value, severity, transaction: reported.transaction === true }]
        })
    })
}
