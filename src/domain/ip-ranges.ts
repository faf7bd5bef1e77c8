/** Blocks of IP addresses, as settings and registries write them (RFC 4632). */
import { BlockList, isIP } from 'node:net'

const MAX_PREFIX_LENGTH: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

export interface IpRanges {
  readonly includes: (address: string) => boolean
}

/** A bare address is the block of itself. Undefined for anything else; a zone (fe80::1%eth0) belongs to one machine. */
export function parseIpRange(text: string): { readonly address: string; readonly length: number } | undefined {
  const [, address = '', prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const longest = MAX_PREFIX_LENGTH[isIP(address)]
  if (longest === undefined) return undefined
  const length = prefix === undefined ? longest : Number(prefix)
  return length <= longest ? { address, length } : undefined
}

/** @throws when one of them is no range */
export function ipRanges(texts: readonly string[]): IpRanges {
  const list = new BlockList()
  for (const text of texts) {
    const range = parseIpRange(text.trim())
    if (!range) throw new Error(`"${text}" is no address range: write it as 10.0.0.0/8, 192.0.2.7 or ::1.`)
    list.addSubnet(range.address, range.length, familyOf(range.address))
  }
  return { includes: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/** A dual-stack socket writes IPv4 peers as `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
