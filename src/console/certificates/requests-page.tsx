import type { Child, FC } from 'hono/jsx'
import type { CertificateAuthority, CertificateRequest } from '../../domain/certificates/records.ts'
import type { AuthorityFacts } from '../../domain/certificates/represent.ts'
import { type Frame, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { shownDate, shownTime } from '../../web/times.tsx'
import { Form } from '../kit/form.tsx'
import { Paging, Tabs } from '../kit/list.tsx'
import { ago, Chip, certificateTexts, cutOff, Facts, link, station } from '../kit/parts.tsx'
import { mayAct, type Visit } from '../visit.tsx'

const RequestChip: FC<{ frame: Frame; request: CertificateRequest }> = ({ frame, request: { state } }) => (
  <Chip
    tone={state === 'signed' ? 'good' : state === 'pending' ? 'amber' : 'bad'}
    text={certificateTexts(frame).requestStates[state]}
  />
)

export const Requests: FC<{
  frame: Frame
  requests: readonly CertificateRequest[]
  before?: Child | undefined
  after?: Child | undefined
}> = ({ frame, requests, ...around }) => {
  const words = certificateTexts(frame)
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

export const CertificatesPage: FC<{
  frame: Frame
  baseUrl: string
  authorities: readonly (readonly [CertificateAuthority, AuthorityFacts])[]
  requests: readonly CertificateRequest[]
  everything: boolean
  next: { readonly chargePoint: string; readonly after: string } | undefined
}> = ({ frame, baseUrl, authorities, requests, everything, next }) => {
  const words = certificateTexts(frame)
  const path = `${frame.root}/certificates`
  const show = everything ? 'all' : undefined
  return (
    <Page frame={frame} title={words.certificates} wide live>
      <Title text={words.certificates} />
      <Requests
        frame={frame}
        requests={requests}
        before={
          <Tabs
            frame={frame}
            path={path}
            name="show"
            chosen={show}
            options={[
              [undefined, words.onlyPending],
              ['all', words.all],
            ]}
          />
        }
        after={<Paging frame={frame} path={path} query={{ show }} next={next} />}
      />
      <section class="card scrolls" aria-labelledby="authorities" tabindex={0}>
        <h2 id="authorities">{words.authorities}</h2>
        {authorities.length === 0 && <p class="soft">{words.noAuthorities}</p>}
        {authorities.map(([{ name, keyKind }, { subject, fingerprint, notBefore, notAfter }]) => (
          <>
            <Facts
              facts={[
                [words.subject, `${subject} (${keyKind})`],
                [words.valid, `${shownDate(frame, notBefore)} – ${shownDate(frame, notAfter)}`],
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

type RequestPageProps = { visit: Visit; action: string; request: CertificateRequest; typed: Typed }

export const RequestPage: FC<RequestPageProps> = ({ visit, action, request, typed }) => {
  const { frame } = visit
  const words = certificateTexts(frame)
  const { id, chargePointId, commonName, csr, type, keyKind, reason, createdAt, state } = request
  const path = `${frame.root}/certificate-requests/${id}`
  const signed = typed.form.has('chain')
  const nothing = { form: new URLSearchParams(), faults: {} }
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
            visit={visit}
            action={action}
            to={`${path}/sign`}
            typed={signed ? typed : nothing}
            fields={[{ name: 'chain', label: words.chain, hint: words.chainHint, lines: true, required: true }]}
            submit={words.sign}
          />
          <Form
            visit={visit}
            action={action}
            to={`${path}/reject`}
            typed={signed ? nothing : typed}
            fields={[{ name: 'rejected', label: words.rejectReason, required: true }]}
            submit={words.reject}
            danger
          />
        </>
      )}
    </Page>
  )
}
