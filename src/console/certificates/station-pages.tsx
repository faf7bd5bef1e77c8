/** The certificates of one charge point on the console (CONSOLE-N9, CONSOLE-N11). */

import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import {
  askInstalled,
  askRenewal,
  certificatesOf,
  install,
  removeCertificate,
} from '../../application/certificates/of-charge-point.ts'
import { INSTALLABLE } from '../../application/certificates/orders.ts'
import { changeChargePoint } from '../../application/charge-points/change.ts'
import { cancelProfileJob, raiseProfile } from '../../application/profile-jobs/orders.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { MAX_NAME_LENGTH } from '../../domain/x509/subject.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { actingOnStation, actionOf, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { ConfirmPage } from '../kit/confirm.tsx'
import { certificateTexts } from '../kit/texts.ts'
import { typedWith } from '../kit/typed.ts'
import { chargePointPath } from '../paths.ts'
import { again, type Visit } from '../visit.tsx'
import { StationCertificatesPage } from './station-page.tsx'

const CHECKS = ['contains', 'exact', 'off'] as const
const MAX_ROWS = 100

type Order = (visit: Visit, view: ChargePointView, form: URLSearchParams) => Promise<Refusal | undefined>

export const addStationCertificatePages: MountConsolePages = (page, parts) => {
  const path = '/charge-points/:chargePoint/certificates'
  page(path, { GET: showCertificates(parts) })
  page(`${path}/:certificateId/remove`, { GET: showRemoval, POST: remove(parts) })
  const { core } = parts
  page(`${path}/ask`, {
    POST: ordered(parts, async ({ site }, view) => {
      await askInstalled({ ...site, core }, view)
      return undefined
    }),
  })
  page(`${path}/renew`, {
    POST: ordered(parts, ({ site }, view) => askRenewal({ ...site, core }, view)),
  })
  page(`${path}/install`, { POST: ordered(parts, installOne(parts)) })
  page(`${path}/profile`, { POST: ordered(parts, raise(parts)) })
  page(`${path}/profile/:job/cancel`, {
    POST: ordered(parts, ({ context }, view) => cancelProfileJob(parts, view, context.req.param('job') ?? '')),
  })
  page(`${path}/checks`, { POST: ordered(parts, changeChecks(parts)) })
}

function showCertificates(parts: OperatorContext): ConsolePage {
  return showingStation('see', async (visit, view) => stationPage(parts, visit, view))
}

function ordered(parts: OperatorContext, order: Order): ConsolePage {
  return actingOnStation(async (visit, view, form) => {
    const refusal = await order(visit, view, form)
    if (!refusal) return `${pathOf(view.id)}/certificates`
    return again(await stationPage(parts, visit, view, typedWith(form, refusal)), refusal)
  })
}

function installOne({ core }: OperatorContext): Order {
  return async ({ site }, view, form) => {
    const certificateType = INSTALLABLE.find((one) => one === form.get('certificateType'))
    if (!certificateType) {
      return refuseFault('/certificateType', 'invalid_value', `must be one of ${INSTALLABLE.join(', ')}`)
    }
    const certificate = form.get('certificate') ?? ''
    const installed = await install({ ...site, core }, view, { certificateType, certificate })
    return 'refused' in installed ? installed : undefined
  }
}

function raise({ core, serverRoot }: OperatorContext): Order {
  return async ({ site, frame }, view, form) => {
    const securityProfile = ([2, 3] as const).find((one) => String(one) === form.get('securityProfile'))
    if (!securityProfile) return refuseFault('/securityProfile', 'invalid_value', certificateTexts(frame).badProfile)
    const { now, random } = site
    const job = await raiseProfile({ core, now, random, root: serverRoot }, view, securityProfile)
    return 'refused' in job ? job : undefined
  }
}

function changeChecks({ core }: OperatorContext): Order {
  return async ({ site }, view, form) => {
    const subjectCheck = CHECKS.find((one) => one === form.get('subjectCheck'))
    if (!subjectCheck) return refuseFault('/subjectCheck', 'invalid_value', `must be one of ${CHECKS.join(', ')}`)
    const { writes, random, config } = site
    const serial = form.get('expectedSerialNumber')?.trim()
    if ((serial ?? '').length > MAX_NAME_LENGTH) {
      return refuseFault('/expectedSerialNumber', 'too_long', `may have at most ${MAX_NAME_LENGTH} characters`)
    }
    const expected = serial !== undefined && { expectedSerialNumber: serial === '' ? null : serial }
    const change = { subjectCheck, ...expected, acceptExpired: form.get('acceptExpired') === 'yes' }
    const changed = await changeChargePoint({ writes, core, random, settings: config }, view, change)
    return 'refused' in changed ? changed : undefined
  }
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

function remove({ core, serverRoot }: OperatorContext): ConsolePage {
  return actingOnStation(async (visit, view) => {
    const id = idOf(visit)
    if (id === '') return noSuch('certificate')
    const refusal = await removeCertificate({ ...visit.site, core, serverRoot }, view, id)
    return refusal ?? `${pathOf(view.id)}/certificates`
  })
}

function idOf({ context }: Visit): string {
  return context.req.param('certificateId') ?? ''
}

async function stationPage(parts: OperatorContext, visit: Visit, view: ChargePointView, typed: Typed = NOTHING_TYPED) {
  const { site } = visit
  const { reads } = site
  const where = { chargePointId: view.id }
  const [chargePoint, certificates, requests, jobs] = await Promise.all([
    shownNow(parts, visit, view),
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
