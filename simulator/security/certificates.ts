import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { x509Library } from '../../src/domain/x509/library.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'

export interface OwnCertificate {
  /** PEM, the leaf first. */
  readonly chain: string
  /** PKCS#8 in PEM. */
  readonly key: string
}

export interface Certificates {
  install(type: string, pem: string): 'Accepted' | 'Rejected' | 'Failed'
  remove(hash: Payload): 'Accepted' | 'NotFound'
  installed(types: readonly string[] | undefined): readonly InstalledRoot[]
  /** PEM of the roots by which the station knows its central system. */
  readonly trusted: readonly string[]
  signed(chain: string, now: number): 'Accepted' | 'Rejected'
  /** A new key and its request, PEM. */
  request(commonName: string, organization: string): string
  readonly own: OwnCertificate | undefined
}

export interface InstalledRoot {
  readonly type: string
  readonly pem: string
  readonly hash: CertificateHash
}

export const MAX_ROOTS = 10
export const MAX_CHAIN_LENGTH = 10_000

export function createCertificates(): Certificates {
  const roots = new Map<string, InstalledRoot>()
  /** Keys of requests without an answer: the answer to an older one may come after the newer one was sent. */
  let waitingKeys: readonly KeyObject[] = []
  let own: OwnCertificate | undefined
  return {
    install(type, pem) {
      if (!readLeaf(pem)) return 'Rejected'
      const hash = hashOfRoot(pem)
      const key = `${type} ${JSON.stringify(hash)}`
      if (roots.size >= MAX_ROOTS && !roots.has(key)) return 'Failed'
      roots.set(key, { type, pem, hash })
      return 'Accepted'
    },
    remove(hash) {
      const found = [...roots].filter(([, root]) => isSameHash(root.hash, hash as Partial<HashMembers>))
      for (const [key] of found) roots.delete(key)
      return found.length === 0 ? 'NotFound' : 'Accepted'
    },
    installed: (types) => [...roots.values()].filter(({ type }) => !types || types.includes(type)),
    get trusted() {
      return [...roots.values()].filter(({ type }) => /^(CSMS|CentralSystem)Root/.test(type)).map(({ pem }) => pem)
    },
    signed(chain, now) {
      const leaf = chain.length > MAX_CHAIN_LENGTH ? undefined : readLeaf(chain)
      const key = leaf && waitingKeys.find((waiting) => leaf.checkPrivateKey(waiting))
      if (!leaf || !key || Date.parse(leaf.validTo) <= now || Date.parse(leaf.validFrom) > now) return 'Rejected'
      waitingKeys = waitingKeys.filter((waiting) => waiting !== key)
      own = { chain, key: String(key.export({ type: 'pkcs8', format: 'pem' })) }
      return 'Accepted'
    },
    request(commonName, organization) {
      const { pem, privateKey } = createSigningRequest(commonName, organization)
      waitingKeys = [...waitingKeys, privateKey].slice(-2)
      return pem
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

/** A PKCS #10 certificate signing request, as stations make them: EC P-256, signed with SHA-256. */
const OID = {
  commonName: '550403',
  organization: '55040a',
  ecdsaWithSha256: '2a8648ce3d040302',
} as const

interface SigningRequest {
  readonly pem: string
  readonly privateKey: KeyObject
}

function createSigningRequest(commonName: string, organization: string): SigningRequest {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(attribute(OID.organization, organization), attribute(OID.commonName, commonName))
  const unsigned = sequence(
    Buffer.from('020100', 'hex'),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    Buffer.from('a000', 'hex'),
  )
  const signature = sign('sha256', unsigned, privateKey)
  const der = sequence(unsigned, sequence(oid(OID.ecdsaWithSha256)), tagged(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    pem: `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`,
    privateKey,
  }
}

function attribute(type: string, value: string): Buffer {
  return tagged(0x31, sequence(oid(type), tagged(0x0c, Buffer.from(value, 'utf8'))))
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}
