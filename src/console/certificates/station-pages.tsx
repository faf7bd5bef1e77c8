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
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { MAX_NAME_LENGTH } from '../../domain/x509/issue.ts'
import { Action, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Ago, shownDate } from '../../web/times.tsx'
import { actingOnStation, actionOf, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { acts, StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { asOptions, Form, type FormProps, typedWith } from '../kit/form.tsx'
import { ago, Chip, chip, wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { again, mayAct, type Visit } from '../visit.tsx'
import { Requests } from './page.tsx'

const CHECKS = ['contains', 'exact', 'off'] as const
const MAX_ROWS = 100

type Order = (visit: Visit, view: ChargePointView, form: URLSearchParams) => Promise<Refusal | undefined>

export const addStationCertificatePages: MountConsolePages = (page) => {
  const path = '/charge-points/:chargePoint/certificates'
  page(path, { GET: showCertificates })
  const orders: Readonly<Record<string, Order>> = {
    ask: async ({ site }, view) => void (await askInstalled(site, view)),
    renew: ({ site }, view) => askRenewal(site, view),
    install: installOne,
    profile: raise,
    'profile/:job/cancel': ({ site, context }, view) => cancelProfileJob(site, view, context.req.param('job') ?? ''),
    checks: changeChecks,
  }
  for (const [step, order] of Object.entries(orders)) page(`${path}/${step}`, { POST: ordered(order) })
  page(`${path}/:certificateId/remove`, { POST: remove })
}

const showCertificates: ConsolePage = showingStation('see', (visit, view) => stationPage(visit, view))

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
  if (!securityProfile)
    return refuseFault('/securityProfile', 'invalid_value', wordsIn('certificates', frame).badProfile)
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

const remove: ConsolePage = actingOnStation(async (visit, view) => {
  const refusal = await removeCertificate(visit.site, view, visit.context.req.param('certificateId') ?? '')
  return refusal ?? `${pathOf(view.id)}/certificates`
})

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
  const { frame, csrf, context } = visit
  const words = wordsIn('certificates', frame)
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
            <StationForms {...{ visit, view, typed, path }} />
          </div>
          <p class="soft">{words.renewHint}</p>
        </>
      )}
      <section class="card" data-live="profile" aria-label={words.profile}>
        <h2>{words.profile}</h2>
        <p>{words.present(view.securityProfile)}</p>
        {newestFirst(jobs).map((job) => (
          <Job visit={visit} job={job} path={path} csrf={token} />
        ))}
      </section>
      <TableCard<ListedCertificates['own'][number]>
        heading={words.own}
        live="own"
        rows={certificates.own}
        empty={words.noneOwn}
        columns={[
          { title: words.subject, kind: 'name', text: ({ subject }) => subject },
          { title: words.issuer, kind: 'name', text: ({ issuer }) => issuer },
          { title: words.serial, kind: 'host', text: ({ serialNumber }) => serialNumber },
          {
            title: words.valid,
            kind: 'time',
            cell: ({ notBefore, notAfter }) => `${shownDate(frame, notBefore)} – ${shownDate(frame, notAfter)}`,
          },
          chip(words.state, ({ state }) => [
            state === 'inUse' ? 'good' : state === 'revoked' ? 'bad' : '',
            words.states[state],
          ]),
          acts(
            visit,
            ({ state, fingerprint, subject }) =>
              state !== 'revoked' && {
                to: `certificates/${fingerprint}/remove`,
                ask: words.revokeLead,
                order: words.revokeOf(subject),
                text: words.revoke,
              },
          ),
        ]}
      />
      <TableCard<ListedCertificates['installed'][number]>
        heading={words.installed}
        live="installed"
        rows={certificates.installed}
        empty={words.noneInstalled}
        columns={[
          { title: words.type, text: ({ type }) => type },
          { title: words.serial, kind: 'host', text: ({ hash }) => hash.serialNumber },
          { title: words.algorithm, text: ({ hash }) => hash.hashAlgorithm },
          ago(frame, words.reported, ({ reportedAt }) => reportedAt, { wideOnly: false }),
          acts(visit, ({ id, type, hash }) => ({
            to: `certificates/${id}/remove`,
            ask: words.deleteLead,
            order: words.deleteOf(`${type} ${hash.serialNumber}`),
            text: words.delete,
          })),
        ]}
      />
      <Requests frame={frame} requests={newestFirst(requests)} />
    </Page>
  )
}

function newestFirst<Row extends { readonly createdAt: number }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => other.createdAt - one.createdAt)
}

type JobProps = { visit: Visit; job: ProfileJob; path: string; csrf: string | undefined }

const Job: FC<JobProps> = ({ visit, job, path, csrf }) => {
  const words = wordsIn('certificates', visit.frame)
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

type StationFormsProps = { visit: Visit; view: ChargePointView; typed: Typed; path: string }

const StationForms: FC<StationFormsProps> = ({ visit, view, typed, path }) => {
  const words = wordsIn('certificates', visit.frame)
  const forms: readonly (Omit<FormProps, 'visit' | 'action' | 'to' | 'typed'> & { name: string; mark: string })[] = [
    {
      name: 'install',
      mark: 'certificate',
      title: words.install,
      once: `install ${view.id}`,
      fields: [
        { name: 'certificateType', label: words.type, options: asOptions(INSTALLABLE) },
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
