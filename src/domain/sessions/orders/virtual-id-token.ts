/**
 * The single-use token of a remote start, so that only its own transaction can name it (SESSION-A5, 1.6 §3.9). It looks
 * like a card's serial number: some stations accept nothing else, others garble a tag of 20 characters.
 */

/** Seven-byte serial numbers begin with the maker's number (ISO/IEC 7816-6); FA is unassigned. */
const PREFIX = 'FADE'
/** 40 random bits: good for one charge point, and for the minutes until its start. */
const RANDOM_BYTES = 5

const SHAPE = new RegExp(`^${PREFIX}[0-9A-F]{${2 * RANDOM_BYTES}}$`, 'i')

/** @param randomBytes gives so many random bytes. */
export function newVirtualIdToken(randomBytes: (count: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(RANDOM_BYTES)).toString('hex').toUpperCase()
}

/** Of that shape, in any case: stations may change it. Anyone can invent one, so this only says where to look. */
export function isVirtualIdToken(id: string): boolean {
  return SHAPE.test(id)
}
