/** Whether an address stays on this machine: it decides the mode and where plain http is harmless. */
import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** @param host a host name or IP address, IPv6 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  const version = isIP(name)
  if (version === 0) return name === 'localhost' || name.endsWith('.localhost')
  return loopback.check(name, version === 4 ? 'ipv4' : 'ipv6')
}

/** @param url an absolute address; anything else throws. @example isLoopbackUrl('http://localhost:8080') === true */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname)
}

/** The host of addresses at which this machine reaches a server that listens on `host`. */
export function localHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
