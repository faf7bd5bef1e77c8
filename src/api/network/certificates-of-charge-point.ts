/** The certificates of one charge point: its own, and those that it trusts (CERT-C19, CERT-C23). */
import { z } from '@hono/zod-openapi'
import {
  askInstalled,
  certificatesOf,
  install,
  ordererOf,
  removeCertificate,
} from '../../application/certificates/of-charge-point.ts'
import { CertificateListSchema, InstalledSchema, InstallSchema } from '../../application/certificates/schemas.ts'
import { json as described } from '../../application/schemas/common.ts'
import { representCertificate, representInstalled } from '../../domain/certificates/represent.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import { grantOf } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'

export function addCertificatesOfChargePoints(api: Api): void {
  const certificates = chargePointResource(api, {
    tag: 'Certificates',
    path: '/certificates',
  })
  certificates.get('', 'listCertificates', 'List certificates of a charge point', {
    description:
      'Those with which it proves who it is, and the roots that it trusts as it reported them. A charge point that is connected is asked first.',
    ok: [CertificateListSchema, 'Its own, then those that are installed'],
    async handle({ chargePoint }) {
      await askInstalled(api, chargePoint)
      const { own, installed } = await certificatesOf(api, chargePoint.id)
      return { data: [...own.map(representCertificate), ...installed.map(representInstalled)], meta: {} }
    },
  })
  certificates.post('', 'installCertificate', 'Install a root certificate on a charge point', {
    body: InstallSchema,
    problems: [409],
    responses: {
      201: described(InstalledSchema, 'It is installed'),
      202: described(InstalledSchema, 'It waits for the charge point'),
    },
    async handle({ principal, chargePoint, body }) {
      const place = { ...api, grantId: grantOf(principal) }
      const { row, certificateType } = orRefused(await install(place, chargePoint, body))
      const commandId = logIdToUuid(row.id, api.salt)
      const isWaiting = row.status === 'pending'
      return json({ state: isWaiting ? 'pending' : 'installed', certificateType, commandId }, isWaiting ? 202 : 201)
    },
  })
  certificates.delete(
    '/{certificate}',
    'deleteCertificate',
    'Revoke a certificate of a charge point, or delete one that is installed',
    {
      description:
        'One of its own is refused from its next login on, and stands on the revocation list of its authority. The last root by which it knows this server cannot be deleted.',
      params: z.object({ certificate: z.string() }),
      problems: [409],
      done: 'Revoked or deleted',
      holds: ({ chargePoint, params }) => ordererOf(api, chargePoint.id, params.certificate),
      handle: ({ principal, chargePoint, params }) => {
        const place = { ...api, serverRoot: api.settings.serverRoot, grantId: grantOf(principal) }
        return removeCertificate(place, chargePoint, params.certificate)
      },
    },
  )
}
