/** Reports of the device model in 2.0.1 (B07, B08), and values in other answers. */
import type { DeviceModelOnWire } from '../translate/blocks-on-wire.ts'
import { reasonOf, text } from '../translate/payload.ts'
import { valuesRead, wireName } from './variables.ts'

export const deviceModel: DeviceModelOnWire = {
  reportCalls({ base, criteria, componentVariables }) {
    if (base !== undefined) {
      const call = { method: 'GetBaseReport', request: { reportBase: base } }
      return { calls: [call], needsRequestId: true, isWhole: base === 'FullInventory' }
    }
    const named = componentVariables?.map(({ component, variable }) => {
      const name = wireName({ component, variable: variable ?? { name: '' } })
      return variable ? name : { component: name.component }
    })
    const request = {
      ...(named && named.length > 0 && { componentVariable: named }),
      ...(criteria && criteria.length > 0 && { componentCriteria: criteria }),
    }
    return { calls: [{ method: 'GetReport', request }], needsRequestId: true, isWhole: false }
  },
  isAskedAtOnce: true,
  inTens: () => undefined,
  subjectReports: {
    monitors: { method: 'GetMonitoringReport', request: {} },
    displayMessages: { method: 'GetDisplayMessages', request: {} },
  },
  readReportAnswer(response) {
    const status = text(response.status)
    switch (status?.toLowerCase()) {
      case 'accepted':
        return { outcome: 'accepted' }
      case 'emptyresultset':
      // O03.FR.03: it has no such message.
      case 'unknown':
        return { outcome: 'empty' }
      default:
        return { outcome: 'rejected', reason: reasonOf(status ?? 'no status', response.statusInfo) }
    }
  },
  readValues: ({ method }, response) => (method === 'GetVariables' ? valuesRead(response) : []),
  reset: { call: { method: 'Reset', request: { type: 'OnIdle' } }, waits: true },
}
