/** The certificates of one charge point on the console (CONSOLE-N9, CONSOLE-N11). */
import type { FC } from 'hono/jsx'
import {
  askInstalled,
  askRenewal,
  certificatesOf,
  install,
  type ListedCertificates,
  removeCertificate,
} from '../../application/certificates/of-charge-point.ts'
import { INSTALLABLE } from '../../application/certificates/orders.ts'
import { changeChargePoint } from '../../application/charge-points/register.ts'
import { cancelProfileJob, raiseProfile } from '../../application/profile-jobs/orders.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { MAX_NAME_LENGTH } from '../../domain/x509/issue.ts'
import { Action, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Ago, shownDate } from '../../web/times.tsx'
import { actingOnStation, actionOf, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import { type ShownChargePoint, shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { Form, type FormProps, typedWith } from '../kit/form.tsx'
import { ago, Chip, certificateTexts, chip } from '../kit/parts.tsx'
import { ConfirmPage } from '../kit/rows.tsx'
import { chargePointPath } from '../paths.ts'
import { again, mayAct, type Visit } from '../visit.tsx'
import { Requests } from './requests-page.tsx'

const CHECKS = ['contains', 'exact', 'off'] as const
const MAX_ROWS = 100

type Order = (visit: Visit, view: ChargePointView, form: URLSearchParams) => Promise<Refusal | undefined>

export const addStationCertificatePages: MountConsolePages = (page) => {
  const path = '/charge-points/:chargePoint/certificates'
  page(path, { GET: showCertificates })
  page(`${path}/:certificateId/remove`, { GET: showRemoval, POST: remove })
  page(`${path}/ask`, {
    POST: ordered(async ({ site }, view) => {
      await askInstalled(site, view)
      return undefined
    }),
  })
  page(`${path}/renew`, {
    POST: ordered(({ site }, view) => askRenewal(site, view)),
  })
  page(`${path}/install`, { POST: ordered(installOne) })
  page(`${path}/profile`, { POST: ordered(raise) })
  page(`${path}/profile/:job/cancel`, {
    POST: ordered(({ site, context }, view) => cancelProfileJob(site, view, context.req.param('job') ?? '')),
  })
  page(`${path}/checks`, { POST: ordered(changeChecks) })
}

const showCertificates: ConsolePage = showingStation('see', async (visit, view) => stationPage(visit, view))

function ordered(order: Order): ConsolePage {
  return actingOnStation(async (visit, view, form) => {
    const refusal = await order(visit, view, form)
    if (!refusal) return `${pathOf(view.id)}/certificates`
    return again(await stationPage(visit, view, typedWith(form, refusal)), refusal)
  })
}

const installOne: Order = async ({ site }, view, form) => {
  const certificateType = INSTALLABLE.find((one) => one === form.get('certificateType'))
  if (!certificateType) {
    return refuseFault('/certificateType', 'invalid_value', `must be one of ${INSTALLABLE.join(', ')}`)
  }
  const certificate = form.get('certificate') ?? ''
  const installed = await install(site, view, { certificateType, certificate })
  return 'refused' in installed ? installed : undefined
}

const raise: Order = async ({ site, frame }, view, form) => {
  const securityProfile = ([2, 3] as const).find((one) => String(one) === form.get('securityProfile'))
  if (!securityProfile) return refuseFault('/securityProfile', 'invalid_value', certificateTexts(frame).badProfile)
  const job = await raiseProfile({ ...site, root: site.serverRoot }, view, securityProfile)
  return 'refused' in job ? job : undefined
}

const changeChecks: Order = async ({ site }, view, form) => {
  const subjectCheck = CHECKS.find((one) => one === form.get('subjectCheck'))
  if (!subjectCheck) return refuseFault('/subjectCheck', 'invalid_value', `must be one of ${CHECKS.join(', ')}`)
  const serial = form.get('expectedSerialNumber')?.trim()
  if ((serial ?? '').length > MAX_NAME_LENGTH) {
    return refuseFault('/expectedSerialNumber', 'too_long', `may have at most ${MAX_NAME_LENGTH} characters`)
  }
  const expected = serial !== undefined && { expectedSerialNumber: serial === '' ? null : serial }
  const change = { subjectCheck, ...expected, acceptExpired: form.get('acceptExpired') === 'yes' }
  const changed = await changeChargePoint(site, view, change)
  return 'refused' in changed ? changed : undefined
}

const showRemoval: ConsolePage = showingStation('operate', async (visit, view) => {
  const { site, frame, csrf, context } = visit
  const id = idOf(visit)
  const { own, installed } = await certificatesOf(site, view.id)
  const certificate = own.find(({ fingerprint }) => fingerprint === id)
  const root = installed.find((one) => one.id === id)
  const name = certificate?.subject ?? (root && `${root.type} ${root.hash.serialNumber}`)
  if (name === undefined) return undefined
  const path = `${chargePointPath(frame, view.id)}/certificates`
  const words = certificateTexts(frame)
  return (
    <ConfirmPage
      visit={visit}
      title={certificate ? words.revokeAsk : words.deleteAsk}
      name={name}
      lead={certificate ? words.revokeLead : words.deleteLead}
      to={`${path}/${id}/remove`}
      sent={[['csrf', csrf(actionOf(context))]]}
      button={certificate ? words.revokeIt : words.deleteIt}
      back={path}
    />
  )
})

const remove: ConsolePage = actingOnStation(async (visit, view) => {
  const id = idOf(visit)
  if (id === '') return noSuch('certificate')
  const refusal = await removeCertificate(visit.site, view, id)
  return refusal ?? `${pathOf(view.id)}/certificates`
})

function idOf({ context }: Visit): string {
  return context.req.param('certificateId') ?? ''
}

async function stationPage(visit: Visit, view: ChargePointView, typed: Typed = NOTHING_TYPED) {
  const { site } = visit
  const { reads } = site
  const where = { chargePointId: view.id }
  const [chargePoint, certificates, requests, jobs] = await Promise.all([
    shownNow(visit, view),
    certificatesOf(site, view.id),
    reads.listRecords('certificate_requests', { where, limit: MAX_ROWS }),
    reads.listRecords('security_profile_jobs', { where, limit: MAX_ROWS }),
  ])
  const newestFirst = <Row extends { readonly createdAt: number }>(rows: readonly Row[]): readonly Row[] =>
    [...rows].sort((a, b) => b.createdAt - a.createdAt)
  return (
    <StationCertificatesPage
      visit={visit}
      chargePoint={chargePoint}
      certificates={certificates}
      requests={newestFirst(requests)}
      jobs={newestFirst(jobs)}
      typed={typed}
    />
  )
}

interface Props {
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly certificates: ListedCertificates
  readonly requests: readonly CertificateRequest[]
  readonly jobs: readonly ProfileJob[]
  readonly typed: Typed
}

const StationCertificatesPage: FC<Props> = (props) => {
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
            <Action to={`${path}/renew`} csrf={token} text={words.renew} />
            <Action to={`${path}/ask`} csrf={token} text={words.ask} />
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

type JobProps = { visit: Visit; job: ProfileJob; path: string; csrf: string | undefined }

const Job: FC<JobProps> = ({ visit, job, path, csrf }) => {
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
        <Action to={`${path}/profile/${job.id}/cancel`} csrf={csrf} ask={words.cancelJobAsk} text={words.cancelJob} />
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
