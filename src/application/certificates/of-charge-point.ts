/** Certificates on a charge point: ask for them, install, revoke or delete one (CERT-C19, CERT-C23). */

import type { X509Certificate } from 'node:crypto'
import type { InstalledCertificate, StationCertificate } from '../../domain/certificates/records.ts'
import type { ChargePointView, Command, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refusalIn, refuse, refuseFault } from '../../domain/refuse.ts'
import { isHashOf } from '../../domain/x509/library.ts'
import { holdsPrivateKey, PRIVATE_KEY_FAULT, readCertificates, validTo } from '../../domain/x509/pem.ts'
import { NEVER_CONNECTED } from '../../ocpp/orders/objection.ts'
import { object, text } from '../../ocpp/translate/payload.ts'
import { versionOf, versions } from '../../ocpp/versions.ts'
import type { UseCaseContext } from '../context.ts'

/** A station answers in a second or two; a list does not wait for one that does not. */
const REPORT_WAIT_MS = 5_000
const CHANGE_WAIT_MS = 30_000
const MAX_LISTED = 200
const SERVER_ROOTS = Object.values(versions).map(({ abilities }) => abilities.serverRoot)

interface StationCertificatesContext extends Pick<UseCaseContext, 'reads' | 'core' | 'serverRoot'> {
  /** Of the application that orders: what waits ends with the grant (OIDC-C13). */
  readonly grantId?: string | undefined
}

export interface ListedCertificates {
  readonly own: readonly StationCertificate[]
  readonly installed: readonly InstalledCertificate[]
}

export async function certificatesOf(
  place: Pick<StationCertificatesContext, 'reads'>,
  chargePointId: string,
): Promise<ListedCertificates> {
  const where = { chargePointId }
  const own = await place.reads.listRecords('station_certificates', { where, limit: MAX_LISTED })
  const installed = await installedOn(place, chargePointId)
  return { own: [...own].sort((a, b) => b.createdAt - a.createdAt), installed }
}

type Send = (method: string, request: Readonly<Record<string, unknown>>, waitMs: number) => Promise<Command | Refusal>

function sender(
  { core, grantId }: Pick<StationCertificatesContext, 'core' | 'grantId'>,
  { accountId, id }: ChargePointView,
): Send {
  return (method, request, waitMs) =>
    core.sendCommand({ accountId, chargePointId: id, method, request, waitMs, grantId })
}

/** Asks a charge point that is connected; one that is away, or does not answer, shows what it reported last. */
export async function askInstalled(api: StationCertificatesContext, view: ChargePointView): Promise<void> {
  const [connectivity] = await api.core.connectivity([view.id])
  if (!connectivity?.online) return
  const send = sender(api, view)
  const queries = versionOf(view.status.protocol)?.abilities.rootQueries ?? []
  await Promise.all(queries.map((request) => send('GetInstalledCertificateIds', request, REPORT_WAIT_MS)))
}

async function installedOn(
  { reads }: Pick<StationCertificatesContext, 'reads'>,
  chargePointId: string,
): Promise<readonly InstalledCertificate[]> {
  return reads.listRecords('installed_certificates', { where: { chargePointId }, limit: MAX_LISTED })
}

export async function install(
  place: StationCertificatesContext & { readonly now: () => number },
  view: ChargePointView,
  asked: { readonly certificateType: string; readonly certificate: string },
): Promise<{ readonly row: Command; readonly certificateType: string } | Refusal> {
  const root = readRoot(asked.certificate, place.now())
  if (typeof root === 'string') return refuseFault('/certificate', 'invalid_certificate', root)
  const certificateType = typeFor(view, asked.certificateType)
  const request = { certificateType, certificate: root.toString() }
  const { id: chargePointId, accountId } = view
  const { grantId } = place
  const isIt = ({ hash }: InstalledCertificate): boolean => isHashOf(request.certificate, hash)
  // A root that is there already does not become the application's.
  if (grantId !== undefined) await askInstalled(place, view)
  const wasThere = (await installedOn(place, chargePointId)).some(isIt)
  const row = await sender(place, view)('InstallCertificate', request, CHANGE_WAIT_MS)
  if ('refused' in row) return row
  if (row.status === 'pending') return { row, certificateType }
  if (statusOf(row) !== 'Accepted') return notTaken(row)
  await askInstalled(place, view)
  const installed = (await installedOn(place, chargePointId)).find(isIt)
  if (installed && (grantId === undefined || !wasThere)) {
    const input = { kind: 'certificateInstalled', id: installed.id, grantId } as const
    await place.core.decideBlock({ accountId, chargePointId, input })
  }
  return { row, certificateType }
}

