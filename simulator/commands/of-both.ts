import type { Payload } from '../../src/ocpp/payload.ts'
import { cancelReservation } from './reservations.ts'
import type { Command, CommandTarget } from './target.ts'
import type { Logs } from './transfers/logs.ts'

export function commandsOfBoth(target: CommandTarget, logs: Logs) {
  const { certificates } = target
  return {
    ClearCache: () => ({ status: target.cards.forget() ? 'Accepted' : 'Rejected' }),
    CancelReservation: (request) => cancelReservation(target, Number(request.reservationId)),
    GetLog: (request) => {
      const requestId = Number(request.requestId)
      const filename = `${target.serialNumber}-log.txt`
      const log = request.log as Payload
      const replaces = logs.upload({
        location: String(log.remoteLocation),
        fileName: filename,
        fromAt: time(log.oldestTimestamp),
        toAt: time(log.latestTimestamp),
        retries: number(request.retries),
        say: (status) =>
          // 1.6 has no word for an upload that another one ended.
          status === 'AcceptedCanceled' && target.protocol === 'ocpp1.6'
            ? Promise.resolve()
            : target.notify({ method: 'LogStatusNotification', request: { requestId, status } }),
      })
      return { status: replaces ? 'AcceptedCanceled' : 'Accepted', filename }
    },
    InstallCertificate: (request) => {
      const status = certificates.install(String(request.certificateType), String(request.certificate))
      if (status === 'Rejected') target.afterAnswer(() => target.securityEvent('InvalidCentralSystemCertificate'))
      return { status }
    },
    DeleteCertificate: (request) => ({ status: certificates.remove(request.certificateHashData as Payload) }),
    CertificateSigned: (request) => {
      const status = certificates.signed(String(request.certificateChain), target.clock.now())
      if (status === 'Rejected') target.afterAnswer(() => target.securityEvent('InvalidChargingStationCertificate'))
      // A02: the new one takes the place of the old one in the very next handshake.
      else if (target.network.present.securityProfile === 3) target.afterAnswer(() => target.reconnect())
      return { status }
    },
  } satisfies Record<string, Command>
}

/** The subject names the station by its serial number (A00.FR.405). */
export async function requestCertificate(target: CommandTarget): Promise<void> {
  const commonName = target.behaviour.foreignSerial ? 'SOMEBODY-ELSE' : target.serialNumber
  const csr = target.certificates.request(commonName, target.rules.organization)
  await target.notify({ method: 'SignCertificate', request: { csr } })
}

export function time(value: unknown): number | undefined {
  const at = Date.parse(String(value))
  return Number.isNaN(at) ? undefined : at
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
