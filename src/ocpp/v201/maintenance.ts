/** Logs and firmware of a 2.0.1 charge point (L01, N01). */
import { sentTime } from '../translate/payload.ts'
import type { Maintenance } from '../version.ts'

const LOG_TYPES = { diagnostics: 'DiagnosticsLog', security: 'SecurityLog' } as const

export const maintenance: Maintenance = {
  getLog({ type, requestId, location, fromAt, toAt }) {
    const [oldest, latest] = [sentTime(fromAt), sentTime(toAt)]
    return {
      method: 'GetLog',
      request: {
        logType: LOG_TYPES[type],
        requestId,
        log: {
          remoteLocation: location,
          oldestTimestamp: oldest,
          latestTimestamp: latest,
        },
      },
    }
  },

  /** L01.FR.11: a certificate is always sent if there is one. */
  updateFirmware: ({ requestId, location, retrieveAt, certificate, signature }) => ({
    method: 'UpdateFirmware',
    request: {
      requestId,
      firmware: {
        location,
        retrieveDateTime: sentTime(retrieveAt),
        signingCertificate: certificate,
        signature,
      },
    },
  }),

  askProgress: () => ({ method: 'TriggerMessage', request: { requestedMessage: 'FirmwareStatusNotification' } }),
}
