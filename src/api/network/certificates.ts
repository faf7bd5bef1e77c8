/** Certificate requests, and the authorities that sign them (CERT-C7, CERT-C8, CERT-C22). */
import { z } from '@hono/zod-openapi'
import {
  askInstalled,
  certificatesOf,
  install,
  ordererOf,
  removeCertificate,
} from '../../application/certificates/of-charge-point.ts'
import {
  AnswerRequestSchema,
  AuthorityListSchema,
  answerRequest,
  authorityFacts,
  CertificateListSchema,
  CertificateRequestListSchema,
  CertificateRequestSchema,
  InstalledSchema,
  InstallSchema,
} from '../../application/certificates/orders.ts'
import { cancelProfileJob, raiseProfile } from '../../application/profile-jobs/orders.ts'
import { json as described, pageQuery, shown, time } from '../../application/schemas/common.ts'
import type { CertificateAuthority, CertificateRequest } from '../../domain/certificates/records.ts'
import {
  representAuthority,
  representCertificate,
  representInstalled,
  representRequest,
} from '../../domain/certificates/represent.ts'
import { logIdToUuid } from '../../domain/message-log/log-id.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { openAuthority, revocationList } from '../../domain/x509/authority.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { grantOf, sees, sharedChargePoints } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, recordPage, resource } from '../resource.ts'
import { json, notFound, orNotFound, orRefused, problemOfRefusal } from '../respond.ts'

const COMMON = {
  tag: 'Certificates',
  path: '/2/certificate-requests',
} as const
const LIST_KEPT_MS = 60_000

export function addCertificateRequests(api: Api): void {
  addRequests(api)
  addAuthorities(api)
  addPublicFiles(api)
}

function addRequests(api: Api): void {
  const { reads, core, now } = api
  const requests = resource(api, COMMON)
  requests.get('', 'listCertificateRequests', 'List certificate requests of charge points', {
    query: pageQuery,
    ok: [CertificateRequestListSchema, 'A page of requests, by charge point'],
    handle(request) {
      const { accountId } = request.principal
      const of = sharedChargePoints(request.principal)
      return recordPage(api, request, {
        name: 'certificate requests',
        kind: 'certificate_requests',
        of,
        fits: of && ((one) => one.accountId === accountId),
        show: (rows) => rows.map(representRequest),
      })
    },
  })
  requests.put('/{request}', 'answerCertificateRequest', 'Answer a certificate request', {
    description:
      'With the chain that was made for it, which the charge point is then sent, or with a refusal. For requests that are pending: with PILOTWIRE_CERTIFICATE_PROVIDER=manual all of them, with http those that were answered 202.',
    params: z.object({ request: z.string() }),
    body: AnswerRequestSchema,
    problems: [409],
    ok: [CertificateRequestSchema, 'The request'],
    async handle({ principal, params, body }) {
      const { accountId } = principal
      const find = async (): Promise<CertificateRequest> => {
        const found = await reads.listRecords('certificate_requests', { where: { id: params.request }, limit: 2 })
        return orNotFound(
          found.find((one) => one.accountId === accountId),
          'certificate request',
        )
      }
      const request = await find()
      if (!sees(principal, { accountId, id: request.chargePointId })) throw notFound('certificate request')
      const refusal = await answerRequest({ reads, core, now }, request, body)
      if (refusal) throw problemOfRefusal(refusal)
      return representRequest(await find())
    },
  })
}

function addAuthorities({ endpoints, reads, core, settings }: Api): void {
  resource({ endpoints }, { ...COMMON, path: '/2/certificate-authorities' }).get(
    '',
    'listCertificateAuthorities',
    'List the authorities that sign certificates of charge points',
    {
      description: 'Empty unless PILOTWIRE_CERTIFICATE_PROVIDER is internal. A proxy that ends TLS needs these roots.',
      ok: [AuthorityListSchema, 'One for each kind of key'],
      async handle() {
        await core.prepareAuthorities()
        const authorities = await reads.listRecords('certificate_authorities', { limit: 100 })
        const data = authorities.map((one) => representAuthority(one, authorityFacts(one), settings.baseUrl))
        return { data, meta: {} }
      },
    },
  )
}

