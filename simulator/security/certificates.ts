import { createHash, KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { x509Library } from '../../src/domain/x509/library.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'

export interface OwnCertificate {
  /** PEM, the leaf first. */
  readonly chain: string
  /** PKCS#8 in PEM. */
  readonly key: string
}

export interface InstalledRoot {
  readonly type: string
  readonly pem: string
  readonly hash: CertificateHash
}

export const MAX_ROOTS = 10
export const MAX_CHAIN_LENGTH = 10_000
/** Of the requests, as stations make them. */
const KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' }

export type Certificates = ReturnType<typeof createCertificates>

export function createCertificates() {
  const roots = new Map<string, InstalledRoot>()
  /** Keys of requests without an answer: the answer to an older one may come after the newer one was sent. */
  let waitingKeys: readonly KeyObject[] = []
  let own: OwnCertificate | undefined
  return {
    install(type: string, pem: string): 'Accepted' | 'Rejected' | 'Failed' {
      if (!readLeaf(pem)) return 'Rejected'
      const hash = hashOfRoot(pem)
      const key = `${type} ${JSON.stringify(hash)}`
      if (roots.size >= MAX_ROOTS && !roots.has(key)) return 'Failed'
      roots.set(key, { type, pem, hash })
      return 'Accepted'
    },
    remove(hash: Payload): 'Accepted' | 'NotFound' {
      const found = [...roots].filter(([, root]) => isSameHash(root.hash, hash as Partial<HashMembers>))
      for (const [key] of found) roots.delete(key)
      return found.length === 0 ? 'NotFound' : 'Accepted'
    },
    installed: (types: readonly string[] | undefined): readonly InstalledRoot[] =>
      [...roots.values()].filter(({ type }) => !types || types.includes(type)),
    /** PEM of the roots by which the station knows its central system. */
    get trusted(): readonly string[] {
      return [...roots.values()].filter(({ type }) => /^(CSMS|CentralSystem)Root/.test(type)).map(({ pem }) => pem)
    },
    signed(chain: string, now: number): 'Accepted' | 'Rejected' {
      const leaf = chain.length > MAX_CHAIN_LENGTH ? undefined : readLeaf(chain)
      const key = leaf && waitingKeys.find((waiting) => leaf.checkPrivateKey(waiting))
      if (!leaf || !key || Date.parse(leaf.validTo) <= now || Date.parse(leaf.validFrom) > now) return 'Rejected'
      waitingKeys = waitingKeys.filter((waiting) => waiting !== key)
      own = { chain, key: String(key.export({ type: 'pkcs8', format: 'pem' })) }
      return 'Accepted'
    },
    /** A new key and its request, PEM. */
    async request(commonName: string, organization: string): Promise<string> {
      const { Name, Pkcs10CertificateRequestGenerator } = x509Library()
      const name = new Name([{ O: [{ utf8String: organization }] }, { CN: [{ utf8String: commonName }] }])
      const keys = await webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
      const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: SIGNATURE })
      waitingKeys = [...waitingKeys, KeyObject.from(keys.privateKey)].slice(-2)
      return request.toString('pem')
    },
    get own() {
      return own
    },
  }
}

function readLeaf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** How OCPP names a certificate: hashes of its issuer's name and key, and its serial number (CERT-C23). */
interface CertificateHash {
  readonly hashAlgorithm: 'SHA256'
  readonly issuerNameHash: string
  readonly issuerKeyHash: string
  readonly serialNumber: string
}

type HashMembers = Readonly<Record<keyof CertificateHash, string>>

/** @param pem of a root, which is its own issuer */
function hashOfRoot(pem: string): CertificateHash {
  const root = new X509Certificate(pem)
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')
  return {
    hashAlgorithm: 'SHA256',
    issuerNameHash: sha256(Buffer.from(new (x509Library().X509Certificate)(root.raw).issuerName.toArrayBuffer())),
    issuerKeyHash: sha256(keyBits(root)),
    serialNumber: root.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
  }
}

function isSameHash(one: CertificateHash, other: Partial<HashMembers>): boolean {
  return (
    one.hashAlgorithm === other.hashAlgorithm &&
    one.issuerNameHash === other.issuerNameHash?.toLowerCase() &&
    one.issuerKeyHash === other.issuerKeyHash?.toLowerCase() &&
    one.serialNumber === other.serialNumber?.toLowerCase().replace(/^0+(?=.)/, '')
  )
}

/** The key's bit string without its tag and length, as OCSP hashes it (RFC 6960 §4.1.1). */
function keyBits({ publicKey }: X509Certificate): Buffer {
  if (publicKey.asymmetricKeyType === 'rsa') return publicKey.export({ type: 'pkcs1', format: 'der' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  if (x === undefined) return publicKey.export({ type: 'spki', format: 'der' })
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y ?? '', 'base64url')])
  return y === undefined ? point : Buffer.concat([Buffer.from([4]), point])
}
