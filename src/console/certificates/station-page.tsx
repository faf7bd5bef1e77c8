import type { FC } from 'hono/jsx'
import type { ListedCertificates } from '../../application/certificates/of-charge-point.ts'
import { INSTALLABLE } from '../../application/certificates/orders.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { Action } from '../../web/action.tsx'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Ago, shownDate } from '../../web/times.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import type { ShownChargePoint } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import { ago, Chip, chip } from '../kit/columns.tsx'
import { Form, type FormProps } from '../kit/form.tsx'
import { certificateTexts } from '../kit/texts.ts'
import { chargePointPath } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { Requests } from './requests-page.tsx'

interface Props {
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly certificates: ListedCertificates
  readonly requests: readonly CertificateRequest[]
  readonly jobs: readonly ProfileJob[]
  readonly typed: Typed
}

export const StationCertificatesPage: FC<Props> = (props) => {
  const { visit, chargePoint, requests, jobs } = props
  const { view } = chargePoint
  const { frame, csrf, context } = visit
  const words = certificateTexts(frame)
  const path = `${chargePointPath(frame, view.id)}/certificates`
  const token = mayAct(visit) ? csrf(actionOf(context)) : undefined
  return (
    <Page frame={frame} title={`${words.certificates} ${view.id}`} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="certificates" />
      {token !== undefined && (
        <>
          <div class="buttons above">
            <Action to={`${path}/renew`} csrf={token}>
              {words.renew}
            </Action>
            <Action to={`${path}/ask`} csrf={token}>
              {words.ask}
            </Action>
            <StationForms {...props} path={path} />
          </div>
          <p class="soft">{words.renewHint}</p>
        </>
      )}
      <section class="card" data-live="profile" aria-label={words.profile}>
        <h2>{words.profile}</h2>
        <p>{words.present(view.securityProfile)}</p>
        {jobs.map((job) => (
          <Job visit={visit} job={job} path={path} csrf={token} />
        ))}
      </section>
      <div data-live="own">
        <Own {...props} />
      </div>
      <div data-live="installed">
        <Installed {...props} />
      </div>
      <Requests frame={frame} requests={requests} />
    </Page>
  )
}

const Own: FC<Props> = ({ visit, chargePoint: { view }, certificates: { own } }) => {
  const words = certificateTexts(visit.frame)
  const path = `${chargePointPath(visit.frame, view.id)}/certificates`
  return (
    <TableCard<ListedCertificates['own'][number]>
      heading={words.own}
      rows={own}
      empty={words.noneOwn}
      columns={[
        { title: words.subject, kind: 'name', text: ({ subject }) => subject },
        { title: words.issuer, kind: 'name', text: ({ issuer }) => issuer },
        { title: words.serial, kind: 'host', text: ({ serialNumber }) => serialNumber },
        {
          title: words.valid,
          kind: 'time',
          cell: ({ notBefore, notAfter }) =>
            `${shownDate(visit.frame, notBefore)} – ${shownDate(visit.frame, notAfter)}`,
        },
        chip(words.state, ({ state }) => [
          state === 'inUse' ? 'good' : state === 'revoked' ? 'bad' : '',
          words.states[state],
        ]),
        {
          cell: ({ state, fingerprint }) =>
            mayAct(visit) && state !== 'revoked' && <a href={`${path}/${fingerprint}/remove`}>{words.revoke}</a>,
        },
      ]}
    />
  )
}

const Installed: FC<Props> = ({ visit, chargePoint: { view }, certificates: { installed } }) => {
  const words = certificateTexts(visit.frame)
  const path = `${chargePointPath(visit.frame, view.id)}/certificates`
  return (
    <TableCard<ListedCertificates['installed'][number]>
      heading={words.installed}
      rows={installed}
      empty={words.noneInstalled}
      columns={[
        { title: words.type, text: ({ type }) => type },
        { title: words.serial, kind: 'host', text: ({ hash }) => hash.serialNumber },
        { title: words.algorithm, text: ({ hash }) => hash.hashAlgorithm },
        ago(visit.frame, words.reported, ({ reportedAt }) => reportedAt, { wideOnly: false }),
        { cell: ({ id }) => mayAct(visit) && <a href={`${path}/${id}/remove`}>{words.delete}</a> },
      ]}
    />
  )
}

const Job: FC<{ visit: Visit; job: ProfileJob; path: string; csrf: string | undefined }> = ({
  visit,
  job,
  path,
  csrf,
}) => {
  const words = certificateTexts(visit.frame)
  const { securityProfile, state, step, reason, createdAt } = job
  return (
    <div>
      <p>
        <Ago frame={visit.frame} at={createdAt} /> → {securityProfile}{' '}
        <Chip tone={state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'amber'} text={words.jobStates[state]} />{' '}
        <bdi>{reason}</bdi>
      </p>
      {csrf !== undefined && state === 'running' && (
        <Action to={`${path}/profile/${job.id}/cancel`} csrf={csrf} ask={words.cancelJobAsk}>
          {words.cancelJob}
        </Action>
      )}
      <ol class="soft">
        {PROFILE_STEPS.map((one) => (
          <li aria-current={one === step ? 'step' : undefined}>
            {one === step ? <strong>{words.steps[one]}</strong> : words.steps[one]}
          </li>
        ))}
      </ol>
    </div>
  )
}

const TYPES = Object.fromEntries(INSTALLABLE.map((type) => [type, type]))

const StationForms: FC<Props & { path: string }> = ({ visit, chargePoint: { view }, typed, path }) => {
  const words = certificateTexts(visit.frame)
  const forms: readonly (Omit<FormProps, 'visit' | 'action' | 'to' | 'typed'> & { name: string; mark: string })[] = [
    {
      name: 'install',
      mark: 'certificate',
      title: words.install,
      once: `install ${view.id}`,
      fields: [
        { name: 'certificateType', label: words.type, options: TYPES },
        { name: 'certificate', label: words.pem, lines: true, required: true },
      ],
      submit: words.installButton,
    },
    {
      name: 'profile',
      mark: 'securityProfile',
      title: words.raiseProfile,
      lead: words.raiseHint,
      once: `profile ${view.id}`,
      fields: [{ name: 'securityProfile', label: words.raiseTo, value: '3', options: words.profiles }],
      submit: words.raise,
    },
    {
      name: 'checks',
      mark: 'subjectCheck',
      title: words.checks,
      fields: [
        { name: 'acceptExpired', label: words.acceptExpired, value: view.acceptExpired ? 'yes' : '', tick: true },
        {
          name: 'subjectCheck',
          label: words.subjectCheck,
          value: view.subjectCheck ?? 'contains',
          options: words.subjectChecks,
        },
        {
          name: 'expectedSerialNumber',
          label: words.expectedSerialNumber,
          value: view.expectedSerialNumber,
          hint: words.expectedSerialHint,
        },
      ],
      submit: words.save,
    },
  ]
  // An order without fields, such as to renew, is refused above the forms.
  const ofNone = forms.some(({ mark }) => typed.form.has(mark)) ? [] : Object.values(typed.faults)
  return (
    <>
      {ofNone.length > 0 && (
        <p class="card warn" role="alert">
          {ofNone.join(' ')}
        </p>
      )}
      {forms.map(({ name, mark, ...form }) => (
        <Form
          {...form}
          folded={typed.form.has(mark) ? 'open' : 'closed'}
          visit={visit}
          action={actionOf(visit.context)}
          to={`${path}/${name}`}
          typed={typed.form.has(mark) ? typed : NOTHING_TYPED}
        />
      ))}
    </>
  )
}
