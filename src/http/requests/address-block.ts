/** One bucket per IPv4 address or IPv6 /64, the smallest block that one person has. */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = (address.toLowerCase().split('%', 1)[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
