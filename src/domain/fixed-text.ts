/** Texts of fixed width, digit by digit: for ids and times in every line of an export, twice as fast as strings. */

interface FixedText {
  /** Lower-case hexadecimal digits. @param value an unsigned integer below 2^32 */
  hex(at: number, value: number, digits: number): void
  decimal(at: number, value: number, digits: number): void
  toString(): string
}

const DIGITS = Buffer.from('0123456789abcdef')

/** @param pattern ASCII; what is not written over stays as it is here. A negative position counts from its end */
export function fixedText(pattern: string): FixedText {
  const bytes = Buffer.from(pattern, 'latin1')
  return {
    hex(at, value, digits) {
      let rest = value
      const first = at < 0 ? bytes.length + at : at
      for (let position = first + digits - 1; position >= first; position--) {
        bytes[position] = DIGITS[rest & 15] ?? 0
        rest >>>= 4
      }
    },
    decimal(at, value, digits) {
      let rest = value
      const first = at < 0 ? bytes.length + at : at
      for (let position = first + digits - 1; position >= first; position--) {
        const next = Math.floor(rest / 10)
        bytes[position] = DIGITS[rest - 10 * next] ?? 0
        rest = next
      }
    },
    toString: () => bytes.toString('latin1'),
  }
}
