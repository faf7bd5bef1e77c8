/** One reader per kind of value; what `show` gives reads back to the same value, `expected` follows "expected". */
import { isIP } from 'node:net'
import { ipRanges, parseIpRange } from '../domain/ip-ranges.ts'
import { isTimeZone } from '../domain/time-zone.ts'
import { databasePath, isPostgres, shownDatabase } from './database-path.ts'

/** How a setting's text is read and shown. @example wholeNumber(1, 3600, 'seconds').read('30') === 30 */
export interface Kind<T> {
  readonly read: (text: string) => T | undefined
  readonly show: (value: T) => string
  readonly expected: string
}

/** What is shown as it is kept. */
export function textKind<T extends string = string>(expected: string, read: Kind<T>['read']): Kind<T> {
  return { read, show: (value) => value, expected }
}

/** A text that is kept where it matches. */
const matching = (expected: string, pattern: RegExp) =>
  textKind(expected, (value) => (pattern.test(value) ? value : undefined))

/** One of these words, spelled as here. */
export function oneOf<const T extends string>(...values: readonly T[]): Kind<T> {
  return textKind(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text))
}

/** `true` or `false`. */
export const yesOrNo: Kind<boolean> = {
  read: (text) => [true, false].find((value) => String(value) === text),
  show: String,
  expected: 'true or false',
}

/** Both bounds belong to it. @param unit in words, such as `seconds` */
export function wholeNumber(min: number, max: number, unit = ''): Kind<number> {
  return {
    read: (text) => readWholeNumber(text, min, max),
    show: String,
    expected: `a whole number${unit && ` of ${unit}`} from ${min} to ${max}`,
  }
}

/** A TCP port, or a word in its place. */
export function portOr<const Word extends string>(word: Word): Kind<number | Word> {
  return {
    read: (text) => (text === word ? word : readWholeNumber(text, 0, 65_535)),
    show: String,
    expected: `a whole number from 0 to 65535, or ${word}`,
  }
}

/** Any text. */
export const text = textKind('some text', (value) => value)

/** Stands in tables, labels of metrics and the log. */
export const nodeName = matching(
  'up to 100 letters, digits, dots, colons, hyphens and underscores, beginning with a letter or digit',
  /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/,
)

/** A header of HTTP, in lower case. */
export const headerName = textKind('the name of a header: letters, digits and hyphens', (value) =>
  /^[a-z0-9][a-z0-9-]{0,99}$/i.test(value) ? value.toLowerCase() : undefined,
)

/** A password or token that people choose: too short a one is refused rather than trusted (OIDC-L5). */
export function secretText(minLength: number, maxLength: number): Kind<string> {
  return textKind(`text of ${minLength} to ${maxLength} characters`, (value) =>
    [...value].length >= minLength && [...value].length <= maxLength ? value : undefined,
  )
}

/** At most 254 characters (RFC 5321 §4.5.3). */
export const email = matching('an e-mail address', /^(?=.{0,254}$)[^\s@]+@[^\s@]+$/)

/** Absolute http(s) address without credentials, query and fragment; kept without its trailing slash. */
export const webAddress = textKind('an http or https address without credentials, query or fragment', (value) => {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const plain = !url.username && !url.password && !url.search && !url.hash && !/[?#]$/.test(value)
  return plain ? url.href.replace(/\/+$/, '') : undefined
})

/** One that is posted to, as a webhook's: https without credentials and fragment. */
export const secureAddress: Kind<string> = {
  read(value) {
    const { protocol, username, password, hash } = URL.parse(value) ?? {}
    return protocol === 'https:' && !username && !password && !hash && value.length <= 2000 ? value : undefined
  },
  show: (value) => value,
  expected: 'an https address without credentials or fragment',
}

/** An address with a place in it that is filled in. */
export function addressWith(place: string): Kind<string> {
  return textKind(`an http or https address with ${place} in it`, (value) =>
    /^https?:$/.test(URL.parse(value)?.protocol ?? '') && value.includes(place) ? value : undefined,
  )
}

/** Where a port is opened. */
export const listenAddress = textKind('an IP address or host name of this machine', (value) =>
  isIP(value) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) ? value : undefined,
)

/** An SQLite file, or a PostgreSQL server, whose address is taken apart when it is opened. */
export const databaseAddress: Kind<string> = {
  read(value) {
    try {
      if (!isPostgres(value)) databasePath(value)
      return value
    } catch {
      return undefined
    }
  },
  show: (value) => (isPostgres(value) ? shownDatabase(value) : value),
  expected: 'file: and the path of an SQLite database file, or postgres://user:password@host:port/database',
}

const KEY_BYTES = 32

/** The secret key, in either alphabet of base64. */
export const base64Key: Kind<Buffer> = {
  read(value) {
    const bytes = Buffer.from(value, 'base64')
    return /^[A-Za-z0-9+/_-]{43}=?$/.test(value) && bytes.length === KEY_BYTES ? bytes : undefined
  },
  show: (value) => value.toString('base64'),
  expected: `${KEY_BYTES} random bytes in base64 (44 characters)`,
}

/** Comma-separated; the word `none` is the empty list, because an empty variable counts as not set. */
export function listOf<T>(kind: Kind<T>, plural: string): Kind<readonly T[]> {
  return {
    read(value) {
      if (value === 'none') return []
      const items = value.split(',').map((item) => kind.read(item.trim()))
      return items.every((item) => item !== undefined) ? items : undefined
    },
    show: (values) => (values.length === 0 ? 'none' : values.map((value) => kind.show(value)).join(',')),
    expected: `a comma-separated list of ${plural}, or none`,
  }
}

/** Comma-separated paths. */
export const pemFiles: Kind<readonly string[]> = {
  read(value) {
    const paths = value.split(',').map((path) => path.trim())
    return paths.includes('') ? undefined : paths
  },
  show: (paths) => paths.join(','),
  expected: 'the path of a readable PEM file, or two separated by a comma',
}

/** An address block; a bare address is the block of itself. */
export const cidr = textKind('an address block such as 10.0.0.0/8', (value) => {
  const range = parseIpRange(value)
  return range && `${range.address}/${range.length}`
})

/** A time zone of the IANA database. */
export const timeZone = textKind('a time zone such as UTC or Europe/Berlin', (value) =>
  isTimeZone(value) ? value : undefined,
)

/** A charge point's identity as its address spells it: a comma in it is `%2C`. */
export const identity: Kind<string> = {
  read(value) {
    try {
      return value === '' ? undefined : decodeURIComponent(value)
    } catch {
      return undefined
    }
  },
  show: encodeURIComponent,
  expected: 'a charge point identity, percent-encoded like in its address',
}

function readWholeNumber(value: string, min: number, max: number): number | undefined {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : undefined
  return number !== undefined && number >= min && number <= max ? number : undefined
}

/** Whether an address stays on this machine: it decides the mode and where plain http is harmless. */
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
