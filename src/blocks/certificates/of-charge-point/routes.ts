/** The certificates of one charge point: its own, and those that it trusts (CERT-C19, CERT-C23). */
import { z } from '@hono/zod-openapi'
import { logIdToUuid } from '../../../commands/log-id.ts'
import { credentialOnly, visibleChargePoint } from '../../../http/access/access.ts'
import type { Api } from '../../../http/parts.ts'
import { invalidRequest, notFound, Problem } from '../../../http/problem.ts'
import { json, noContent, orRefused } from '../../../http/respond.ts'
import { chargePointParams } from '../../../http/schemas/charge-points.ts'
import { json as described } from '../../../http/schemas/common.ts'
import type { ChargePointView, Command } from '../../../ports/storage.ts'
import { readCertificates } from '../../../x509/pem.ts'
import type { InstalledCertificate } from '../records.ts'
import { representCertificate, representInstalled } from '../represent.ts'
import { CertificateListSchema, InstalledSchema, InstallSchema } from '../schemas.ts'

const TAG = 'Certificates'
const PATH = '/2/evse-controllers/{evseController}/certificates'
/** A station answers in a second or two; a list does not wait for one that does not. */
const REPORT_WAIT_MS = 5_000
const CHANGE_WAIT_MS = 30_000
/** The newest are what matters, and nobody has more. */
const MOST_LISTED = 200
const ROOTS_16 = ['CentralSystemRootCertificate', 'ManufacturerRootCertificate'] as const
const CSMS_ROOTS: readonly string[] = ['CSMSRootCertificate', 'CentralSystemRootCertificate']

export function addCertificatesOfChargePoints(api: Api): void {
  addList(api)
  addInstallation(api)
  addDeletion(api)
}

type Send = (method: string, request: Readonly<Record<string, unknown>>, waitMs: number) => Promise<Command>

function sender({ core }: Api, { accountId, id }: ChargePointView): Send {
  return async (method, request, waitMs) =>
    orRefused(await core.sendCommand({ accountId, chargePointId: id, method, request, waitMs }))
}

/** Asks a charge point that is connected; one that is away, or does not answer, shows what it reported last. */
async function askInstalled(api: Api, view: ChargePointView): Promise<void> {
  const [connectivity] = await api.core.connectivity([view.id])
  if (!connectivity?.online) return
  const send = sender(api, view)
  const types = view.status.protocol === 'ocpp1.6' ? ROOTS_16.map((certificateType) => ({ certificateType })) : [{}]
  await Promise.all(types.map((request) => send('GetInstalledCertificateIds', request, REPORT_WAIT_MS).catch(ignore)))
}

function ignore(): void {}

async function installedOn({ reads }: Api, chargePointId: string): Promise<readonly InstalledCertificate[]> {
  return reads.listRecords('installed_certificates', { where: { chargePointId }, limit: MOST_LISTED })
}

function addList(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listCertificates',
    tag: TAG,
    summary: 'Certificates of a charge point',
    description:
      'Those with which it proves who it is, and the roots that it trusts as it reported them. A charge point that is connected is asked first.',
    access: credentialOnly,
    params: chargePointParams,
    responses: { 200: described(CertificateListSchema, 'Its own, then those that are installed') },
    async handle({ principal, params }) {
      const view = await visibleChargePoint(api.reads, principal, params.evseController)
      await askInstalled(api, view)
      const where = { chargePointId: view.id }
      const own = await api.reads.listRecords('station_certificates', { where, limit: MOST_LISTED })
      const installed = await installedOn(api, view.id)
      const newestFirst = [...own].sort((a, b) => b.createdAt - a.createdAt)
      return json({ data: [...newestFirst.map(representCertificate), ...installed.map(representInstalled)], meta: {} })
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
    access: credentialOnly,
    params: chargePointParams,
    body: InstallSchema,
    problems: [409],
    responses: {
      201: described(InstalledSchema, 'It is installed'),
      202: described(InstalledSchema, 'It waits for the charge point'),
    },
    async handle({ principal, params, body }) {
      const view = await visibleChargePoint(api.reads, principal, params.evseController)
      const pem = readCertificates(body.certificate)
      if (pem?.length !== 1 || !pem[0]) {
        throw invalidRequest([{ pointer: '/certificate', code: 'invalid_certificate', message: 'must be one in PEM' }])
      }
      const certificateType = typeFor(view, body.certificateType)
      const request = { certificateType, certificate: pem[0].toString() }
      const row = await sender(api, view)('InstallCertificate', request, CHANGE_WAIT_MS)
      const commandId = logIdToUuid(row.id, api.salt)
      if (row.status === 'pending') return json({ state: 'pending', certificateType, commandId }, 202)
      if (statusOf(row) !== 'Accepted') throw notTaken(row)
      await askInstalled(api, view)
      return json({ state: 'installed', certificateType, commandId }, 201)
    },
  })
}

/** The same root has a name in each version. */
function typeFor({ status }: ChargePointView, type: string): string {
  if (!CSMS_ROOTS.includes(type)) return type
  return status.protocol === 'ocpp1.6' ? 'CentralSystemRootCertificate' : 'CSMSRootCertificate'
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
    access: credentialOnly,
    params: chargePointParams.extend({ certificate: z.string() }),
    problems: [409],
    responses: { 204: { description: 'Revoked or deleted' } },
    async handle({ principal, params }) {
      const view = await visibleChargePoint(api.reads, principal, params.evseController)
      const { id: chargePointId, accountId } = view
      const own = { chargePointId, fingerprint: params.certificate }
      if (await api.reads.getRecord('station_certificates', own)) {
        const input = { kind: 'certificateRevoked', fingerprint: params.certificate } as const
        orRefused((await api.core.decideBlock({ accountId, chargePointId, input })) as object)
        return noContent()
      }
      const installed = await installedOn(api, chargePointId)
      const root = installed.find(({ id }) => id === params.certificate)
      if (!root) throw notFound('certificate')
      if (CSMS_ROOTS.includes(root.type) && installed.filter(({ type }) => type === root.type).length < 2) {
        const detail = 'It is the only root by which the charge point knows this server: install another one first.'
        throw new Problem(409, 'root_in_use', detail)
      }
      const request = { certificateHashData: root.hash }
      const row = await sender(api, view)('DeleteCertificate', request, CHANGE_WAIT_MS)
      const status = statusOf(row)
      if (status !== 'Accepted' && status !== 'NotFound') throw notTaken(row)
      await askInstalled(api, view)
      return noContent()
    },
  })
}

function statusOf({ response }: Command): unknown {
  const answer: unknown = response === undefined ? undefined : JSON.parse(response)
  return typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined
}

function notTaken(row: Command): Problem {
  const answer = row.status === 'success' ? String(statusOf(row)) : row.status
  return new Problem(409, 'charge_point_refused', `The charge point did not do it: ${answer}.`)
}
