import type { FC } from 'hono/jsx'
import type { ListedCertificates } from '../../application/certificates/of-charge-point.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { PROFILE_STEPS, type ProfileJob } from '../../domain/profile-jobs/records.ts'
import { Action } from '../../web/action.tsx'
import { Sealed } from '../../web/entries.tsx'
import { type Frame, Page, shownDate, shownTime } from '../../web/layout.tsx'
import { Headings, TextCell } from '../../web/table.tsx'
import { chargePointPath } from '../paths.ts'
import { Requests } from './requests-page.tsx'
import { StationForms, type StationFormsProps } from './station-forms.tsx'
import { certificateTexts } from './texts.ts'

interface Props {
  readonly frame: Frame
  readonly view: ChargePointView
  readonly certificates: ListedCertificates
}

/** The certificates of one charge point: its own, those that it trusts, its requests, and its security profile. */
export const StationCertificatesPage: FC<
  Props & {
    requests: readonly CertificateRequest[]
    jobs: readonly ProfileJob[]
    /** Absent for who may only look. */
    forms?: Omit<StationFormsProps, 'frame' | 'view'>
  }
> = ({ frame, view, certificates, requests, jobs, forms }) => {
  const words = certificateTexts(frame)
  const path = chargePointPath(frame, view.id)
  return (
    <Page frame={frame} title={`${words.certificates} ${view.id}`} wide live>
      <h1>
        {words.certificates} ·{' '}
        <a class="host" href={path}>
          <bdi>{view.id}</bdi>
        </a>
      </h1>
      <div data-live="own">
        <Own {...{ frame, view, certificates }} acts={forms !== undefined} />
      </div>
      {forms && (
        <div class="card buttons">
          <Action to={`${path}/certificates/renew`} csrf={forms.csrf}>
            {words.renew}
          </Action>
          <Action to={`${path}/certificates/ask`} csrf={forms.csrf}>
            {words.ask}
          </Action>
          <span class="soft">{words.renewHint}</span>
        </div>
      )}
      <div data-live="installed">
        <Installed {...{ frame, view, certificates }} acts={forms !== undefined} />
      </div>
      <section class="card scrolls" data-live="requests" aria-label={words.requests} tabindex={0}>
        <h2>{words.requests}</h2>
        <Requests frame={frame} requests={requests} />
      </section>
      <section class="card" data-live="profile" aria-label={words.profile}>
        <h2>{words.profile}</h2>
        <p>{words.present(view.securityProfile)}</p>
        {jobs.map((job) => (
          <Job frame={frame} job={job} path={path} {...(forms && { csrf: forms.csrf })} />
        ))}
      </section>
      {forms && <StationForms frame={frame} view={view} {...forms} />}
    </Page>
  )
}

const Own: FC<Props & { acts: boolean }> = ({ frame, view, certificates: { own }, acts }) => {
  const words = certificateTexts(frame)
  return (
    <section class="card scrolls" aria-label={words.own} tabindex={0}>
      <h2>{words.own}</h2>
      {own.length === 0 ? (
        <p class="soft">{words.noneOwn}</p>
      ) : (
        <table class="cards">
          <Headings of={[words.subject, words.issuer, words.serial, words.valid, words.state, undefined]} />
          <tbody>
            {own.map(({ fingerprint, subject, issuer, serialNumber, notBefore, notAfter, state }) => (
              <tr>
                <TextCell class="name" label={words.subject} text={subject} />
                <TextCell class="name" label={words.issuer} text={issuer} />
                <TextCell class="host" label={words.serial} text={serialNumber} />
                <td class="time" data-label={words.valid}>
                  {shownDate(notBefore)} – {shownDate(notAfter)}
                </td>
                <td>
                  <span class={`chip ${state === 'inUse' ? 'good' : state === 'revoked' ? 'bad' : ''}`}>
                    {words.states[state]}
                  </span>
                </td>
                <td>
                  {acts && state !== 'revoked' && (
                    <a href={`${chargePointPath(frame, view.id)}/certificates/${fingerprint}/remove`}>{words.revoke}</a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const Installed: FC<Props & { acts: boolean }> = ({ frame, view, certificates: { installed }, acts }) => {
  const words = certificateTexts(frame)
  return (
    <section class="card scrolls" aria-label={words.installed} tabindex={0}>
      <h2>{words.installed}</h2>
      {installed.length === 0 ? (
        <p class="soft">{words.noneInstalled}</p>
      ) : (
        <table class="cards">
          <Headings of={[words.type, words.serial, words.algorithm, words.reported, undefined]} />
          <tbody>
            {installed.map(({ id, type, hash, reportedAt }) => (
              <tr>
                <TextCell label={words.type} text={type} />
                <TextCell class="host" label={words.serial} text={hash.serialNumber} />
                <TextCell label={words.algorithm} text={hash.hashAlgorithm} />
                <td class="time">{shownTime(reportedAt)}</td>
                <td>
                  {acts && <a href={`${chargePointPath(frame, view.id)}/certificates/${id}/remove`}>{words.delete}</a>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** A job with the step that it is at. */
const Job: FC<{ frame: Frame; job: ProfileJob; path: string; csrf?: string | undefined }> = ({
  frame,
  job,
  path,
  csrf,
}) => {
  const words = certificateTexts(frame)
  const { securityProfile, state, step, reason, createdAt } = job
  return (
    <div>
      <p>
        {shownTime(createdAt)} → {securityProfile}{' '}
        <span class={`chip ${state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'amber'}`}>
          {words.jobStates[state]}
        </span>{' '}
        <bdi>{reason}</bdi>
      </p>
      {csrf !== undefined && state === 'running' && (
        <Action to={`${path}/certificates/profile/${job.id}/cancel`} csrf={csrf}>
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

/** Whoever removes one is asked first. */
export const RemovalPage: FC<{
  frame: Frame
  path: string
  id: string
  kind: 'revoke' | 'delete'
  name: string
  csrf: string
}> = ({ frame, path, id, kind, name, csrf }) => {
  const words = certificateTexts(frame)
  const [ask, lead] = kind === 'revoke' ? [words.revokeAsk, words.revokeLead] : [words.deleteAsk, words.deleteLead]
  return (
    <Page frame={frame} title={ask}>
      <form class="card" method="post" action={`${path}/${id}/remove`}>
        <h1>{ask}</h1>
        <Sealed csrf={csrf} />
        <p>
          <bdi class="host">{name}</bdi>
        </p>
        <p>{lead}</p>
        <div class="actions">
          <button class="danger" type="submit">
            {words[kind]}
          </button>
          <a href={path}>{words.cancel}</a>
        </div>
      </form>
    </Page>
  )
}
