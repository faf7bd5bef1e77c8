/**
 * The certificate chain that a charge point showed in TLS, to us or in a trusted proxy's header (CERT-C16), to be
 * verified.
 */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { ipRanges, plainAddress } from '../domain/ip-ranges.ts'

const CLIENT_CERT_HEADER = 'x-ssl-client-cert'

/** The leaf first, then its issuers: PEM, or DER in Base64. */
type ReadShownCertificates = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string[] | undefined

/** A leaf and its issuers; longer chains are refused. */
const MOST = 9

export function createCertificateReader(
  trustedProxies: readonly string[],
  header = CLIENT_CERT_HEADER,
): ReadShownCertificates {
  const proxies = ipRanges(trustedProxies)
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    // A proxy's own certificate is not its clients'.
    if (proxies.includes(peer)) return isPlain(headers) ? undefined : handedOn(headers[header])
    return socket instanceof TLSSocket ? shownTo(socket) : undefined
  }
}

/** Without TLS to the proxy nothing was shown: certificates are public, so any client can copy one into a header. */
function isPlain({ 'x-forwarded-proto': forwarded }: IncomingMessage['headers']): boolean {
  const protocol = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim().toLowerCase()
  return protocol === 'http' || protocol === 'ws'
}

function handedOn(header: string | string[] | undefined): string[] | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  if (text === undefined || text === '') return undefined
  try {
    return [decodeURIComponent(text).trim()]
  } catch {
    return [text]
  }
}

function shownTo(socket: TLSSocket): string[] | undefined {
  const shown: string[] = []
  let certificate = socket.getPeerCertificate(true)
  while (certificate?.raw && shown.length < MOST) {
    const der = certificate.raw.toString('base64')
    // A root is its own issuer.
    if (shown.includes(der)) break
    shown.push(der)
    certificate = certificate.issuerCertificate
  }
  return shown.length > 0 ? shown : undefined
}
