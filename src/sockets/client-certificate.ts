/** What a charge point showed in TLS, to us or in a trusted proxy's header (CERT-C16); all of it is checked again. */
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import { ipRanges, plainAddress } from '../domain/ip-ranges.ts'

const CLIENT_CERT_HEADER = 'x-ssl-client-cert'

/** Its own first, then what stands between it and the root: PEM, or DER in Base64. */
type ReadShownCertificates = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string[] | undefined

/** A leaf and its issuers; whoever sends more is told that it is too much. */
const MOST = 9

export function createCertificateReader(
  trustedProxies: readonly string[],
  header = CLIENT_CERT_HEADER,
): ReadShownCertificates {
  const proxies = ipRanges(trustedProxies)
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    // A proxy's own certificate, with which it may come to us, is nobody's but its own.
    if (proxies.includes(peer)) return isPlain(headers) ? undefined : handedOn(headers[header])
    return socket instanceof TLSSocket ? shownTo(socket) : undefined
  }
}

/** Whoever came to the proxy without TLS has shown nothing: certificates are public, so anybody can write one down. */
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
