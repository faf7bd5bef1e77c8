/** The certificates of a station: roots that are installed, and its own, which it asks for and is given. */
import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import type { Payload } from '../../src/ocpp/version.ts'
import { createSigningRequest } from './signing-request.ts'
import type { CommandTarget } from './target.ts'

export interface Certificates {
  install(type: string, pem: string): Payload
  remove(hash: Payload): Payload
  /** As GetInstalledCertificateIds wants them. */
  installed(types: readonly string[] | undefined): readonly { readonly type: string; readonly hash: Payload }[]
  /** The chain that came for a signing request. */
  signed(chain: string): Payload
  /** Asks for a certificate of its own. */
  request(target: CommandTarget): Promise<void>
}

export function createCertificates(): Certificates {
  const roots = new Map<string, { readonly type: string; readonly hash: Payload }>()
  let waitingKey: KeyObject | undefined
  return {
    install(type, pem) {
      const certificate = parse(pem)
      if (!certificate) return { status: 'Rejected' }
      const hash = hashOf(certificate)
      roots.set(`${type} ${JSON.stringify(hash)}`, { type, hash })
      return { status: 'Accepted' }
    },
    remove(hash) {
      const found = [...roots].find(([, root]) => root.hash.serialNumber === hash.serialNumber)
      if (!found) return { status: 'NotFound' }
      roots.delete(found[0])
      return { status: 'Accepted' }
    },
    installed: (types) => [...roots.values()].filter(({ type }) => !types || types.includes(type)),
    signed(chain) {
      const certificate = parse(chain)
      if (!certificate || !waitingKey || !certificate.checkPrivateKey(waitingKey)) return { status: 'Rejected' }
      waitingKey = undefined
      return { status: 'Accepted' }
    },
    async request(target) {
      const { pem, privateKey } = createSigningRequest(target.serialNumber, 'Example')
      waitingKey = privateKey
      await target.notify({ method: 'SignCertificate', request: { csr: pem } })
    },
  }
}

/** The leaf of a chain. */
function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function hashOf(certificate: X509Certificate): Payload {
  const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
  return {
    hashAlgorithm: 'SHA256',
    issuerNameHash: hash(certificate.issuer),
    issuerKeyHash: hash(certificate.publicKey.export({ type: 'spki', format: 'der' })),
    serialNumber: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
  }
}
