/**
 * The single-use token that we send with a remote start, so that only its own transaction can name it (A5, 1.6 §3.9).
 * Made and recognised here.
 */

const PREFIX = 'PW'
/** 32 letters and digits that nobody confuses when reading them from a log. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** With the prefix within the 20 characters of an idTag: 80 random bits. */
const LENGTH = 16

const SHAPE = new RegExp(`^${PREFIX}[${ALPHABET}]{${LENGTH}}$`, 'i')

/** @param randomBytes gives so many random bytes. */
export function newVirtualIdToken(randomBytes: (count: number) => Uint8Array): string {
  return PREFIX + Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Of that shape, in any case: stations may change it. Anybody can invent one, so this only says where to look. */
export function isVirtualIdToken(id: string): boolean {
  return SHAPE.test(id)
}
