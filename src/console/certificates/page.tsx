/** Requests that wait to be signed, and the authorities that sign (CONSOLE-N10). */

import { answerRequest, authorityFacts, type RequestAnswer } from '../../application/certificates/orders.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { fittingRecords, PART } from '../../domain/records/all-records.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { typedWith } from '../kit/form.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { certificateTexts } from '../kit/parts.tsx'
import { acting, again, answering, type Shown, showing, type Visit } from '../visit.tsx'
import { CertificatesPage, RequestPage } from './requests-page.tsx'
import { addStationCertificatePages } from './station-pages.tsx'

const REQUESTS = '/certificate-requests'
const MAX_REASON_LENGTH = 500

export const addCertificatePages: MountConsolePages = (page) => {
  addStationCertificatePages(page)
  page('/certificates', { GET: showCertificates })
  page(`${REQUESTS}/:requestId`, { GET: showRequest })
  page(`${REQUESTS}/:requestId/csr`, { GET: downloadRequest })
  page(`${REQUESTS}/:requestId/sign`, { POST: answer(chainOf) })
  page(`${REQUESTS}/:requestId/reject`, { POST: answer(rejectionOf) })
}

const showCertificates: ConsolePage = showing('see', async ({ site, context, frame, accountId }) => {
  await site.core.prepareAuthorities()
  const { show, chargePoint, after } = context.req.query()
  const everything = show === 'all'
  const from = chargePoint !== undefined && after !== undefined ? { chargePointId: chargePoint, id: after } : undefined
  const [authorities, found] = await Promise.all([
    site.reads.listRecords('certificate_authorities', { limit: 100 }),
    findRequests(site.reads, { accountId, everything, from, most: rowsAsked(frame) }),
  ])
  const { rows, last } = pageOfRows(found, frame)
  return (
    <CertificatesPage
      frame={frame}
      baseUrl={site.baseUrl}
      authorities={authorities.map((authority) => [authority, authorityFacts(authority)] as const)}
      requests={rows}
      everything={everything}
      next={last && { chargePoint: last.chargePointId, after: last.id }}
    />
  )
})

type RequestKey = Pick<CertificateRequest, 'chargePointId' | 'id'>

interface Asked {
  readonly accountId: string
  readonly everything: boolean
  readonly from: RequestKey | undefined
  readonly most: number
}

function findRequests(reads: Reads, { accountId, everything, from, most }: Asked) {
  return fittingRecords<CertificateRequest, RequestKey>(
    (after) => reads.listRecords('certificate_requests', { where: { accountId }, limit: PART, after }),
    ({ state }) => everything || state === 'pending',
    most,
    from,
  )
}

const showRequest: ConsolePage = showing('see', async (visit) => {
  const request = await find(visit)
  return request && requestPage(visit, request)
})

const downloadRequest: ConsolePage = answering('see', async (visit) => {
  const request = await find(visit)
  const headers = {
    'content-type': 'application/pkcs10',
    'content-disposition': `attachment; filename="${request?.id}.csr"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return request && new Response(request.csr, { headers })
})

type Read = (visit: Visit, form: URLSearchParams) => RequestAnswer | Refusal

const chainOf: Read = (_, form) => ({ chain: form.get('chain') ?? '' })

const rejectionOf: Read = ({ frame }, form) => {
  const rejected = (form.get('rejected') ?? '').trim()
  return rejected === '' || rejected.length > MAX_REASON_LENGTH
    ? refuseFault('/rejected', 'invalid_value', certificateTexts(frame).badReason)
    : { rejected }
}

function answer(read: Read): ConsolePage {
  return acting(actionOf, async (visit, form): Promise<string | Refusal | Shown> => {
    const request = await find(visit)
    if (!request) return noSuch('certificate request')
    const given = read(visit, form)
    const refusal = 'refused' in given ? given : await answerRequest(visit.site, request, given)
    if (!refusal) return `${REQUESTS}/${request.id}`
    if (refusal.status === 409) return refusal
    return again(requestPage(visit, request, typedWith(form, refusal)), refusal)
  })
}

async function find({ site, context, accountId }: Visit): Promise<CertificateRequest | undefined> {
  const where = { id: context.req.param('requestId') ?? '' }
  const found = await site.reads.listRecords('certificate_requests', { where, limit: 2 })
  return found.find((one) => one.accountId === accountId)
}

function actionOf({ req }: PageContext): string {
  return `certificate request ${req.param('requestId') ?? ''}`
}

function requestPage(visit: Visit, request: CertificateRequest, typed: Typed = NOTHING_TYPED) {
  return <RequestPage visit={visit} action={actionOf(visit.context)} request={request} typed={typed} />
}
