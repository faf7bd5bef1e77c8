/** A proxy that ends TLS in front of the server, as nginx does with `ssl_verify_client optional_no_ca`. */
import { webcrypto } from 'node:crypto'
import { type AddressInfo, connect } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { x509Library } from '../src/domain/x509/library.ts'

const x509 = x509Library()

export interface TlsProxy {
  readonly port: number
  /** Its own certificate, which is a root: PEM. */
  readonly certificate: string
  /** From now on it hands everything on to this port of the machine. */
  pointAt(port: number): void
  close(): Promise<void>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 24 * 3600_000

export async function startTlsProxy(): Promise<TlsProxy> {
  const { cert, key } = await selfSigned()
  const open = new Set<TLSSocket>()
  let target = 0
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (client) => {
    open.add(client)
    client.on('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    client.once('data', (first: Buffer) => {
      const backend = connect(target, '127.0.0.1')
      backend.on('error', () => client.destroy())
      const [line = '', ...rest] = first.toString('latin1').split('\r\n')
      backend.write([line, 'x-forwarded-proto: https', ...shown(client), ...rest].join('\r\n'), 'latin1')
      client.pipe(backend).pipe(client)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    certificate: cert,
    pointAt(port) {
      target = port
    },
    async close() {
      for (const client of open) client.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function shown(client: TLSSocket): readonly string[] {
  const certificate = client.getPeerX509Certificate()
  return certificate ? [`x-ssl-client-cert: ${encodeURIComponent(String(certificate))}`] : []
}

async function selfSigned(): Promise<{ readonly cert: string; readonly key: string }> {
  const keys = (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = pkcs8.match(/.{1,64}/g) ?? []
  const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
  return { cert: certificate.toString('pem'), key }
}