/** By whom a certificate was ordered: one of its own, and a root that it came with, by no application (OIDC-C14). */
export async function ordererOf(
  { reads }: Pick<StationCertificatesContext, 'reads'>,
  chargePointId: string,
  id: string,
): Promise<{ readonly grantId?: string | undefined } | undefined> {
  const own = await reads.getRecord('station_certificates', { chargePointId, fingerprint: id })
  return own ? {} : reads.getRecord('installed_certificates', { chargePointId, id })
}

function readRoot(text: string, now: number): X509Certificate | string {
  if (holdsPrivateKey(text)) return PRIVATE_KEY_FAULT
  const [root, ...others] = readCertificates(text) ?? []
  if (!root || others.length > 0) return 'must be one in PEM'
  return validTo(root) <= now ? 'has expired' : root
}

/** The same root has a name in each version. */
function typeFor({ status }: ChargePointView, type: string): string {
  const { serverRoot = type } = versionOf(status.protocol)?.abilities ?? {}
  return SERVER_ROOTS.includes(type) ? serverRoot : type
}

export async function removeCertificate(
  place: StationCertificatesContext,
  view: ChargePointView,
  id: string,
): Promise<Refusal | undefined> {
  const { id: chargePointId, accountId } = view
  if (await place.reads.getRecord('station_certificates', { chargePointId, fingerprint: id })) {
    const input = { kind: 'certificateRevoked', fingerprint: id } as const
    return refusalIn(await place.core.decideBlock({ accountId, chargePointId, input }))
  }
  const installed = await installedOn(place, chargePointId)
  const root = installed.find((one) => one.id === id)
  if (!root) return noSuch('certificate')
  if (SERVER_ROOTS.includes(root.type)) {
    const isLast = installed.filter(({ type }) => type === root.type).length < 2
    if (isLast || (place.serverRoot !== undefined && isHashOf(place.serverRoot, root.hash))) {
      const which = isLast ? 'the only root' : 'the root'
      const detail = `It is ${which} by which the charge point knows this server: install another one first.`
      return refuse(409, 'root_in_use', detail)
    }
  }
  const request = { certificateHashData: root.hash }
  const row = await sender(place, view)('DeleteCertificate', request, CHANGE_WAIT_MS)
  if ('refused' in row) return row
  const status = statusOf(row)
  if (status !== 'Accepted' && status !== 'NotFound') return notTaken(row)
  await askInstalled(place, view)
  return undefined
}

export async function askRenewal(
  { core }: StationCertificatesContext,
  view: ChargePointView,
): Promise<Refusal | undefined> {
  const { id: chargePointId, accountId } = view
  const call = versionOf(view.status.protocol)?.certificateTrigger
  if (!call) return NEVER_CONNECTED
  const row = await core.sendCommand({ accountId, chargePointId, ...call, waitMs: REPORT_WAIT_MS })
  if ('refused' in row) return row
  return row.status === 'pending' || statusOf(row) === 'Accepted' ? undefined : notTaken(row)
}

function statusOf({ response }: Command): string | undefined {
  return text(object(response === undefined ? undefined : JSON.parse(response)).status)
}

function notTaken(row: Command): Refusal {
  const answer = row.status === 'success' ? (statusOf(row) ?? 'no status') : row.status
  return refuse(409, 'charge_point_refused', `The charge point did not do it: ${answer}.`)
}
