/** Reads the address in a QR code by the template that the station filled in (OCPP 2.1 C25). Linear in its length. */

type Member = 'station' | 'evse' | 'totp' | 'version' | 'maxtime' | 'maxenergy' | 'maxcost'

/** Limits are in seconds, watt-hours, and the currency of the tariff. */
export type ScannedCode = Readonly<Partial<Record<Member, string>>> & { readonly totp: string }

const MEMBERS: ReadonlyMap<string, Member> = new Map([
  ['chargingstationid', 'station'],
  ['evse', 'evse'],
  ['totp', 'totp'],
  ['version', 'version'],
])
const LIMITS = ['maxtime', 'maxenergy', 'maxcost'] as const

/** @returns undefined: it is no address by this template, or has no one-time password */
export function readScannedCode(url: string, template: string): ScannedCode | undefined {
  // Texts stand at even places, names at odd ones.
  const parts = template.split(/\{([a-z]+)\}/i)
  const code: Partial<Record<Member, string>> = {}
  let rest = withoutFragment(url)
  for (let at = 0; at < parts.length; at += 2) {
    const text = parts[at] ?? ''
    if (at > 0) {
      const [segment = ''] = rest.split(/[/?&]/, 1)
      const end = text === '' ? -1 : segment.indexOf(text)
      const value = end < 0 ? segment : segment.slice(0, end)
      const read = decoded(value)
      if (!read) return undefined
      const member = MEMBERS.get((parts[at - 1] ?? '').toLowerCase())
      if (member) code[member] = read
      rest = rest.slice(value.length)
    }
    if (!rest.startsWith(text)) return undefined
    rest = rest.slice(text.length)
  }
  // The limits follow the filled-in template.
  if (rest !== '' && !/^[?&]/.test(rest)) return undefined
  const query = new URLSearchParams(rest.slice(1))
  for (const name of LIMITS) if (query.has(name)) code[name] = query.get(name) ?? ''
  return code.totp === undefined ? undefined : { ...code, totp: code.totp }
}

const MAX_PARTS = 30

/** Parts of the address that may be the identity of a charge point, decoded. */
export function possibleStations(url: string): readonly string[] {
  const parts = withoutFragment(url).split(/[/?&=]/)
  return [...new Set(parts.flatMap((part) => decoded(part) || []))].slice(0, MAX_PARTS)
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? ''
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
