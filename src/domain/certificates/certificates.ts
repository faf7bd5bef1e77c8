/** Certificates at logins, their revocation, and what is installed on a charge point (CERT-C17, CERT-C19, CERT-C23). */
import { hash } from 'node:crypto'
import type { StoredVariable } from '../device-model/records.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { securityEvent } from '../timeline/events.ts'
import { noteHistory } from '../timeline/rules.ts'
import { MAX_CHAIN_LENGTH } from '../x509/signed-chain.ts'
import type { InstalledCertificate, StationCertificate } from './records.ts'

/** A charge point reports a handful; what comes beyond is not kept. */
const MAX_INSTALLED = 100
const ID_DIGITS = 32

const own = recordsOf('station_certificates')
const installed = recordsOf('installed_certificates')

/** CERT-C19: the first login with a newer one ends those before it. */
export function onCertificateShown(draft: BlockDraft, { certificate }: InputOf<'certificateShown'>): void {
  const { chargePointId, records } = draft.state
  const { fingerprint, serialNumber, subject, issuer, pem, notBefore, notAfter } = certificate
  const known = own.find(draft, { fingerprint })
  const shown = known ?? {
    chargePointId,
    fingerprint,
    serialNumber,
    subject,
    issuer,
    certificate: pem,
    notBefore,
    notAfter,
    createdAt: draft.now,
  }
  if (known?.state !== 'inUse') own.put(draft, { ...shown, state: 'inUse', usedAt: draft.now })
  for (const other of records.all('station_certificates')) {
    if (other.fingerprint === fingerprint || other.state === 'revoked' || other.state === 'replaced') continue
    if (isOlder(other, shown)) own.put(draft, { ...other, state: 'replaced' })
  }
}

/** Of two from the same second the one that ends first, that was made first, or that was used until now. */
function isOlder(one: StationCertificate, other: Omit<StationCertificate, 'state'>): boolean {
  const [differs] = (['notBefore', 'notAfter', 'createdAt'] as const).filter((fact) => one[fact] !== other[fact])
  return differs ? one[differs] < other[differs] : one.state === 'inUse'
}

/** CERT-C17: a refused login is a security event. */
export function onCertificateRefused(draft: BlockDraft, { id, reason }: InputOf<'certificateRefused'>): void {
  const { chargePointId } = draft.state
  const type = 'InvalidChargingStationCertificate'
  noteHistory(draft, 'security', { id, part: 0 }, { type, detail: reason })
  draft.tell(securityEvent.of({ chargePointId, at: draft.now, type, techInfo: reason }))
}

/** CERT-C19: refused at its next login. */
export function onCertificateRevoked(
  draft: BlockDraft,
  { fingerprint }: InputOf<'certificateRevoked'>,
): Outcome | undefined {
  const known = own.find(draft, { fingerprint })
  if (!known) return { refused: 'not_found' }
  revoke(draft, known)
}

/** CERT-C19: those of a charge point that is removed, also the ones that it used before. */
export function onCertificatesRevoked(draft: BlockDraft): void {
  for (const each of draft.state.records.all('station_certificates')) revoke(draft, each)
}

function revoke(draft: BlockDraft, certificate: StationCertificate): void {
  if (certificate.state === 'revoked') return
  own.put(draft, { ...certificate, state: 'revoked' })
  const { fingerprint, authority = '', serialNumber, notAfter } = certificate
  const put = { fingerprint, authority, serialNumber, notAfter, revokedAt: draft.now }
  draft.changeRecord({ kind: 'revoked_certificates', put })
}

/** CERT-C23: what it reports takes the place of what it reported before. */
export function onCertificatesReported(
  draft: BlockDraft,
  { certificates, types }: InputOf<'certificatesReported'>,
): Outcome {
  const { chargePointId, records } = draft.state
  const reported = certificates.slice(0, MAX_INSTALLED).map(({ type, hash: named }): InstalledCertificate => {
    const id = hash('sha256', JSON.stringify([type, named])).slice(0, ID_DIGITS)
    const grantId = installed.find(draft, { id })?.grantId
    return { chargePointId, id, type, hash: named, reportedAt: draft.now, grantId }
  })
  const ids = new Set(reported.map(({ id }) => id))
  for (const { id, type } of records.all('installed_certificates')) {
    if (!ids.has(id) && (types?.includes(type) ?? true)) installed.remove(draft, { id })
  }
  for (const one of reported) installed.put(draft, one)
  return {}
}

/** OIDC-C14: the application that installed a root may delete it. */
export function onCertificateInstalled(draft: BlockDraft, { id, grantId }: InputOf<'certificateInstalled'>): void {
  const known = installed.find(draft, { id })
  if (known) installed.put(draft, { ...known, grantId })
}

/** Of 2.0.1 and of 1.6. */
export const CHAIN_SIZE_KEYS = ['securityctrlr.maxcertificatechainsize', 'chargepoint.certificatesignedmaxchainsize']

/** How long a chain a charge point takes (CERT-C10): by its device model, else by the schema of the message. */
export function longestChain(rows: readonly Pick<StoredVariable, 'key' | 'value' | 'gone'>[]): number {
  const reported = rows
    .filter(({ key, gone }) => !gone && CHAIN_SIZE_KEYS.includes(key))
    .map(({ value }) => Number(value))
    .filter((size) => Number.isSafeInteger(size) && size > 0)
  return Math.min(MAX_CHAIN_LENGTH, ...reported)
}
