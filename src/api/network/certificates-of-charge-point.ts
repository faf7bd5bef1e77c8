/** The certificates of one charge point: its own, and those that it trusts (CERT-C19, CERT-C23). */
import { z } from '@hono/zod-openapi'
import {
  askInstalled,
  certificatesOf,
  install,
  removeCertificate,
} from '../../application/certificates/of-charge-point.ts'
import { CertificateListSchema, InstalledSchema, InstallSchema } from '../../application/certificates/schemas.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import { json as described } from '../../application/schemas/common.ts'
import { representCertificate, representInstalled } from '../../domain/certificates/represent.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import { needsScope, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { carriedOut, json, noContent, orRefused } from '../respond.ts'

const TAG = 'Certificates'
const CERTIFICATES = needsScope('chargers:certificates')
const PATH = '/2/evse-controllers/{evseController}/certificates'
export function addCertificatesOfChargePoints(api: Api): void {
  addList(api)
  addInstallation(api)
  addDeletion(api)
}

function addList(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listCertificates',
    tag: TAG,
    summary: 'List certificates of a charge point',
    description:
      'Those with which it proves who it is, and the roots that it trusts as it reported them. A charge point that is connected is asked first.',
    access: CERTIFICATES,
    params: chargePointParams,
    responses: { 200: described(CertificateListSchema, 'Its own, then those that are installed') },
    async handle({ principal, params }) {
      const view = await visibleChargePoint(api.reads, principal, params.evseController)
      await askInstalled(api, view)
      const { own, installed } = await certificatesOf(api, view.id)
      return json({ data: [...own.map(representCertificate), ...installed.map(representInstalled)], meta: {} })
    },
  })
}

function addInstallation(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'installCertificate',
    tag: TAG,
    summary: 'Install a root certificate on a charge point',
    access: CERTIFICATES,
    params: chargePointParams,
    body: InstallSchema,
    problems: [409],
    responses: {
      201: described(InstalledSchema, 'It is installed'),
      202: described(InstalledSchema, 'It waits for the charge point'),
    },
    async handle({ principal, params, body }) {
      const view = await visibleChargePoint(api.reads, principal, params.evseController)
      const { row, certificateType } = orRefused(await install(api, view, body))
      const commandId = logIdToUuid(row.id, api.salt)
      const isWaiting = row.status === 'pending'
      return json({ state: isWaiting ? 'pending' : 'installed', certificateType, commandId }, isWaiting ? 202 : 201)
    },
  })
}

function addDeletion(api: Api): void {
  api.endpoints.add({
    method: 'delete',
    path: `${PATH}/{certificate}`,
    operationId: 'deleteCertificate',
    tag: TAG,
    summary: 'Revoke a certificate of a charge point, or delete one that is installed',
    description:
      'One of its own is refused from its next login on, and stands on the revocation list of its authority. The last root by which it knows this server cannot be deleted.',
    access: CERTIFICATES,
    params: chargePointParams.extend({ certificate: z.string() }),
    problems: [409],
    responses: { 204: { description: 'Revoked or deleted' } },
    async handle({ principal, params }) {
      const view = await visibleChargePoint(api.reads, principal, params.evseController)
      const { serverRoot } = api.settings
      carriedOut(await removeCertificate({ ...api, serverRoot }, view, params.certificate))
      return noContent()
    },
  })
}
