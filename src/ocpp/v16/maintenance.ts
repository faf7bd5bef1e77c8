/** Logs and firmware of a 1.6 charge point (1.6 §6.19, §6.53; security whitepaper L01, N01). */

import type { OutgoingCall } from '../payload.ts'
import { sentTime } from '../translate/payload.ts'
import type { Maintenance } from '../version.ts'

export const maintenance: Maintenance = {
  getLog({ type, requestId, location, fromAt, toAt }): OutgoingCall {
    const [oldest, latest] = [sentTime(fromAt), sentTime(toAt)]
    if (type === 'diagnostics') {
      return {
        method: 'GetDiagnostics',
        request: {
          location,
          startTime: oldest,
          stopTime: latest,
        },
      }
    }
    return {
      method: 'GetLog',
      request: {
        logType: 'SecurityLog',
        requestId,
        log: {
          remoteLocation: location,
          oldestTimestamp: oldest,
          latestTimestamp: latest,
        },
      },
    }
  },

  /** Without certificate and signature only the plain order is possible. */
  updateFirmware({ requestId, location, retrieveAt, certificate, signature }): OutgoingCall {
    if (certificate === undefined || signature === undefined) {
      return { method: 'UpdateFirmware', request: { location, retrieveDate: sentTime(retrieveAt) } }
    }
    return {
      method: 'SignedUpdateFirmware',
      request: {
        requestId,
        firmware: { location, retrieveDateTime: sentTime(retrieveAt), signingCertificate: certificate, signature },
      },
    }
  },

  /** Only the extension's trigger has signed updates. */
  askProgress: ({ isSigned }) => ({
    method: isSigned ? 'ExtendedTriggerMessage' : 'TriggerMessage',
    request: { requestedMessage: 'FirmwareStatusNotification' },
  }),
}
