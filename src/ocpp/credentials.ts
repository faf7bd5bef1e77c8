/**
 * Charge point passwords: read from the Basic header as bytes, stored as keyed hashes (OCPP-AU1 to OCPP-AU3, OCPP-AU6).
 * Passwords are long and usually generated, so a fast hash under a key outside the database is right: with a slow one
 * a restart with thousands of stations would cost minutes of CPU.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const VERSION = 'v1'
/** Marks a password that the station uses only after its next reboot. */
const LATER = 'later'
/** Separates this use of the key from its other uses. */
const PURPOSE = 'charge point password\0'
/** 2.0.1 A00.FR.205 */
const SHORTEST = 16
const LONGEST = 40
/** 1.6 AuthorizationKey: 16 to 20 bytes written as hexadecimal digits. */
const HEXADECIMAL = /^(?:[0-9a-f]{2}){16,20}$/i
const KEY_BYTES = { shortest: 16, longest: 20 }
const GENERATED_BYTES = 20

/**
 * Undefined unless a Basic header for this identity with a password. The header is taken byte by byte (Node gives
 * bytes as Latin-1) and split behind the known identity, which may itself contain a colon (OCPP-AU1, OCPP-AU3).
 */
export function readBasicPassword(authorization: string | undefined, identity: string): Buffer | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded, 'base64')
  const user = Buffer.from(`${identity}:`)
  if (decoded.length <= user.length || !decoded.subarray(0, user.length).equals(user)) return undefined
  return decoded.subarray(user.length)
}

/** `v1$<salt>$<HMAC-SHA-256>` (base64url). `salt`: 16 random bytes. */
export function hashPassword(password: string, secretKey: Uint8Array, salt: Uint8Array): string {
  const mac = passwordMac(canonicalForm(Buffer.from(password)), secretKey, salt)
  return [VERSION, Buffer.from(salt).toString('base64url'), mac.toString('base64url')].join('$')
}

/**
 * The matching stored hash. `hashes`: one or several separated by a space (OCPP-AU6). A password of 32 to 40
 * hexadecimal digits may be sent as text in any case or as the bytes it encodes (OCPP-AU3). Constant time over the
 * hashes; an unreadable hash never matches.
 */
export function matchPassword(presented: Uint8Array, hashes: string, secretKey: Uint8Array): string | undefined {
  const forms = presentedForms(Buffer.from(presented))
  let match: string | undefined
  for (const hash of hashes.split(' ')) {
    const [version, salt = '', mac = ''] = hash.split('$')
    const expected = Buffer.from(mac, 'base64url')
    for (const form of forms) {
      const actual = passwordMac(form, secretKey, Buffer.from(salt, 'base64url'))
      const fits = expected.length === actual.length && timingSafeEqual(expected, actual)
      if (fits && (version === VERSION || version === LATER)) match ??= hash
    }
  }
  return match
}

/** Not in use before a reboot: a login with another password does not exclude it. */
export function afterReboot(hash: string): string {
  return hash.replace(VERSION, LATER)
}

/** What of `hashes`, newest first, stays valid after a login with `match`: it, and later ones that await a reboot. */
export function stillValid(hashes: string, match: string): string {
  const all = hashes.split(' ')
  const others = isForLater(match) ? all.slice(0, all.indexOf(match)) : all
  return [...others.filter(isForLater), inUse(match)].join(' ')
}

/** Proved by a login: no longer waits for a reboot. */
export function inUse(hash: string): string {
  return isForLater(hash) ? hash.replace(LATER, VERSION) : hash
}

/** `hashes` without any of this very password. */
export function without(hashes: string, hash: string): string | undefined {
  const others = hashes.split(' ').filter((one) => one !== '' && inUse(one) !== hash)
  return others.length === 0 ? undefined : others.join(' ')
}

function isForLater(hash: string): boolean {
  return hash.startsWith(`${LATER}$`)
}

/** For passwords chosen by a person. */
export const PASSWORD_RULE = `must have ${SHORTEST} to ${LONGEST} characters and no control characters`

export function fitsPasswordRule(password: string): boolean {
  const length = [...password].length
  return length >= SHORTEST && length <= LONGEST && !/\p{Cc}/u.test(password)
}

/** 40 hexadecimal digits: valid as a 1.6 AuthorizationKey and as a 2.0.1 BasicAuthPassword. */
export function generatePassword(random: (bytes: number) => Buffer): string {
  return random(GENERATED_BYTES).toString('hex')
}

function passwordMac(form: Uint8Array, secretKey: Uint8Array, salt: Uint8Array): Buffer {
  return createHmac('sha256', secretKey).update(PURPOSE).update(salt).update(form).digest()
}

function canonicalForm(password: Buffer): Buffer {
  const text = password.toString('latin1')
  return HEXADECIMAL.test(text) ? Buffer.from(text.toLowerCase()) : password
}

function presentedForms(presented: Buffer): readonly Buffer[] {
  const isKey = presented.length >= KEY_BYTES.shortest && presented.length <= KEY_BYTES.longest
  return [canonicalForm(presented), ...(isKey ? [Buffer.from(presented.toString('hex'))] : [])]
}
