/** Selects the signer by the settings (CERT-C7, CERT-C21, CERT-C22). */

import type { CertificateAuthority, KeyKind } from '../domain/certificates/records.ts'
import type { CertificateSigner, Clock, SignerSettings, SigningOrder, SigningOutcome } from '../domain/ports/core.ts'
import type { CoreStore, Writes } from '../domain/ports/storage.ts'
import { createAuthority, csrPublicKey, openAuthority } from '../domain/x509/authority.ts'
import { issueCertificate, type SigningAuthority } from '../domain/x509/issue.ts'
import { joinPem } from '../domain/x509/pem.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { askHook } from './hook.ts'

export function createSigner({
  store,
  writes,
  settings,
  certificates,
  clock,
  random,
}: {
  readonly store: Pick<CoreStore, 'listRecords'>
  readonly writes: Pick<Writes, 'putRecords'>
  readonly settings: { readonly secretKey: Uint8Array; readonly organization?: string | undefined }
  readonly certificates: SignerSettings
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: (bytes: number) => Buffer
}): CertificateSigner {
  const { provider, hookUrl, hookSecret, baseUrl } = certificates
  if (provider === 'http' && hookUrl !== undefined && hookSecret !== undefined) {
    const hook = { url: hookUrl, secret: hookSecret, clock }
    return { sign: (order) => askHook(hook, order), prepare: async () => undefined }
  }
  if (provider !== 'internal') return { sign: async () => ({ later: true }), prepare: async () => undefined }
  const { secretKey, organization } = settings
  const internal = createInternalAuthority({ store, writes, secretKey, organization, baseUrl, now: clock.now, random })
  return {
    prepare: internal.prepare,
    sign: (order) =>
      internal.sign(order).catch((error: Error) => ({ state: 'failed' as const, reason: error.message.slice(0, 500) })),
  }
}

/** The installation's own authorities, one per kind of key, created on first use (CERT-C7). */
interface InternalContext {
  readonly store: Pick<CoreStore, 'listRecords'>
  readonly writes: Pick<Writes, 'putRecords'>
  readonly secretKey: Uint8Array
  readonly organization?: string | undefined
  readonly baseUrl: string
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
}

const AUTHORITY_NAMES: Readonly<Record<KeyKind, string>> = { EC: 'stations-ec', RSA: 'stations-rsa' }
const COMMON_NAMES: Readonly<Record<KeyKind, string>> = {
  EC: 'Charge points (EC)',
  RSA: 'Charge points (RSA)',
}

interface InternalAuthority {
  sign(order: SigningOrder): Promise<SigningOutcome>
  prepare(): Promise<void>
}

function createInternalAuthority(parts: InternalContext): InternalAuthority {
  const { store, writes, secretKey, baseUrl, now, random } = parts
  const box = sealedBox(secretKey, 'certificateAuthorities', random)
  const opened = new Map<KeyKind, Promise<SigningAuthority>>()

  const stored = async (name: string): Promise<CertificateAuthority | undefined> => {
    const [found] = await store.listRecords('certificate_authorities', { where: { name }, limit: 1 })
    return found
  }

  const open = async (keyKind: KeyKind): Promise<SigningAuthority> => {
    const name = AUTHORITY_NAMES[keyKind]
    const known = await stored(name)
    if (known) {
      const privateKey = box.open(known.privateKey, name)
      if (privateKey === undefined)
        throw new Error(`The key of the authority ${name} was stored under another secret key.`)
      return openAuthority(keyKind, { certificate: known.certificate, privateKey })
    }
    const organization = parts.organization ?? 'Pilotwire'
    const made = await createAuthority(keyKind, { name: COMMON_NAMES[keyKind], organization, now: now(), random })
    const { certificate } = made
    const privateKey = box.seal(made.privateKey, name)
    await writes.putRecords('certificate_authorities', [{ name, keyKind, certificate, privateKey, createdAt: now() }])
    return openAuthority(keyKind, made)
  }

  /** One at a time per kind: two created at once would share a name. */
  const authority = (keyKind: KeyKind): Promise<SigningAuthority> => {
    const known = opened.get(keyKind)
    if (known) return known
    const opening = open(keyKind)
    opened.set(keyKind, opening)
    opening.catch(() => opened.delete(keyKind))
    return opening
  }

  return {
    async sign({ csr, keyKind, commonName, organization, type }) {
      const issuer = await authority(keyKind)
      const name = AUTHORITY_NAMES[keyKind]
      const certificate = await issueCertificate(issuer, {
        publicKey: csrPublicKey(csr),
        commonName,
        organization,
        use: type ?? 'ChargingStationCertificate',
        now: now(),
        random,
        crlUrl: `${baseUrl}/certificates/${name}.crl`,
      })
      return { chain: joinPem([certificate, issuer.certificate]), authority: name }
    },
    async prepare() {
      await Promise.all([authority('EC'), authority('RSA')])
    },
  }
}
