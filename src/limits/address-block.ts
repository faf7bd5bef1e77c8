/**
 * The owner of an address, for counting visitors: one IPv4 address, or the /64 of an IPv6 subscriber;
 * and the network around it, which an owner of many addresses has.
 * @example addressBlock('2001:db8::9') // '2001:db8:0:0::/64'
 * @example addressNetwork('192.0.2.7') // '192.0.2.0/24'
 */
import { isIPv6 } from 'node:net'

const GROUPS = 8
const GROUPS_OF_BLOCK = 4
const GROUPS_OF_NETWORK = 3

export function addressBlock(address: string): string {
  const groups = groupsOf(address)
  return typeof groups === 'string' ? groups : `${groups.slice(0, GROUPS_OF_BLOCK).join(':')}::/64`
}

export function addressNetwork(address: string): string {
  const groups = groupsOf(address)
  if (typeof groups !== 'string') return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/48`
  return groups.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}

/** The groups of an IPv6 address; the text itself for anything else. */
function groupsOf(address: string): readonly string[] | string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  // A trailing IPv4 address takes two groups, which never reach the first four of a `::`.
  const back = tail === undefined || tail === '' ? [] : tail.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':')
  const zeros = tail === undefined ? 0 : GROUPS - front.length - back.length
  return [...front, ...Array<string>(zeros).fill('0'), ...back].map((group) => Number.parseInt(group, 16).toString(16))
}
