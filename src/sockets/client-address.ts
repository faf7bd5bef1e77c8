/** The client's address behind proxies: headers count from configured ones only, as others forge them (OCPP-TL3). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type IpRanges, ipRanges, plainAddress } from '../domain/ip-ranges.ts'

interface ClientOrigin {
  readonly address: string
  /** The client's own connection is encrypted. */
  readonly secure: boolean
}

type ReadClientOrigin = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => ClientOrigin

/** @param trustedProxies addresses or CIDR ranges, such as `10.0.0.0/8` or `::1` @throws when one of them is neither */
export function createClientOrigin(trustedProxies: readonly string[]): ReadClientOrigin {
  const proxies = ipRanges(trustedProxies)
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (!proxies.includes(peer)) return { address: peer, secure: socket instanceof TLSSocket }
    return { address: forwardedAddress(headers, peer, proxies), secure: forwardedSecure(headers, socket) }
  }
}

/** The last address that is not one of our proxies: earlier ones could be invented. */
function forwardedAddress(headers: IncomingHttpHeaders, peer: string, proxies: IpRanges): string {
  const hops = listed(headers['x-forwarded-for']).map(withoutPort).map(plainAddress)
  let address = peer
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break
    address = hop
    if (!proxies.includes(hop)) break
  }
  return address
}

/** The nearest proxy's value is the last in the list. */
function forwardedSecure(headers: IncomingHttpHeaders, socket: IncomingMessage['socket']): boolean {
  const protocol = listed(headers['x-forwarded-proto']).at(-1)?.toLowerCase()
  return protocol === undefined ? socket instanceof TLSSocket : protocol === 'https' || protocol === 'wss'
}

function listed(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** Some proxies append the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop
}
