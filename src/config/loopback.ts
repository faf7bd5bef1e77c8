/** Whether an address stays on this machine: it decides the mode and where plain http is harmless. */
import { isIP } from 'node:net'
import { ipRanges } from '../domain/ip-ranges.ts'

const loopback = ipRanges(['127.0.0.0/8', '::1'])

/** @param host a host name or IP address, IPv6 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost')
  return loopback.includes(name)
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
