/**
 * Whom an address belongs to, where visitors are counted: one IPv4 address, or the /64 that every IPv6 subscriber has.
 * @example addressBlock('2001:db8::9') // '2001:db8:0:0::/64'
 */
import { isIPv6 } from 'node:net'

const GROUPS = 8
const GROUPS_OF_NETWORK = 4

export function addressBlock(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  // An IPv4 address at the end takes the place of two groups, which never reach the first four of a `::`.
  const back = tail === undefined || tail === '' ? [] : tail.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':')
  const zeros = tail === undefined ? 0 : GROUPS - front.length - back.length
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, GROUPS_OF_NETWORK)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
