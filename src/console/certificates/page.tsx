/** Requests that wait to be signed, and the authorities that sign (CONSOLE-N10). */

import type { Child, FC } from 'hono/jsx'
import { answerRequest, authorityFacts, type RequestAnswer } from '../../application/certificates/orders.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { fittingRecords, PART } from '../../domain/records/all-records.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import { shownDate, shownTime } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Form, typedWith } from '../kit/form.tsx'
import { Paging, Tabs } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, Chip, cutOff, Facts, link, station, wordsIn } from '../kit/parts.tsx'
import { acting, again, answering, mayAct, showing, type Visit } from '../visit.tsx'

const REQUESTS = '/certificate-requests'
const MAX_REASON_LENGTH = 500

export const addCertificatePages: MountConsolePages = (page) => {
  page('/certificates', { GET: showCertificates })
  page(`${REQUESTS}/:requestId`, { GET: showRequest })
  page(`${REQUESTS}/:requestId/csr`, { GET: downloadRequest })
  page(`${REQUESTS}/:requestId/sign`, { POST: answer(chainOf) })
  page(`${REQUESTS}/:requestId/reject`, { POST: answer(rejectionOf) })
}

type RequestKey = Pick<CertificateRequest, 'chargePointId' | 'id'>

const showCertificates: ConsolePage = showing('see', async ({ site, context, frame, accountId }) => {
  await site.core.prepareAuthorities()
  const { reads, baseUrl } = site
  const { show, chargePoint, after: id } = context.req.query()
  const everything = show === 'all'
  const [authorities, found] = await Promise.all([
    reads.listRecords('certificate_authorities', { limit: 100 }),
    fittingRecords<CertificateRequest, RequestKey>(
      (after) => reads.listRecords('certificate_requests', { where: { accountId }, limit: PART, after }),
      ({ state }) => everything || state === 'pending',
      rowsAsked(frame),
      chargePoint !== undefined && id !== undefined ? { chargePointId: chargePoint, id } : undefined,
    ),
  ])
  const { rows, last } = pageOfRows(found, frame)
  const words = wordsIn('certificates', frame)
  const path = `${frame.root}/certificates`
  const query = { show: everything ? 'all' : undefined }
  return (
    <Page frame={frame} title={words.certificates} wide live>
      <Title text={words.certificates} />
      <Requests
        frame={frame}
        requests={rows}
        before={
          <Tabs
            frame={frame}
            path={path}
            name="show"
            chosen={query.show}
            options={[
              [undefined, words.onlyPending],
              ['all', words.all],
            ]}
          />
        }
        after={
          <Paging
            frame={frame}
            path={path}
            query={query}
            next={last && { chargePoint: last.chargePointId, after: last.id }}
          />
        }
      />
      <section class="card scrolls" aria-labelledby="authorities" tabindex={0}>
        <h2 id="authorities">{words.authorities}</h2>
        {authorities.length === 0 && <p class="soft">{words.noAuthorities}</p>}
        {authorities.map((authority) => {
          const { subject, fingerprint, notBefore, notAfter } = authorityFacts(authority)
          const address = `${baseUrl}/certificates/${authority.name}`
          return (
            <>
              <Facts
                facts={[
                  [words.subject, `${subject} (${authority.keyKind})`],
                  [words.valid, `${shownDate(frame, notBefore)} – ${shownDate(frame, notAfter)}`],
                  ['SHA-256', fingerprint],
                ]}
              />
              <p class="filters">
                <a href={`${address}.pem`}>{words.root}</a>
                <a href={`${address}.crl`}>{words.list}</a>
              </p>
            </>
          )
        })}
      </section>
    </Page>
  )
})

const RequestChip: FC<{ frame: Frame; request: CertificateRequest }> = ({ frame, request: { state } }) => (
  <Chip
    tone={state === 'signed' ? 'good' : state === 'pending' ? 'amber' : 'bad'}
    text={wordsIn('certificates', frame).requestStates[state]}
  />
)

export const Requests: FC<{
  frame: Frame
  requests: readonly CertificateRequest[]
  before?: Child | undefined
  after?: Child | undefined
}> = ({ frame, requests, ...around }) => {
  const words = wordsIn('certificates', frame)
  return (
    <TableCard<CertificateRequest>
      {...around}
      live="requests"
      heading={words.requests}
      oneLine
      rows={requests}
      empty={words.noRequests}
      columns={[
        link(
          words.commonName,
          ({ id, commonName: text }) => ({ to: `${frame.root}/certificate-requests/${id}`, text }),
          {
            kind: 'name',
          },
        ),
        station(frame, words.chargePoint, ({ chargePointId }) => chargePointId, { below: '/certificates', width: 200 }),
        { title: words.state, width: 160, cell: (request) => <RequestChip frame={frame} request={request} /> },
        cutOff(words.reason, ({ reason }) => reason, { wideOnly: true }),
        ago(frame, words.created, ({ createdAt }) => createdAt),
      ]}
    />
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
    ? refuseFault('/rejected', 'invalid_value', wordsIn('certificates', frame).badReason)
    : { rejected }
}

function answer(read: Read): ConsolePage {
  return acting(actionOf, async (visit, form) => {
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
  return `certificate request ${req.param('requestId')}`
}

function requestPage(visit: Visit, request: CertificateRequest, typed: Typed = NOTHING_TYPED) {
  const { frame, context } = visit
  const words = wordsIn('certificates', frame)
  const { id, chargePointId, commonName, csr, type, keyKind, reason, createdAt, state } = request
  const path = `${frame.root}${REQUESTS}/${id}`
  const isSigned = typed.form.has('chain')
  const form = { visit, action: actionOf(context) }
  return (
    <Page frame={frame} title={words.request}>
      <Title
        text={[words.request, ' ', <bdi>{commonName}</bdi>]}
        up={[[`${frame.root}/certificates`, words.certificates]]}
      />
      <section class="card">
        <p>
          <RequestChip frame={frame} request={request} /> <bdi>{reason}</bdi>
        </p>
        <Facts
          facts={[
            [words.chargePoint, chargePointId],
            [words.type, type],
            [words.algorithm, keyKind],
            [words.created, shownTime(frame, createdAt)],
          ]}
        />
        <pre tabindex={0}>{csr}</pre>
        <p>
          <a href={`${path}/csr`} download={`${id}.csr`}>
            {words.download}
          </a>
        </p>
      </section>
      {mayAct(visit) && state === 'pending' && (
        <>
          <Form
            {...form}
            to={`${path}/sign`}
            typed={isSigned ? typed : NOTHING_TYPED}
            fields={[{ name: 'chain', label: words.chain, hint: words.chainHint, lines: true, required: true }]}
            submit={words.sign}
          />
          <Form
            {...form}
            to={`${path}/reject`}
            typed={isSigned ? NOTHING_TYPED : typed}
            fields={[{ name: 'rejected', label: words.rejectReason, required: true }]}
            submit={words.reject}
            danger
          />
        </>
      )}
    </Page>
  )
}
