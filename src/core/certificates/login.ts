/** Checks a charge point's certificate at login, and reports or remembers it (CERT-C11 to CERT-C17, CERT-C19). */

import { X509Certificate } from 'node:crypto'
import { isRecent } from '../../domain/due.ts'
import type { AdmissionRequest } from '../../domain/ports/core.ts'
import {
  type CertificateCheck,
  checkClientCertificate,
  type ShownCertificate,
} from '../../domain/x509/client-certificate.ts'
import { namesNewcomer } from '../../domain/x509/issue.ts'
import { fingerprintOf, readCertificates } from '../../domain/x509/pem.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { decideBlockOrder } from '../operations/decide-block.ts'

const MAX_AUTHORITIES = 100
/** A charge point that keeps retrying is reported once in this time. */
const TELL_EVERY_MS = 60_000

export interface CertificateLogin {
  check(request: AdmissionRequest, station: Station): Promise<CertificateCheck | undefined>
  refused(station: Station, reason: string): void
  admitted(station: Station, certificate: ShownCertificate): Promise<void>
}

export function createCertificateLogin(context: CoreContext): CertificateLogin {
  const { settings, clock, store } = context
  const configured = readCertificates(settings.clientAuthorities ?? '') ?? []
  const read = new Map<string, X509Certificate>()
  const ownRoots = new Set<string>()
  const reported = new WeakMap<Station, number>()

  const trusted = async (): Promise<readonly X509Certificate[]> => {
    const own = await store.listRecords('certificate_authorities', { limit: MAX_AUTHORITIES })
    for (const { name, certificate } of own) {
      if (read.has(name)) continue
      const root = new X509Certificate(certificate)
      read.set(name, root)
      ownRoots.add(fingerprintOf(root))
    }
    return [...configured, ...read.values()]
  }

  /** CERT-C19, CERT-C28: revoked, followed by a newer one, or another charge point's. */
  const history = async (
    { fingerprint, root, commonName }: ShownCertificate,
    station: Station,
  ): Promise<string | undefined> => {
    const where = { fingerprint }
    const [revoked] = await store.listRecords('revoked_certificates', { where, limit: 1 })
    if (revoked) return 'it was revoked'
    const rows = await store.listRecords('station_certificates', { where, limit: 10 })
    const own = rows.find(({ chargePointId }) => chargePointId === station.id)
    const firstSeen = own?.createdAt ?? Number.POSITIVE_INFINITY
    if (rows.some((row) => row.chargePointId !== station.id && row.createdAt < firstSeen)) {
      return 'it is that of another charge point'
    }
    if (own) return own.state === 'replaced' ? 'a newer one is in use' : undefined
    if (ownRoots.has(root)) return 'it was not made for this charge point as it is registered now'
    if ((station.state?.status.serialNumber ?? '') !== '') return undefined
    const { securityProfile, subjectCheck, expectedSerialNumber } = station.chargePoint
    if (namesNewcomer(commonName, { identity: station.id, expectedSerialNumber }, subjectCheck)) return undefined
    // CERT-C24: a move to profile 3 needs the certificate's owner.
    if (securityProfile !== 3) return 'the owner of the certificate is unknown'
    if (subjectCheck === 'off') return undefined
    return 'its common name is neither the identity nor the serial number that is expected, and no other is known'
  }

  return {
    async check({ certificates }, station) {
      if (!certificates) return undefined
      const { chargePoint, state } = station
      const check = checkClientCertificate(certificates, {
        trusted: await trusted(),
        organization: organizationOf(context, station),
        serialNumber: state?.status.serialNumber,
        subjectCheck: chargePoint.subjectCheck,
        acceptExpired: chargePoint.acceptExpired,
        now: clock.now(),
      })
      if (!check.ok) return check
      const reason = await history(check.certificate, station)
      return reason === undefined ? check : { ok: false, reason }
    },

    refused(station, reason) {
      const now = clock.now()
      if (isRecent(reported.get(station) ?? Number.NEGATIVE_INFINITY, now, TELL_EVERY_MS)) return
      reported.set(station, now)
      const order = { accountId: station.chargePoint.accountId, chargePointId: station.id }
      const input = { kind: 'certificateRefused', id: context.logIds.next(now), reason } as const
      decideBlockOrder(context, { ...order, input }).catch((error: Error) =>
        context.log.error({ chargePoint: station.id, error: error.message }, 'a security event could not be stored'),
      )
    },

    async admitted(station, certificate) {
      const { accountId } = station.chargePoint
      const input = { kind: 'certificateShown', certificate } as const
      const outcome = await decideBlockOrder(context, { accountId, chargePointId: station.id, input })
      if ('refused' in outcome && outcome.refused === true) throw new Error(outcome.detail)
    },
  }
}

/** CERT-C12: the installation's name, else the account's, if it fits into a certificate. */
export function organizationOf({ settings }: Pick<CoreContext, 'settings'>, { accountName }: Station): string {
  return (settings.organization ?? accountName).slice(0, 64)
}
