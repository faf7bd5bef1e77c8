/** HOOK-X1 to HOOK-X4: judged on the normalized host (0x7f.1 is 127.0.0.1) and every address that it resolves to. */
import { isIP } from 'node:net'
import { ipRanges } from '../../domain/ip-ranges.ts'

/** HOOK-X4. */
const IPV4_SPECIAL: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Beside these, only 2000::/3 is public: that leaves out IPv4-mapped, IPv4-compatible, NAT64, local and multicast. */
const IPV6_SPECIAL: readonly string[] = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = ipRanges([...IPV4_SPECIAL, ...IPV6_SPECIAL])
const globalV6 = ipRanges(['2000::/3'])

export type UrlFault = 'not_a_url' | 'scheme' | 'user_info' | 'fragment'

/** HOOK-X1: what the text of an address must be, whatever it resolves to. */
export function urlFault(text: string): UrlFault | undefined {
  if (!URL.canParse(text)) return 'not_a_url'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'scheme'
  if (url.username !== '' || url.password !== '') return 'user_info'
  return text.includes('#') ? 'fragment' : undefined
}

/** A reader's spelling (spaces, umlauts, backslashes) as the URI that it stands for; a URI stays as it is. */
export function uriOf(text: string): string {
  return /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/.test(text) ? text : new URL(text).href
}

/** HOOK-X2: an IP literal never passes a resolver, so it is judged as its own address; undefined for a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? host : undefined
}

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.includes(address)
    case 6:
      return globalV6.includes(address) && !special.includes(address)
    default:
      return false
  }
}

/** Whether `url` may be called at `addresses`: https to public ones only, or all within `allowPrivate` (CIDRs). */
export function mayReach(url: URL, addresses: readonly string[], allowPrivate: readonly string[]): boolean {
  if (addresses.length === 0) return false
  if (url.protocol === 'https:' && addresses.every(isPublicAddress)) return true
  const allowed = ipRanges(allowPrivate)
  return addresses.every((address) => allowed.includes(address))
}
