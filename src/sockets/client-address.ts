/**
 * Whose request it is when reverse proxies stand before us: their headers count only where the socket's own peer is one
 * of the configured proxies, because anybody else could have written them (OCPP-TL3).
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { TLSSocket } from 'node:tls'

export interface ClientOrigin {
  readonly address: string
  /** The client's own connection is encrypted. */
  readonly secure: boolean
}

export type ReadClientOrigin = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => ClientOrigin

/**
 * @param trustedProxies addresses or CIDR ranges, such as `10.0.0.0/8` or `::1`
 * @throws when one of them is neither
 */
export function createClientOrigin(trustedProxies: readonly string[]): ReadClientOrigin {
  const proxies = blockList(trustedProxies)
  return ({ socket, headers }) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (!includes(proxies, peer)) return { address: peer, secure: socket instanceof TLSSocket }
    return { address: forwardedAddress(headers, peer, proxies), secure: forwardedSecure(headers, socket) }
  }
}

/** The last address that is not one of our proxies: what stands before it could be invented. */
function forwardedAddress(headers: IncomingHttpHeaders, peer: string, proxies: BlockList): string {
  const hops = listed(headers['x-forwarded-for']).map(withoutPort).map(plainAddress)
  let address = peer
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break
    address = hop
    if (!includes(proxies, hop)) break
  }
  return address
}

/** The nearest proxy's word, which is the last one in the list. */
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

export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.trim().split('/')
    const version = isIP(address)
    const longest = version === 4 ? 32 : 128
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (version === 0 || !(length <= longest)) {
      throw new Error(`"${entry}" is no address range: write a trusted proxy as 10.0.0.0/8, 192.0.2.7 or ::1.`)
    }
    list.addSubnet(address, length, family(version))
  }
  return list
}

export function includes(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, family(version))
}

function family(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}

/** A dual-stack socket writes IPv4 peers as `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** Some proxies append the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop
}
