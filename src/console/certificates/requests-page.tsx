import type { FC } from 'hono/jsx'
import type { CertificateAuthority, CertificateRequest } from '../../domain/certificates/records.ts'
import type { AuthorityFacts } from '../../domain/certificates/represent.ts'
import { Entry, Lines, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownDate, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { Facts } from '../facts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { certificateTexts } from './texts.ts'

export const RequestChip: FC<{ frame: Frame; request: CertificateRequest }> = ({ frame, request: { state } }) => (
  <span class={`chip ${state === 'signed' ? 'good' : state === 'pending' ? 'amber' : 'bad'}`}>
    {certificateTexts(frame).requestStates[state]}
  </span>
)

export const Requests: FC<{ frame: Frame; requests: readonly CertificateRequest[] }> = ({ frame, requests }) => {
  const words = certificateTexts(frame)
  if (requests.length === 0) return <p class="soft">{words.noRequests}</p>
  return (
    <table class="cards">
      <Headings of={[words.commonName, operatorTexts(frame).chargePoint, words.state, words.reason, words.created]} />
      <tbody>
        {requests.map((request) => (
          <tr>
            <td class="name">
              <a href={`${frame.root}/certificate-requests/${request.id}`}>
                <bdi>{request.commonName}</bdi>
              </a>
            </td>
            <td class="host">
              <a href={`${chargePointPath(frame, request.chargePointId)}/certificates`}>
                <bdi>{request.chargePointId}</bdi>
              </a>
            </td>
            <td data-label={words.state}>
              <RequestChip frame={frame} request={request} />
            </td>
            <TextCell label={words.reason} text={request.reason} />
            <td class="time">{shownTime(request.createdAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Who signs, and what waits to be signed. */
export const CertificatesPage: FC<{
  frame: Frame
  baseUrl: string
  authorities: readonly (readonly [CertificateAuthority, AuthorityFacts])[]
  requests: readonly CertificateRequest[]
  everything: boolean
  next?: { readonly chargePoint: string; readonly after: string }
}> = ({ frame, baseUrl, authorities, requests, everything, next }) => {
  const words = certificateTexts(frame)
  const path = `${frame.root}/certificates`
  const show = everything ? { show: 'all' } : {}
  return (
    <Page frame={frame} title={words.certificates} wide live>
      <h1>{words.certificates}</h1>
      <section class="card" data-live="requests" aria-labelledby="requests">
        <h2 id="requests">{words.requests}</h2>
        <p class="filters">
          <a href={path} aria-current={everything ? undefined : 'page'}>
            {words.onlyPending}
          </a>
          <a href={path + queryText({ show: 'all' })} aria-current={everything ? 'page' : undefined}>
            {words.all}
          </a>
        </p>
        <Requests frame={frame} requests={requests} />
        {next && (
          <p class="filters">
            <a href={path + queryText({ ...show, ...next })} rel="next">
              {operatorTexts(frame).next}
            </a>
          </p>
        )}
      </section>
      <section class="card scrolls" aria-labelledby="authorities" tabindex={0}>
        <h2 id="authorities">{words.authorities}</h2>
        {authorities.length === 0 && <p class="soft">{words.noAuthorities}</p>}
        {authorities.map(([{ name, keyKind }, { subject, fingerprint, notBefore, notAfter }]) => (
          <>
            <Facts
              facts={[
                [words.subject, `${subject} (${keyKind})`],
                [words.valid, `${shownDate(notBefore)} – ${shownDate(notAfter)}`],
                ['SHA-256', fingerprint],
              ]}
            />
            <p class="filters">
              <a href={`${baseUrl}/certificates/${name}.pem`}>{words.root}</a>
              <a href={`${baseUrl}/certificates/${name}.crl`}>{words.list}</a>
            </p>
          </>
        ))}
      </section>
    </Page>
  )
}

/** One request: read, fetched, and signed or rejected by hand while it waits for that. */
export const RequestPage: FC<{
  frame: Frame
  request: CertificateRequest
  typed: Typed
  /** Absent for who may only look. */
  csrf?: string
}> = ({ frame, request, typed, csrf }) => {
  const words = certificateTexts(frame)
  const { id, chargePointId, commonName, csr, type, keyKind, reason, createdAt, state } = request
  const path = `${frame.root}/certificate-requests/${id}`
  const fault = typed.faults.form
  return (
    <Page frame={frame} title={words.request}>
      <h1>
        {words.request} <bdi>{commonName}</bdi>
      </h1>
      <section class="card">
        <p>
          <RequestChip frame={frame} request={request} /> <bdi>{reason}</bdi>
        </p>
        <Facts
          facts={[
            [operatorTexts(frame).chargePoint, chargePointId],
            [words.type, type],
            [words.algorithm, keyKind],
            [words.created, shownTime(createdAt)],
          ]}
        />
        <pre>{csr}</pre>
        <p>
          <a href={`${path}/csr`} download={`${id}.csr`}>
            {words.download}
          </a>
        </p>
      </section>
      {csrf !== undefined && state === 'pending' && (
        <>
          {fault !== undefined && (
            <p class="card warn" role="alert">
              {fault}
            </p>
          )}
          <form class="card" method="post" action={`${path}/sign`}>
            <Sealed csrf={csrf} />
            <Lines label={words.chain} name="chain" typed={typed} hint={words.chainHint} required />
            <Submit>{words.sign}</Submit>
          </form>
          <form class="card" method="post" action={`${path}/reject`}>
            <Sealed csrf={csrf} />
            <Entry label={words.rejectReason} name="rejected" typed={typed} required />
            <div class="actions">
              <button class="danger" type="submit">
                {words.reject}
              </button>
            </div>
          </form>
        </>
      )}
      <p>
        <a href={`${frame.root}/certificates`}>{words.certificates}</a>
      </p>
    </Page>
  )
}