/** Public: every party that checks a certificate must read them. */
function addPublicFiles({ endpoints, reads, settings, random, now }: Api): void {
  const lists = new Map<string, { readonly at: number; readonly list: Promise<Uint8Array<ArrayBuffer>> }>()

  const authorityOf = async (file: string): Promise<CertificateAuthority> => {
    const name = /^([a-z0-9-]{1,50})\.(?:pem|crl)$/.exec(file)?.[1]
    return orNotFound(
      name === undefined ? undefined : await reads.getRecord('certificate_authorities', { name }),
      'certificate authority',
    )
  }

  const makeList = async ({ name, keyKind, certificate, privateKey }: CertificateAuthority) => {
    const key = sealedBox(settings.secretKey, 'certificateAuthorities', random).open(privateKey, name)
    if (key === undefined) throw new Error(`The key of the authority ${name} was stored under another secret key.`)
    const revoked: { readonly serialNumber: string; readonly revokedAt: number }[] = []
    for await (const page of recordPages(reads, 'revoked_certificates', { authority: name })) {
      // One that is over need not be on the list any more (RFC 5280 §3.3).
      revoked.push(...page.filter(({ notAfter }) => notAfter > now()))
    }
    return revocationList(await openAuthority(keyKind, { certificate, privateKey: key }), revoked, now())
  }

  const listOf = (authority: CertificateAuthority): Promise<Uint8Array<ArrayBuffer>> => {
    const known = lists.get(authority.name)
    if (known && Math.abs(now() - known.at) < LIST_KEPT_MS) return known.list
    const list = makeList(authority)
    lists.set(authority.name, { at: now(), list })
    list.catch(() => lists.delete(authority.name))
    return list
  }

  resource({ endpoints }, { tag: COMMON.tag, path: '/certificates/{file}' }).get(
    '',
    'readAuthority',
    'Get the root certificate (.pem) or revocation list (.crl) of an authority',
    {
      params: z.object({ file: z.string() }),
      produces: ['application/x-pem-file', 'application/pkix-crl'],
      responses: {
        200: {
          description: 'PEM, or DER of the list',
          content: {
            'application/x-pem-file': { schema: { type: 'string' } },
            'application/pkix-crl': { schema: { type: 'string', format: 'binary' } },
          },
        },
      },
      async handle({ params: { file } }) {
        const authority = await authorityOf(file)
        const headers = (type: string) => ({ headers: { 'content-type': type, 'cache-control': 'public, max-age=60' } })
        if (file.endsWith('.pem')) return new Response(authority.certificate, headers('application/x-pem-file'))
        return new Response(await listOf(authority), headers('application/pkix-crl'))
      },
    },
  )
}

/** The certificates of one charge point: its own, and those that it trusts (CERT-C19, CERT-C23). */
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

/** Raising the security profile of a charge point (CERT-C25). */
const JobSchema = z
  .strictObject({
    id: z.string(),
    evseControllerId: z.string(),
    securityProfile: z.int(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    step: z.enum(PROFILE_STEPS).openapi({ description: 'What it waits for, or where it failed.' }),
    reason: z.string().optional(),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('SecurityProfileJob')

export function addProfileJobs(api: Api): void {
  const { reads, settings } = api
  const jobs = chargePointResource(api, { tag: 'Certificates', path: '/security-profile' })
  const find = async (chargePointId: string, id: string): Promise<ProfileJob> => {
    return orNotFound(await reads.getRecord('security_profile_jobs', { chargePointId, id }), 'job')
  }
  jobs.post('', 'raiseSecurityProfile', 'Move a charge point to a higher security profile', {
    description:
      'Over OCPP, a step at a time: the root of this server, where it is known, the network profile and its priority (OCPP 1.6: the key SecurityProfile), a reset when the charge point is idle, and its return on the new profile. Within a day, or the job has failed at the step that it names; a charge point that took the reset and stays on its former profile has an hour. Profile 3 needs a certificate that was made for the charge point, or with which it was here. A charge point of OCPP 2.1 goes back from 3 to 2 where its variable SecurityCtrlr.AllowSecurityProfileDowngrade is true.',
    body: z.strictObject({ securityProfile: z.union([z.literal(2), z.literal(3)]) }).openapi('RaiseSecurityProfile'),
    problems: [409],
    begun: [JobSchema, 'The job'],
    async handle({ principal, chargePoint, body }) {
      const place = { ...api, root: settings.serverRoot }
      const { id } = orRefused(await raiseProfile(place, chargePoint, body.securityProfile, grantOf(principal)))
      return shown(JobSchema, await find(chargePoint.id, id))
    },
  })
  jobs.get('/{job}', 'getSecurityProfileJob', 'Get a security profile job', {
    params: z.object({ job: z.string() }),
    ok: [JobSchema, 'The job'],
    handle: async ({ chargePoint, params }) => shown(JobSchema, await find(chargePoint.id, params.job)),
  })
  jobs.delete('/{job}', 'cancelSecurityProfileJob', 'Cancel a security profile job', {
    description: 'What waits is not sent any more; what the charge point has taken already stays as it is.',
    params: z.object({ job: z.string() }),
    problems: [409],
    done: 'Cancelled',
    holds: ({ chargePoint, params }) => find(chargePoint.id, params.job),
    handle: ({ chargePoint, params }) => cancelProfileJob(api, chargePoint, params.job),
  })
}
