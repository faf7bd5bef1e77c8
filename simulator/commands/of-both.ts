/** The commands that both versions ask in the same words. */
import type { Payload } from '../../src/ocpp/version.ts'
import type { Certificates } from './certificates.ts'
import { uploadLog } from './files.ts'
import { cancelReservation } from './reservations.ts'
import type { Command, CommandTarget } from './target.ts'

export function commandsOfBoth(target: CommandTarget, certificates: Certificates) {
  return {
    ClearCache: () => ({ status: target.cards.forget() ? 'Accepted' : 'Rejected' }),
    CancelReservation: (request) => cancelReservation(target, Number(request.reservationId)),
    GetLog: (request) => {
      const requestId = Number(request.requestId)
      const filename = `${target.serialNumber}-log.txt`
      const say = (status: string) =>
        target.notify({
          method: 'LogStatusNotification',
          request: { requestId, status: status === 'failed' ? 'UploadFailure' : status },
        })
      uploadLog(target, { location: String((request.log as Payload).remoteLocation), fileName: filename, say })
      return { status: 'Accepted', filename }
    },
    InstallCertificate: (request) => certificates.install(String(request.certificateType), String(request.certificate)),
    DeleteCertificate: (request) => certificates.remove(request.certificateHashData as Payload),
    CertificateSigned: (request) => certificates.signed(String(request.certificateChain)),
  } satisfies Record<string, Command>
}
